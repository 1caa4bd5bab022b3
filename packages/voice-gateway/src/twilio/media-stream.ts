import type { Clock } from '@colloquy/core'
import * as z from 'zod'
import { bytesOf, DOWN_BYTES, DOWN_RATE, samplesOf, UP_BYTES, UP_RATE } from '../audio/pcm.ts'
import { createResampler } from '../audio/resample.ts'
import type { Call, CallLine } from '../call/call.ts'
import type { ServerFrame } from '../domain/frames.ts'
import { fromMuLaw, toMuLaw } from './mu-law.ts'

const LINE_RATE = 8_000

const sid = z.string().regex(/^[A-Za-z0-9]{1,64}$/)

const messageSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    start: z.object({
      streamSid: sid,
      callSid: sid,
      mediaFormat: z.object({
        encoding: z.literal('audio/x-mulaw'),
        sampleRate: z.literal(LINE_RATE),
        channels: z.literal(1),
      }),
    }),
  }),
  z.object({
    event: z.literal('media'),
    media: z.object({ track: z.string().optional(), payload: z.base64().max(16_000) }),
  }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: z.string().max(100) }) }),
  z.object({ event: z.literal('dtmf'), dtmf: z.object({ digit: z.string().regex(/^[0-9*#]$/) }) }),
  z.object({ event: z.literal('stop') }),
])

/** A mark that is on its way: what was played when it comes back. */
interface SentMark {
  readonly id: string
  readonly played_ms: number
  readonly done: boolean
}

/** Audio between two marks, milliseconds. */
const MARK_MS = 500
/** The time limit for the next key. `#` ends the digits at once. */
const NEXT_KEY = 2_000
const MOST_KEYS = 64

/** Twilio's side of a stream. */
export interface StreamPort {
  send(text: string): void
  close(code: number, reason: string): void
}

/**
 * Translates between Twilio's messages and a call's frames: µ-law of 8,000 Hz both ways, marks that come back when what is
 * before them was played, and `clear`. Twilio returns all marks at a clear, played or not: those are not counted.
 *
 * @param open opens the call; rejects if it cannot be had
 */
export function createMediaStream(
  { clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown, where: string) => void },
  port: StreamPort,
  open: (line: CallLine) => Promise<Call>,
) {
  let stream: string | null = null
  let call: Call | null = null
  let isOver = false
  const up = createResampler(LINE_RATE, UP_RATE)
  let down = createResampler(DOWN_RATE, LINE_RATE)
  let rest: Uint8Array = new Uint8Array()
  let piece = { id: '', at: 0, marked: 0 }
  let marks = new Map<string, SentMark>()
  let count = 0
  let played: SentMark | null = null
  let keys = ''
  let stopKeys = (): void => {}
  let opening: Promise<void> = Promise.resolve()

  const tell = (message: object): void => port.send(JSON.stringify({ ...message, streamSid: stream }))

  function mark(done: boolean): void {
    const name = String(++count)
    marks.set(name, { id: piece.id, played_ms: piece.at, done })
    piece = { ...piece, marked: piece.at }
    tell({ event: 'mark', mark: { name } })
  }

  function take(frame: ServerFrame): void {
    if (frame.type === 'audio.begin') {
      piece = { id: frame.id, at: frame.from_ms, marked: frame.from_ms }
      down = createResampler(DOWN_RATE, LINE_RATE)
    } else if (frame.type === 'audio.end') mark(true)
    else if (frame.type === 'clear') {
      tell({ event: 'clear' })
      marks = new Map()
      const { done = false, id = '', played_ms = 0 } = played ?? {}
      call?.frame(JSON.stringify({ type: 'mark', id, played_ms, done, cleared: true }))
    }
  }

  const line: CallLine = {
    send: take,
    sound(bytes) {
      const payload = Buffer.from(toMuLaw(down(samplesOf(bytes)))).toString('base64')
      if (payload !== '') tell({ event: 'media', media: { payload } })
      piece = { ...piece, at: piece.at + bytes.byteLength / DOWN_BYTES }
      if (piece.at - piece.marked >= MARK_MS) mark(false)
    },
    close: (code, reason) => port.close(code, reason),
  }

  function sendKeys(): void {
    stopKeys()
    if (keys !== '') call?.frame(JSON.stringify({ type: 'dtmf', digits: keys, id: `k${++count}` }))
    keys = ''
  }

  function key(digit: string): void {
    keys += digit
    stopKeys()
    if (digit === '#' || keys.length >= MOST_KEYS) sendKeys()
    else stopKeys = clock.schedule(NEXT_KEY, sendKeys)
  }

  function begin(streamSid: string): void {
    stream = streamSid
    opening = open(line)
      .then(opened => {
        if (isOver) return opened.closed()
        call = opened
        opened.frame(JSON.stringify({ type: 'voice.start', rate: UP_RATE }))
      })
      .catch(error => {
        onError(error, 'voice twilio')
        port.close(1011, 'internal error')
      })
  }

  function media(payload: string): boolean {
    const sound = bytesOf(up(fromMuLaw(Buffer.from(payload, 'base64'))))
    const joined = new Uint8Array(rest.length + sound.length)
    joined.set(rest)
    joined.set(sound, rest.length)
    const whole = joined.length - (joined.length % UP_BYTES)
    rest = joined.slice(whole)
    return call === null || whole === 0 || call.audio(joined.subarray(0, whole))
  }

  return {
    receive(text: string): boolean {
      let json: unknown
      try {
        json = JSON.parse(text)
      } catch {
        json = null
      }
      const read = messageSchema.safeParse(json)
      // Twilio may say more some day.
      if (!read.success) return true
      const message = read.data
      if (message.event === 'start' && stream === null) begin(message.start.streamSid)
      else if (message.event === 'media' && message.media.track !== 'outbound')
        return media(message.media.payload)
      else if (message.event === 'mark') {
        const sent = marks.get(message.mark.name)
        if (sent === undefined) return true
        marks.delete(message.mark.name)
        played = sent
        call?.frame(JSON.stringify({ type: 'mark', ...sent }))
      } else if (message.event === 'dtmf') key(message.dtmf.digit)
      else if (message.event === 'stop') {
        sendKeys()
        call?.frame('{"type":"voice.stop"}')
      }
      return true
    },
    closed(): void {
      isOver = true
      stopKeys()
      call?.closed()
    },
    async settled(): Promise<void> {
      await opening
      await call?.settled()
    },
  }
}
