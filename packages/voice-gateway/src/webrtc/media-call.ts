import type { Clock } from '@colloquy/core'
import { UP_BYTES, UP_RATE } from '../audio/pcm.ts'
import type { Call, CallLine } from '../call/call.ts'
import type { ServerFrame } from '../domain/frames.ts'
import { count, NONE_YET } from '../domain/per-second.ts'
import type { Beats } from './beats.ts'
import { type AudioPacket, type Heard, NO_PACKETS, takePacket, tickJitter } from './jitter.ts'
import type { MediaOptions } from './media-options.ts'
import { type OpusCodec, openOpus } from './opus.ts'
import { RTP_RATE } from './opus-packet.ts'
import { duePackets, nextDue, type Pace } from './pace.ts'
import { type AudioPeer, openPeer, type PeerListener } from './peer.ts'
import {
  beginPlaying,
  endPlaying,
  FRAME_MS,
  NOTHING_TO_PLAY,
  nextFrame,
  play,
  type SentMark,
  stopPlaying,
} from './playout.ts'
import type { SignalProblem } from './signal.ts'

/** The parts of a gateway that the audio of calls needs. */
export interface MediaParts {
  readonly clock: Clock
  readonly beats: Beats
  readonly onError: (error: unknown, where: string) => void
  readonly media: MediaOptions
  /** The longest time without a packet, milliseconds. */
  readonly silentMedia: number
  /** Opens a connection. @default over UDP */
  readonly peer?: (media: MediaOptions, listener: PeerListener) => AudioPeer
}

/** The party that learns what becomes of a call. */
export interface MediaListener {
  connected(): void
  /** Told once, when nothing of the call is left. Null for a call that ended as it should. */
  ended(problem: SignalProblem | null): void
}

/** Packets of a client in a second: four times those of the shortest frames that browsers send. */
const PACKETS_PER_SECOND = 400

const failure = (message: string): SignalProblem => ({ code: 'MEDIA_BRIDGE_FAILURE', message })
const AGENT_FAILED = { code: 'AGENT_FAILURE', message: 'The agent could not be reached.' } as const

/**
 * Translates between packets of Opus and a call's frames. Sound for the visitor leaves at the pace at which it is
 * heard, so what was sent is what was heard. Without a call the visitor hears themselves.
 */
export class MediaCall implements CallLine {
  readonly #parts: MediaParts
  readonly #listener: MediaListener
  /** Null for an echo. */
  readonly #open: ((line: CallLine) => Promise<Call>) | null
  readonly #peer: AudioPeer
  #codec: OpusCodec | null = null
  #call: Call | null = null
  #opening: Promise<void> = Promise.resolve()
  /** The call takes audio. */
  #isLive = false
  /** Too much waits for the transcriber: what comes meanwhile is silence. */
  #isFull = false
  #isConnected = false
  /** No more packets, either way. */
  #isStopped = false
  #isOver = false
  #problem: SignalProblem | null = null
  #jitter = NO_PACKETS
  #rest: Uint8Array = new Uint8Array()
  #playout = NOTHING_TO_PLAY
  #pace: Pace = { startedAt: 0, frames: 0 }
  #sequence = 0
  #wasSilent = true
  #heardAt = 0
  #packets = NONE_YET
  #stopTicks = (): void => {}

