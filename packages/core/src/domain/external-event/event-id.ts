import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { TurnId } from '../ids.ts'

/** Characters of an id: 160 bits of the hash. */
const LENGTH = 40

/**
 * Returns the id of an external event that a turn expects for a purpose. It is the same in each attempt at the turn, so
 * an external system that got it from the first attempt can use it for the others (EX21). Without the turn's random id
 * it cannot be guessed.
 */
export const externalEventId = (turnId: TurnId, purpose: string): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(['external event', turnId, purpose])))).slice(0, LENGTH)
