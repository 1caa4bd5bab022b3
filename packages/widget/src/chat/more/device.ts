/** Two short notes, one after the other. */
export function ring(): void {
  const audio = new AudioContext()
  const gain = audio.createGain()
  gain.gain.value = 0.05
  gain.connect(audio.destination)
  for (const [at, pitch] of [660, 880].entries()) {
    const tone = audio.createOscillator()
    tone.frequency.value = pitch
    tone.connect(gain)
    tone.start(audio.currentTime + at * 0.12)
    tone.stop(audio.currentTime + at * 0.12 + 0.1)
    if (at === 1) tone.onended = () => void audio.close()
  }
}

/** Offers the visitor a text as a download. */
export function offer(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1_000)
}

/** Prefix that the chat put before the page's own title. */
let before = ''

/** Shows a count before the page's title; zero takes it away. A count that the page itself has there stays. */
export function countInTitle(count: number): void {
  const { title } = document
  const own = title.startsWith(before) ? title.slice(before.length) : title
  before = count === 0 ? '' : `(${count}) `
  document.title = before + own
}
