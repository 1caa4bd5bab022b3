import type { AgentId } from '../../domain/ids.ts'
import type { AudioOrder, CachedAudio, CachedAudioId } from '../../domain/voice/cached-audio.ts'
import type { Outbox } from './outbox.ts'

/** A sound with its description. */
export interface HeldAudio {
  readonly entry: CachedAudio
  /** A WAV. */
  readonly audio: Uint8Array
}

/** The page and the order of an agent's sounds. */
export interface AudioPage {
  /** Entries of the same value come by the code points of the id, upwards. */
  readonly order: AudioOrder
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

/**
 * The cache of agents' speech, which saves calls of the speech provider. Every method reads or writes at one instant.
 * Values are copied in and out. An `outbox` is kept with the write (see `Outbox`). `AgentStore` writes it too:
 * deleting an agent removes its sounds.
 *
 * `add` and `replace` keep to a bound of `limit` bytes. Of the account's sounds, the most recently used ones stay as
 * long as they fit together. They are counted from the newest `usedAt`, then from the last id in the order of code
 * points. The others are dropped. The sound that is written with the call counts first.
 */
export interface AudioCacheStore {
  /** `taken` when the id exists; nothing is written then. */
  add(held: HeldAudio, limit: number): Promise<'added' | 'taken'>
  /**
   * The sound, and counts that it was used: one more hit, at `at` unless it was used later. Null when it is not there.
   */
  use(id: CachedAudioId, at: number): Promise<HeldAudio | null>
  /** Null when the agent has no sound of that id. */
  find(agentId: AgentId, id: CachedAudioId): Promise<CachedAudio | null>
  /** The same, with its bytes. Not counted. */
  read(agentId: AgentId, id: CachedAudioId): Promise<HeldAudio | null>
  /** A page of the agent's sounds, and how many it has in all. */
  list(
    agentId: AgentId,
    page: AudioPage,
  ): Promise<{ readonly entries: readonly CachedAudio[]; readonly totalCount: number }>
  /**
   * Replaces the sound and its description, except for `usedAt` and `hitCount`, which stay as they are stored. Of two
   * writers with the same expected version one wins; `stale` also when it is not there.
   */
  replace(
    expectedVersion: number,
    next: HeldAudio,
    limit: number,
    outbox?: Outbox,
  ): Promise<'written' | 'stale'>
  /** False when the agent has no sound of that id. */
  remove(agentId: AgentId, id: CachedAudioId, outbox?: Outbox): Promise<boolean>
}
