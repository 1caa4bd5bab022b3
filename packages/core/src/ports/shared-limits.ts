import type { RateLimit } from '../domain/access/token-bucket.ts'

/** The result of an attempt to take a token out of a shared bucket. */
export interface SharedTake {
  /** Whether a token was taken. */
  readonly taken: boolean
  /** The number of remaining tokens, in fractions. Less than 1 if none was taken. */
  readonly tokens: number
}

/** One holder's place among those of something. */
export interface Place {
  /** The thing that has the places, for example `session:<id>`. */
  readonly of: string
  /** The holder of this one. No other place, in any process, has the same holder. */
  readonly holder: string
}

/** The terms of holding a place. */
export interface PlaceTerms {
  /** The number of places. */
  readonly most: number
  /** The time that the place is held unless it is renewed, milliseconds. */
  readonly lease: number
}

/**
 * Counts rates and places for all processes that share it (LI1 to LI5). Plain data goes in and comes out.
 * It measures time on a clock of its own, the same for all processes. Unused things are forgotten automatically: a
 * bucket once it is full again, a place when its lease ends. Names of buckets, holders and things with places are any
 * text. They hold no secret.
 *
 * If it throws, rejects, or takes longer than `sharedLimitsTimeout`, the process counts for itself until it answers
 * again (LI12).
 */
export interface SharedLimits {
  /**
   * Takes one token. Concurrent processes never get the same token: over any span at most `burst` + `perSecond` × span
   * are taken. An attempt that gets none changes nothing.
   */
  take(bucket: string, limit: RateLimit): Promise<SharedTake>
  /** Returns the number of tokens in the bucket, in fractions. Takes none. */
  peek(bucket: string, limit: RateLimit): Promise<number>
  /**
   * Takes a place; false when all are held. A holder that has one already keeps it, and its lease begins again.
   * Concurrent holders never get more places than there are.
   */
  hold(place: Place, terms: PlaceTerms): Promise<boolean>
  /** Begins the leases of these places again. One that was lost meanwhile is held again, even beyond `most`. */
  renew(places: readonly Place[], lease: number): Promise<void>
  /** Releases a place at once. Does nothing when it is not held. */
  release(place: Place): Promise<void>
}

/**
 * The host's shared limits for use cases. They never fail: null, or a promise of null, means that they are unavailable
 * and this process counts for itself.
 */
export interface GuardedLimits {
  take(bucket: string, limit: RateLimit): Promise<SharedTake | null> | null
  peek(bucket: string, limit: RateLimit): Promise<number | null> | null
  hold(place: Place, terms: PlaceTerms): Promise<boolean | null> | null
  /** Resolves also where they are away. */
  renew(places: readonly Place[], lease: number): Promise<void>
  release(place: Place): void
  /** A place of a new holder. */
  placeOf(of: string): Place
}
