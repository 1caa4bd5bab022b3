import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Files } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { attachVoice, type Speaker, type Transcriber, type VoiceSocketOptions } from '@colloquy/voice-gateway'
import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { pageOf, type SiteOptions, startSite, tag } from './site.ts'

/** Writes a file of a spoken sentence with silence behind it, seconds, for a browser that plays it over and over. */
export function spokenFile(flite: string, text: string, silence: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'voice-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'spoken.wav')
  execFileSync(flite, ['-voice', 'slt', '-t', text, '-o', file])
  const wav = readFileSync(file)
  const rate = wav.readUInt32LE(24)
  const sound = Buffer.concat([Buffer.alloc(rate), wav.subarray(44), Buffer.alloc(rate * 2 * silence)])
  const head = Buffer.from(wav.subarray(0, 44))
  head.writeUInt32LE(36 + sound.length, 4)
  head.writeUInt32LE(sound.length, 40)
  writeFileSync(file, Buffer.concat([head, sound]))
  return file
}

/** A transcriber that understands the next of these texts, whatever was said: first its beginning, then all. */
function createListening(texts: readonly string[]): Transcriber {
  let next = 0
  return {
    open() {
      const text = texts[next++ % texts.length] ?? ''
      let finish = (): void => {}
      const isOver = new Promise<void>(resolve => {
        finish = resolve
      })
      async function* events() {
        yield { type: 'partial', text: text.slice(0, text.indexOf(' ')) } as const
        await isOver
        yield { type: 'final', text, segment: 0 } as const
      }
      return { write() {}, end: finish, events: events() }
    },
  }
}

/** A speaker that hums: 50 milliseconds for each character. */
const humming: Speaker = {
  async *speak(text, { rate }) {
    const samples = Int16Array.from({ length: (text.length * rate) / 20 }, (_, at) =>
      Math.round(Math.sin((2 * Math.PI * 220 * at) / rate) * 8_000),
    )
    const bytes = new Uint8Array(samples.buffer)
    for (let at = 0; at < bytes.length; at += 9_600) yield bytes.subarray(at, at + 9_600)
  },
}

/** Attaches voice to a site: a transcriber that understands these texts, one after another, and a speaker that hums. */
export const voiceOf =
  (texts: readonly string[], options: Partial<VoiceSocketOptions> = {}): SiteOptions['attach'] =>
  (server, platform) =>
    attachVoice(server, platform, { transcriber: createListening(texts), speaker: humming, ...options })

/** A site whose widget can speak with its agent. */
export async function startVoiceSite({
  headers = {},
  keep,
  runtime,
  texts,
  voice = {},
}: {
  /** Where the sound of calls is kept. @default calls are not recorded */
  readonly keep?: Files
  readonly voice?: Partial<VoiceSocketOptions>
  readonly headers?: Readonly<Record<string, string>>
  readonly runtime: AgentRuntime
  readonly texts: readonly string[]
}) {
  const lines = new Set<Socket>()
  const site = await startSite({
    runtime,
    headers,
    pages: { '/': pageOf(`<main><h1>Harbour Hotel</h1></main>${tag('data-voice="/voice"')}`) },
    attach: voiceOf(texts, voice),
    ...(keep === undefined ? {} : { recordings: { keep } }),
  })
  site.server.on('upgrade', ({ url }, socket: Socket) => {
    if (url?.startsWith('/voice')) lines.add(socket)
  })
  return {
    ...site,
    /** Breaks the connections of all calls. */
    cut(): void {
      for (const line of lines) line.destroy()
      lines.clear()
    },
    /** Calls that had a connection so far, or since the last cut. */
    get lines() {
      return lines.size
    },
  }
}

/** To be run in a page before its scripts: measures what goes to the loudspeaker. */
export function listenToPage(): void {
  const analysers: AnalyserNode[] = []
  const { connect } = AudioNode.prototype
  Object.assign(AudioNode.prototype, {
    connect(this: AudioNode, ...to: Parameters<typeof connect>) {
      if (this instanceof GainNode) {
        const analyser = this.context.createAnalyser()
        Reflect.apply(connect, this, [analyser])
        analysers.push(analyser)
      }
      return Reflect.apply(connect, this, to)
    },
  })
  Object.assign(globalThis, {
    loudness: () =>
      Math.max(
        0,
        ...analysers.flatMap(analyser => {
          const samples = new Float32Array(analyser.fftSize)
          analyser.getFloatTimeDomainData(samples)
          return [...samples]
        }),
      ),
  })
}

/** The loudest of what is played now, from 0 to 1. */
export const loudness = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(globalThis, 'loudness')())
