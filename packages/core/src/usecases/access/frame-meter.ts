import { chargeTokens, type RateLimit, type TokenBucket } from '../../domain/access/token-bucket.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'
import type { Clock } from '../../ports/clock.ts'
import { createLastUsed } from '../shared/last-used.ts'

/**
 * The treatment of a frame. `read`: it is read. `refused`: it is not, because its sender has sent too much. `flooding`:
 * its sender goes on although nothing is read, and has to be closed.
 */
export type Metered = 'read' | 'refused' | 'flooding'

/** Counts frames by number and bytes, before anything else is done with them (MS92). In this process. */
export interface FrameMeter {
  /** Counts a frame of that key, whatever comes of it. */
  count(key: string, frame: string): Metered
}

/** The limits of incoming frames. Null allows any amount. */
export interface FrameLimits {
  readonly frames: RateLimit | null
  readonly bytes: RateLimit | null
}

/** Keys whose buckets are remembered. */
const MOST_KEYS = 10_000

/**
 * Counts frames with two token buckets per key: one of frames, and one of bytes. A frame is read while both have
 * something left, so that one frame may be as large as frames may be. Unread frames are counted too: a sender who owes
 * as much as a bucket holds has sent twice of it without a pause.
 */
export function createFrameMeter(
  { frames, bytes }: FrameLimits,
  clock: Pick<Clock, 'monotonic'>,
): FrameMeter {
  const counter = (limit: RateLimit | null): ((key: string, cost: number) => Metered) => {
    if (limit === null) return () => 'read'
    const buckets = createLastUsed<string, TokenBucket>(MOST_KEYS)
    return (key, cost) => {
      const bucket = chargeTokens(buckets.get(key) ?? null, limit, clock.monotonic(), cost)
      buckets.set(key, bucket)
      if (bucket.tokens + cost > 0) return 'read'
      return bucket.tokens > -limit.burst ? 'refused' : 'flooding'
    }
  }
  const byNumber = counter(frames)
  const byBytes = counter(bytes)
  return {
    count(key, frame) {
      const found = [byNumber(key, 1), byBytes(key, utf8Bytes(frame))]
      return found.includes('flooding') ? 'flooding' : found.includes('refused') ? 'refused' : 'read'
    },
  }
}
