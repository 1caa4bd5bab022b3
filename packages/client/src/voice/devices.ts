import type { Microphone, MicrophoneListener, OpenMicrophone, Speaker } from './ports.ts'
import { MICROPHONE_WORKLET } from './worklet.ts'

/** A part of the graph of Web Audio. */
interface AudioPart {
  connect(to: AudioPart): void
}

/** A track of a microphone. */
interface Track {
  enabled: boolean
  stop(): void
  addEventListener(type: 'ended', listener: () => void): void
}

interface Stream {
  getTracks(): readonly Track[]
}

interface AudioContextLike {
  readonly sampleRate: number
  readonly currentTime: number
  readonly destination: AudioPart
  readonly audioWorklet?: { addModule(address: string): Promise<void> }
  resume(): Promise<void>
  close(): Promise<void>
  createGain(): AudioPart & { readonly gain: { value: number } }
  createMediaStreamSource(stream: Stream): AudioPart
  createBuffer(channels: 1, length: number, rate: number): Samples
  createBufferSource(): Source
}

interface Samples {
  copyToChannel(samples: Float32Array<ArrayBuffer>, channel: 0): void
}

interface Source extends AudioPart {
  buffer: Samples | null
  onended: (() => void) | null
  start(at: number): void
  stop(): void
}

/** Globals of a browser that can speak and hear. */
interface Globals {
  readonly navigator?: {
    readonly mediaDevices?: { getUserMedia(wanted: object): Promise<Stream> }
  }
  readonly AudioContext?: new (options?: { readonly sampleRate: number }) => AudioContextLike
  readonly AudioWorkletNode?: new (
    context: AudioContextLike,
    name: string,
  ) => AudioPart & { readonly port: { onmessage: ((event: { readonly data: Float32Array }) => void) | null } }
}

const globals = (): Globals => globalThis as unknown as Globals

/** Samples per second of what comes from the server. */
const SPEAKER_RATE = 24_000

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** Loads the worklet from its file, or else from its own text. */
async function addWorklet(context: AudioContextLike, address: string | undefined): Promise<void> {
  const own = address ?? URL.createObjectURL(new Blob([MICROPHONE_WORKLET], { type: 'text/javascript' }))
  try {
    await context.audioWorklet?.addModule(own)
  } catch {
    const allowed =
      address === undefined ? '`script-src blob:`, or the option `worklet`' : `${address} as a script`
    throw failure(
      'WORKLET_REFUSED',
      `The code of the microphone was not loaded. The page has to allow ${allowed}.`,
    )
  } finally {
    if (address === undefined) URL.revokeObjectURL(own)
  }
}

/** The browser's microphone, with echo cancellation: it does not hear what the page plays. */
export const browserMicrophone =
  (worklet?: string): OpenMicrophone =>
  async (listener: MicrophoneListener): Promise<Microphone> => {
    const { AudioContext, AudioWorkletNode, navigator } = globals()
    if (!navigator?.mediaDevices || !AudioContext || !AudioWorkletNode)
      throw failure(
        'NOT_SUPPORTED',
        'There is no microphone here. A page needs HTTPS, and a browser with AudioWorklet.',
      )
    // Made before the question, while the browser still counts the visitor's press.
    const context = new AudioContext()
    let stream: Stream | null = null
    const close = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop()
      void context.close()
    }
    try {
      const wanted = {
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        channelCount: 1,
      }
      stream = await navigator.mediaDevices.getUserMedia({ audio: wanted })
      await addWorklet(context, worklet)
      const node = new AudioWorkletNode(context, 'colloquy-microphone')
      node.port.onmessage = ({ data }) => listener.samples(data)
      context.createMediaStreamSource(stream).connect(node)
      // It is silent, but a graph without an end is not run.
      node.connect(context.destination)
      await context.resume()
    } catch (error) {
      close()
      throw error
    }
    const tracks = stream.getTracks()
    for (const track of tracks) track.addEventListener('ended', listener.lost)
    return {
      rate: context.sampleRate,
      mute(muted) {
        for (const track of tracks) track.enabled = !muted
      },
      close,
    }
  }

/** The browser's loudspeaker. */
export function browserSpeaker(): Speaker {
  const { AudioContext } = globals()
  if (!AudioContext) return { now: () => 0, play() {}, stop() {}, volume() {}, close() {} }
  // At the rate of the audio no sound is heard where two frames meet.
  const context = new AudioContext({ sampleRate: SPEAKER_RATE })
  const gain = context.createGain()
  gain.connect(context.destination)
  void context.resume()
  const sources = new Set<Source>()
  return {
    now: () => context.currentTime * 1_000,
    play(samples, at) {
      if (samples.length === 0) return
      const buffer = context.createBuffer(1, samples.length, SPEAKER_RATE)
      buffer.copyToChannel(samples, 0)
      const source = context.createBufferSource()
      source.buffer = buffer
      source.onended = () => sources.delete(source)
      source.connect(gain)
      source.start(at / 1_000)
      sources.add(source)
    },
    stop() {
      for (const source of sources) source.stop()
      sources.clear()
    },
    volume(value) {
      gain.gain.value = value
    },
    close: () => void context.close(),
  }
}
