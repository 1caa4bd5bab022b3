import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { TurnId } from '../ids.ts'

/** Characters of an id: 160 bits of the hash. */
const LENGTH = 40

/**
 * The id of an external event that a turn expects for a purpose: the same in each attempt at the turn, so that what an
 * outside system was told by the first one holds for the others (EX22). Without the turn's random id it cannot be
 * guessed.
 */
export const externalEventId = (turnId: TurnId, purpose: string): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(['external event', turnId, purpose])))).slice(0, LENGTH)
