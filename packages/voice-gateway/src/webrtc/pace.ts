import { FRAME_MS } from './playout.ts'

/** Packets that are sent at once after the process stood still. What is later is left out. */
const CATCH_UP = 5

/** The packets of a call that are due: RTP counts time also while nothing is sent. */
export interface Pace {
  /** The time at which the first packet was due. */
  readonly startedAt: number
  /** Packets that were due so far. */
  readonly frames: number
}

/** Returns the numbers of the packets that are due now. Those that are far too late are passed over. */
export function duePackets(pace: Pace, now: number): readonly [Pace, readonly number[]] {
  const due = Math.floor((now - pace.startedAt) / FRAME_MS) + 1
  if (due <= pace.frames) return [pace, []]
  const first = Math.max(pace.frames, due - CATCH_UP)
  const numbers = Array.from({ length: due - first }, (_, at) => first + at)
  return [{ ...pace, frames: due }, numbers]
}

/** The time at which the next packet is due. */
export const nextDue = ({ frames, startedAt }: Pace): number => startedAt + frames * FRAME_MS
