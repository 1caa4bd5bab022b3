let context: AudioContext | null = null

/**
 * Returns a short soft tone, made here: no file is loaded. Silent until the person has touched the page, as browsers
 * want it.
 */
export function beep(): void {
  context ??= new AudioContext()
  const { currentTime: now, destination } = context
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.frequency.value = 660
  loudness.gain.setValueAtTime(0.08, now)
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.35)
  tone.connect(loudness).connect(destination)
  tone.start(now)
  tone.stop(now + 0.35)
}
