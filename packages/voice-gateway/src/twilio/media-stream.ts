import type { Clock } from '@colloquy/core'
import { CLOSE_CODES, CLOSE_TEXTS } from '@colloquy/core/transport'
import * as z from 'zod'
import { bytesOf, DOWN_BYTES, DOWN_RATE, samplesOf, UP_BYTES, UP_RATE } from '../audio/pcm.ts'
import { createResampler } from '../audio/resample.ts'
import type { Call, CallLine } from '../call/call.ts'
import { until } from '../call/until.ts'
import type { Mark, ServerFrame } from '../domain/frames.ts'
import { fromMuLaw, toMuLaw } from './mu-law.ts'

const LINE_RATE = 8_000

const sid = z.string().regex(/^[A-Za-z0-9]{1,64}$/)

/** A number of the call, if the host's TwiML names it, and it is none of a caller who hides it. */
const number = z
  .string()
  .regex(/^\+\d{5,15}$/)
  .optional()
  .catch(undefined)

const UNREADABLE_START =
  'A stream of Twilio begins in another way than is known. It must be of audio/x-mulaw, 8,000 Hz, one channel.'

const messageSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    start: z.object({
      streamSid: sid,
      callSid: sid,
      customParameters: z.object({ from: number, to: number }).optional().catch(undefined),
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

type Started = Extract<z.output<typeof messageSchema>, { readonly event: 'start' }>['start']

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
/** Messages of sound that wait for a call to be open: ten seconds. */
const MOST_EARLY = 500

/** Transfers a call to a number: resolves when Twilio has taken it. */
export type TransferCall = (to: {
  readonly callSid: string
  /** E.164. */
  readonly destination: string
  readonly signal: AbortSignal
}) => Promise<void>

/** The time limit for a transfer. */
const TRANSFER_MS = 10_000
/** The time limit for the last words of a call to be in its session. */
const KEPT_MS = 10_000

/** Twilio's side of a stream. */
export interface StreamPort {
  send(text: string): void
  close(code: number, reason: string): void
}

/** Opens the call of a stream. Null if it is over; rejects if it cannot be had. */
export type OpenStream = (
  line: CallLine,
  callSid: string,
  numbers: CallNumbers,
) => Promise<OpenedStream | null>

/** The numbers of a call, as far as they are known. */
export interface CallNumbers {
  readonly fromNumber?: string
  readonly toNumber?: string
}

/** A call that was opened for a stream: it begins, or goes on. */
export interface OpenedStream {
  readonly call: Call
  /** The id of the call, over all its streams. */
  readonly id: string
  /** The place up to which the caller has heard. Null if nothing is known to be heard. */
  readonly heard: Mark | null
  /** The time since the call began, milliseconds. */
  readonly elapsedMs: number
}

/** The end of a call's newest position, so that it fits a frame. */
const LAST_MS = 86_400_000

/** The parts of a gateway that streams need. */
interface StreamParts {
  readonly clock: Clock
  readonly onError: (error: unknown, where: string) => void
  readonly transfer?: TransferCall | undefined
}

/**
 * Translates between Twilio's messages and a call's frames: µ-law of 8,000 Hz both ways, marks that come back when
 * what is before them was played, and `clear`. Twilio returns all marks at a clear, played or not: those do not count
 * (VG30).
 */
export class MediaStream implements CallLine {
  readonly #parts: StreamParts
  readonly #port: StreamPort
  readonly #open: OpenStream
  #stream: string | null = null
  #callSid = ''
  #call: Call | null = null
  #isLive = false
  /** Sound that came while the call was being opened. */
  readonly #early: string[] = []
  /** Sound of the caller begins there: no stream of the call has used a later position. */
  #from = 0
  #isOver = false
  readonly #up = createResampler(LINE_RATE, UP_RATE)
  #down = createResampler(DOWN_RATE, LINE_RATE)
  /** Audio that is not a whole millisecond yet. */
  #rest: Uint8Array = new Uint8Array()
  #piece = { id: '', at: 0, marked: 0 }
  readonly #marks = new Map<string, SentMark>()
  #count = 0
  #played: SentMark | null = null
  #keys = ''
  #stopKeys = (): void => {}
  #opening: Promise<void> = Promise.resolve()
  #leaving: Promise<void> = Promise.resolve()

  constructor(parts: StreamParts, port: StreamPort, open: OpenStream) {
    this.#parts = parts
    this.#port = port
    this.#open = open
  }

  /** Twilio's id of the call. Empty before it was told. */
  get callSid(): string {
    return this.#callSid
  }

  /** A message of Twilio. Returns false to ask that no more is read until `settled`. */
  receive(text: string): boolean {
    const message = readMessage(text)
    switch (message?.event) {
      case 'unreadable start':
        if (this.#stream === null) this.#refuse()
        return true
      case 'start':
        if (this.#stream === null) this.#begin(message.start)
        return true
      case 'media':
        return message.media.track === 'outbound' || this.#hear(message.media.payload)
      case 'mark':
        this.#returned(message.mark.name)
        return true
      case 'dtmf':
        this.#key(message.dtmf.digit)
        return true
      case 'stop':
        this.#sendKeys()
        this.#frame({ type: 'voice.stop' })
        return true
      default:
        // Twilio may say more some day.
        return true
    }
  }

  closed(): void {
    this.#isOver = true
    this.#stopKeys()
    this.#call?.closed()
  }

  async settled(): Promise<void> {
    await this.#opening
    await this.#call?.settled()
  }

  send(frame: ServerFrame): void {
    if (frame.type === 'audio.begin') {
      this.#piece = { id: frame.id, at: frame.from_ms, marked: frame.from_ms }
      this.#down = createResampler(DOWN_RATE, LINE_RATE)
    } else if (frame.type === 'audio.end') this.#mark(true)
    else if (frame.type === 'voice.started') this.#started(frame.from_ms)
    else if (frame.type === 'voice.stopped' && frame.destination !== undefined)
      this.#leaving = this.#transfer(frame.destination)
    else if (frame.type === 'clear') {
      this.#tell({ event: 'clear' })
      this.#marks.clear()
      const { done = false, id = '', played_ms = 0 } = this.#played ?? {}
      this.#frame({ type: 'mark', id, played_ms, done, cleared: true })
    }
  }

  sound(bytes: Uint8Array): void {
    const payload = Buffer.from(toMuLaw(this.#down(samplesOf(bytes)))).toString('base64')
    if (payload !== '') this.#tell({ event: 'media', media: { payload } })
    this.#piece = { ...this.#piece, at: this.#piece.at + bytes.byteLength / DOWN_BYTES }
    if (this.#piece.at - this.#piece.marked >= MARK_MS) this.#mark(false)
  }

  close(code: number, reason: string): void {
    // Twilio goes on with the call when the stream ends: it is told first where the call goes, and finds in the store
    // whether it is over.
    void this.#leaving.then(() => this.#kept()).then(() => this.#port.close(code, reason))
  }

  /** Resolves when the session has what the call did last. */
  async #kept(): Promise<void> {
    const { clock, onError } = this.#parts
    const limit = { clock, limit: KEPT_MS, signal: new AbortController().signal, what: 'The end of a call' }
    await until(limit, () => this.#call?.settled()).catch(error => onError(error, 'voice twilio'))
  }

  async #transfer(destination: string): Promise<void> {
    const { clock, onError, transfer } = this.#parts
    if (transfer === undefined) return
    const ended = new AbortController()
    const { signal } = ended
    const limit = { clock, limit: TRANSFER_MS, signal, what: 'The transfer of a call' }
    try {
      await until(limit, () => transfer({ callSid: this.#callSid, destination, signal }))
    } catch (error) {
      onError(error, 'voice twilio transfer')
      ended.abort(error)
    }
  }

  #tell(message: object): void {
    this.#port.send(JSON.stringify({ ...message, streamSid: this.#stream }))
  }

  #frame(frame: object): void {
    this.#call?.frame(JSON.stringify(frame))
  }

  #mark(done: boolean): void {
    const { at, id } = this.#piece
    const name = String(++this.#count)
    this.#marks.set(name, { id, played_ms: at, done })
    this.#piece = { ...this.#piece, marked: at }
    this.#tell({ event: 'mark', mark: { name } })
  }

  #returned(name: string): void {
    const sent = this.#marks.get(name)
    if (sent === undefined) return
    this.#marks.delete(name)
    this.#played = sent
    this.#frame({ type: 'mark', ...sent })
  }

  #sendKeys(): void {
    this.#stopKeys()
    if (this.#keys !== '')
      this.#frame({ type: 'dtmf', digits: this.#keys, id: `k${this.#from}-${++this.#count}` })
    this.#keys = ''
  }

  #key(digit: string): void {
    this.#keys += digit
    this.#stopKeys()
    if (digit === '#' || this.#keys.length >= MOST_KEYS) this.#sendKeys()
    else this.#stopKeys = this.#parts.clock.schedule(NEXT_KEY, () => this.#sendKeys())
  }

  /** A call that cannot be heard would last as long as its caller waits. */
  #refuse(): void {
    this.#parts.onError(new Error(UNREADABLE_START), 'voice twilio')
    this.#port.close(CLOSE_CODES.flooding, CLOSE_TEXTS.flooding)
  }

  #begin({ callSid, customParameters, streamSid }: Started): void {
    this.#stream = streamSid
    this.#callSid = callSid
    const { from: fromNumber, to: toNumber } = customParameters ?? {}
    const numbers = { ...(fromNumber && { fromNumber }), ...(toNumber && { toNumber }) }
    this.#opening = this.#open(this, callSid, numbers)
      .then(opened => this.#goOn(opened))
      .catch(error => {
        this.#parts.onError(error, 'voice twilio')
        this.#port.close(CLOSE_CODES.internal, CLOSE_TEXTS.internal)
      })
  }

  #goOn(opened: OpenedStream | null): void {
    if (opened === null) {
      this.#port.close(CLOSE_CODES.ended, CLOSE_TEXTS.ended)
      return
    }
    const { call, elapsedMs, heard, id } = opened
    if (this.#isOver) {
      call.closed()
      return
    }
    this.#call = call
    this.#from = Math.min(elapsedMs, LAST_MS)
    this.#frame({ type: 'voice.start', rate: UP_RATE, call: id, ...(heard === null ? {} : { heard }) })
  }

  #started(fromMs: number): void {
    this.#frame({ type: 'audio.from', at_ms: Math.max(fromMs, this.#from) })
    this.#isLive = true
    for (const payload of this.#early.splice(0)) this.#hear(payload)
  }

  #hear(payload: string): boolean {
    if (!this.#isLive) {
      if (this.#early.length < MOST_EARLY) this.#early.push(payload)
      return true
    }
    const sound = bytesOf(this.#up(fromMuLaw(Buffer.from(payload, 'base64'))))
    const joined = new Uint8Array(this.#rest.length + sound.length)
    joined.set(this.#rest)
    joined.set(sound, this.#rest.length)
    const whole = joined.length - (joined.length % UP_BYTES)
    this.#rest = joined.slice(whole)
    return this.#call === null || whole === 0 || this.#call.audio(joined.subarray(0, whole))
  }
}

type Message = z.output<typeof messageSchema> | { readonly event: 'unreadable start' }

const startSchema = z.object({ event: z.literal('start') })

/** Returns null for what cannot be read. */
function readMessage(text: string): Message | null {
  try {
    const json: unknown = JSON.parse(text)
    const { data = null } = messageSchema.safeParse(json)
    return data ?? (startSchema.safeParse(json).success ? { event: 'unreadable start' } : null)
  } catch {
    return null
  }
}
