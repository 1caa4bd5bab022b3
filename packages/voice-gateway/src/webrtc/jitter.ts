import { RTP_RATE } from './opus-packet.ts'
import { FRAME_MS } from './playout.ts'

/** A packet of audio. */
export interface AudioPacket {
  /** 16 bits. */
  readonly sequence: number
  /** 32 bits. */
  readonly timestamp: number
  /** The stream that it is of. */
  readonly ssrc: number
  readonly payload: Uint8Array
  /** Its duration, samples of 48,000 a second. */
  readonly samples: number
}

/** Audio in its order: a packet, or silence in place of one that was lost or not sent. */
export type Heard =
  | { readonly type: 'packet'; readonly payload: Uint8Array }
  | { readonly type: 'silence'; readonly ms: number }

/** Packets that are brought into their order. */
export interface Jitter {
  readonly ssrc: number | null
  /** The packet that comes next, and its time. */
  readonly sequence: number
  readonly timestamp: number
  /** Packets that came too early, oldest first. */
  readonly early: readonly { readonly packet: AudioPacket; readonly at: number }[]
  /** Packets in a row that came too late: many of them are a stream that began again. */
  readonly late: number
  /** Silence that was heard for the time in which nothing came, milliseconds. */
  readonly filled: number
  /** Time without a packet, as far as one could have been read, milliseconds. */
  readonly quiet: number
}

/** Times are milliseconds. */
export const JITTER = {
  /** A packet is waited for so long. */
  patience: 60,
  /** Packets that may wait for an earlier one. */
  early: 25,
  /** The longest silence in place of what was lost. */
  longestGap: 1_000,
  /** After so long without a packet, silence is heard: a client that sends nothing while nobody speaks. */
  starved: 200,
  /** Packets out of order that make a new stream. */
  restart: 25,
} as const

export const NO_PACKETS: Jitter = {
  ...{ ssrc: null, sequence: 0, timestamp: 0, early: [], late: 0, filled: 0, quiet: 0 },
}

/** The distance between two numbers that wrap, from the nearer side. */
const distance = (from: number, to: number, bits: 16 | 32): number => {
  const size = 2 ** bits
  const ahead = (((to - from) % size) + size) % size
  return ahead < size / 2 ? ahead : ahead - size
}

const MS = RTP_RATE / 1_000

/** Hears the packet that is next, and silence for the time before it. */
function hear(jitter: Jitter, packet: AudioPacket): readonly [Jitter, readonly Heard[]] {
  const missing = distance(jitter.timestamp, packet.timestamp, 32) / MS
  const gap = Math.round(Math.min(Math.max(0, missing - jitter.filled), JITTER.longestGap))
  const next = {
    ...jitter,
    sequence: (packet.sequence + 1) % 2 ** 16,
    timestamp: (packet.timestamp + packet.samples) % 2 ** 32,
    ...{ late: 0, filled: 0 },
  }
  const heard: Heard = { type: 'packet', payload: packet.payload }
  return [next, gap > 0 ? [{ type: 'silence', ms: gap }, heard] : [heard]]
}

/**
 * Hears the early packets whose turn it is, and those that have waited long enough: what is missing before them is
 * lost.
 */
function release(jitter: Jitter, now: number): readonly [Jitter, readonly Heard[]] {
  let state = jitter
  const heard: Heard[] = []
  for (let [first] = state.early; first !== undefined; [first] = state.early) {
    const isDue = now - first.at >= JITTER.patience || state.early.length > JITTER.early
    if (!isDue && first.packet.sequence !== state.sequence) break
    const [next, more] = hear(state, first.packet)
    heard.push(...more)
    state = { ...next, early: state.early.slice(1) }
  }
  return [state, heard]
}

/** Starts with a packet, also after a stream that has ended. */
const begin = (packet: AudioPacket): Jitter => ({
  ...NO_PACKETS,
  ssrc: packet.ssrc,
  sequence: packet.sequence,
  timestamp: packet.timestamp,
})

/** Takes a packet as it arrives. What came before, or twice, is dropped. */
export function takePacket(
  jitter: Jitter,
  packet: AudioPacket,
  now: number,
): readonly [Jitter, readonly Heard[]] {
  if (jitter.ssrc !== packet.ssrc) return hear(begin(packet), packet)
  const ahead = distance(jitter.sequence, packet.sequence, 16)
  if (ahead < 0) {
    const late = jitter.late + 1
    return late < JITTER.restart ? [{ ...jitter, late }, []] : hear(begin(packet), packet)
  }
  const here = { ...jitter, quiet: 0 }
  if (ahead === 0) {
    const [next, heard] = hear(here, packet)
    const [last, more] = release(next, now)
    return [last, [...heard, ...more]]
  }
  if (here.early.some(one => one.packet.sequence === packet.sequence)) return [here, []]
  const early = [...here.early, { packet, at: now }].toSorted(
    (one, other) =>
      distance(here.sequence, one.packet.sequence, 16) - distance(here.sequence, other.packet.sequence, 16),
  )
  return release({ ...here, early }, now)
}

/**
 * Lets time pass: gives up packets that are lost, and hears silence where nothing comes.
 *
 * @param ms since the last time
 */
export function tickJitter(jitter: Jitter, now: number, ms: number): readonly [Jitter, readonly Heard[]] {
  if (jitter.ssrc === null) return [jitter, []]
  if (jitter.early.length > 0) return release(jitter, now)
  // After a pause of the process packets are there, and unread: it was no silence.
  const silent = Math.min(ms, FRAME_MS)
  const next = { ...jitter, quiet: jitter.quiet + silent }
  if (next.quiet < JITTER.starved) return [next, []]
  return [{ ...next, filled: next.filled + silent }, [{ type: 'silence', ms: silent }]]
}