  constructor(parts: MediaParts, listener: MediaListener, open: ((line: CallLine) => Promise<Call>) | null) {
    this.#parts = parts
    this.#listener = listener
    this.#open = open
    const { media, peer = openPeer } = parts
    this.#peer = peer(media, {
      connected: () => this.#connected(),
      packet: packet => this.#packet(packet),
      closed: () => this.stop(this.#isConnected ? null : failure('The connection has failed.')),
    })
  }

  get #now(): number {
    return this.#parts.clock.monotonic()
  }

  /** Answers an offer. @throws TypeError for one that cannot be answered */
  answer(sdp: string): ReturnType<AudioPeer['answer']> {
    return this.#peer.answer(sdp)
  }

  /** Ends the audio. What was being said still counts, and the call ends behind it. */
  stop(problem: SignalProblem | null): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#problem = problem
    this.#stopTicks()
    this.#peer.close().catch(error => this.#parts.onError(error, 'voice webrtc'))
    this.#codec?.close()
    this.#codec = null
    if (this.#isLive && this.#call !== null) this.#frame({ type: 'voice.stop' })
    else {
      // A call that has not begun would take no frame.
      this.#call?.closed()
      this.#end()
    }
  }

  /** Ends everything at once. */
  abort(): void {
    this.stop(null)
    this.#call?.closed()
    this.#end()
  }

  async settled(): Promise<void> {
    await this.#opening
    await this.#call?.settled()
  }

  send(frame: ServerFrame): void {
    switch (frame.type) {
      case 'voice.started':
        this.#isLive = true
        break
      case 'audio.begin':
        this.#playout = beginPlaying(this.#playout, frame.id, frame.from_ms)
        break
      case 'audio.end':
        this.#playout = endPlaying(this.#playout)
        break
      case 'clear': {
        this.#playout = stopPlaying(this.#playout)
        const { done = false, id = '', played_ms = 0 } = this.#playout.newest ?? {}
        this.#frame({ type: 'mark', id, played_ms, done, cleared: true })
        break
      }
      default:
        break
    }
  }

  sound(bytes: Uint8Array): void {
    this.#playout = play(this.#playout, bytes)
  }

  close(code: number, reason: string): void {
    this.#call = null
    this.stop(code === 1000 ? null : { code: 'AGENT_FAILURE', message: `The call was ended: ${reason}.` })
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#playout = NOTHING_TO_PLAY
    this.#listener.ended(this.#problem)
  }

  #frame(frame: object): void {
    this.#call?.frame(JSON.stringify(frame))
  }

  #connected(): void {
    if (this.#isStopped || this.#isConnected) return
    this.#isConnected = true
    this.#heardAt = this.#now
    this.#pace = { startedAt: this.#now, frames: 0 }
    this.#listener.connected()
    this.#stopTicks = this.#parts.beats.begin(() => this.#tick())
    if (this.#open === null) return
    this.#codec = openOpus()
    this.#opening = this.#open(this)
      .then(call => {
        if (this.#isStopped) {
          call.closed()
          return
        }
        this.#call = call
        this.#frame({ type: 'voice.start', rate: UP_RATE })
      })
      .catch(error => {
        this.#parts.onError(error, 'voice webrtc')
        this.stop(AGENT_FAILED)
      })
  }

  /** Sends what is due. Returns the moment at which more is. */
  #tick(): number {
    const now = this.#now
    const { silentMedia } = this.#parts
    if (now - this.#heardAt >= silentMedia) {
      this.stop(failure(`No audio has come for ${silentMedia} milliseconds.`))
      return now
    }
    const [pace, due] = duePackets(this.#pace, now)
    const elapsed = (pace.frames - this.#pace.frames) * FRAME_MS
    this.#pace = pace
    if (this.#isLive) {
      const [jitter, heard] = tickJitter(this.#jitter, now, elapsed)
      this.#jitter = jitter
      for (const one of heard) this.#hear(one)
    }
    for (const number of due) this.#send(number)
    return nextDue(pace)
  }

  /** Sends the packet with that number, if there is sound for it. Its time goes on also where there is none. */
  #send(number: number): void {
    const [playout, { marks, sound }] = nextFrame(this.#playout)
    this.#playout = playout
    if (sound !== null && this.#codec !== null)
      this.#emit(this.#codec.encode(sound), (number * FRAME_MS * RTP_RATE) / 1_000)
    else this.#wasSilent = true
    for (const mark of marks) this.#mark(mark)
  }

  #emit(payload: Uint8Array, timestamp: number): void {
    const sequence = this.#sequence
    this.#sequence = (sequence + 1) % 2 ** 16
    this.#peer.send({ sequence, timestamp: timestamp % 2 ** 32, isFirst: this.#wasSilent, payload })
    this.#wasSilent = false
  }

  #mark(mark: SentMark): void {
    this.#frame({ type: 'mark', ...mark })
  }

  #packet(packet: AudioPacket): void {
    // After a pause of the process packets of all calls are read before any timer has its turn.
    this.#parts.beats.catchUp()
    const now = this.#now
    this.#packets = count(this.#packets, now)
    if (this.#isStopped || this.#packets.count > PACKETS_PER_SECOND) return
    this.#heardAt = now
    if (this.#open === null) this.#emit(packet.payload, packet.timestamp)
    else if (this.#isLive) {
      const [jitter, heard] = takePacket(this.#jitter, packet, now)
      this.#jitter = jitter
      for (const one of heard) this.#hear(one)
    }
  }

  #hear(heard: Heard): void {
    const sound =
      heard.type === 'packet' ? this.#codec?.decode(heard.payload) : new Uint8Array(heard.ms * UP_BYTES)
    const call = this.#call
    if (!sound || call === null || this.#isFull) return
    const joined = this.#rest.length === 0 ? sound : Buffer.concat([this.#rest, sound])
    const whole = joined.length - (joined.length % UP_BYTES)
    this.#rest = joined.slice(whole)
    if (whole === 0 || call.audio(joined.subarray(0, whole))) return
    this.#isFull = true
    void call.settled().finally(() => {
      this.#isFull = false
    })
  }
}
