import type { AccountId } from '../../domain/ids.ts'
import type { Voice, VoiceId } from '../../domain/voice/voice.ts'
import type { Outbox } from './outbox.ts'

/**
 * Voices that accounts have added to their libraries. Every method reads or writes at one instant; values are copied in
 * and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface VoiceStore {
  /** `taken` when the id exists, else `full` when the account has `limit` voices or more; nothing is written then. */
  create(voice: Voice, limit: number, outbox?: Outbox): Promise<'created' | 'full' | 'taken'>
  /** Null when the account has no voice of that id. */
  find(accountId: AccountId, id: VoiceId): Promise<Voice | null>
  /** Returns all voices of the account: oldest first, then by the code points of the id. */
  list(accountId: AccountId): Promise<readonly Voice[]>
  /** Replaces the voice. Of two writers with the same expected version one wins; `stale` also when it is not there. */
  update(expectedVersion: number, next: Voice, outbox?: Outbox): Promise<'written' | 'stale'>
}
