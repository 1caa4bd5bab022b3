import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ApiKeyKind } from './access.ts'

/** Shortest secret that a host may bring, in characters. */
export const MIN_SECRET_LENGTH = 16

/** Characters that are shown of a secret, and how many must stay unseen. */
const SHOWN = 8
const HIDDEN = 16

/** The second part of a generated secret: what it opens. */
const MARK: Readonly<Record<ApiKeyKind | 'connector' | 'context', string>> = {
  workspace: 'ws',
  project: 'pj',
  external_events: 'ev',
  desk: 'dk',
  operator: 'op',
  connector: 'cn',
  context: 'cx',
}

/** `cq_<kind>_<random>`: a new secret, recognisable to people and to scanners for leaked secrets. */
export const composeSecret = (kind: ApiKeyKind | 'connector' | 'context', random: string): string =>
  `cq_${MARK[kind]}_${random}`

/**
 * SHA-256 of a secret in hexadecimal: the only form in which it is kept, and by which it is found (CR6). A store finds
 * it through an index, which does not take the same time for every hash. That leaks nothing useful: it only shows how
 * far the hash of a guess agrees with a stored hash, and it is infeasible to find a secret with a nearer hash, let
 * alone one of 190 random bits. The found hash is compared once more in constant time, see `sameHash`.
 */
export const hashSecret = (secret: string): string => bytesToHex(sha256(utf8ToBytes(secret)))

/** Returns the first 8 characters, or nothing when fewer than 16 would stay secret. */
export const secretPrefix = (secret: string): string =>
  secret.length >= SHOWN + HIDDEN ? secret.slice(0, SHOWN) : ''

/** Compares two texts of bytes. How long it takes does not depend on where they differ. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}

/** Compares two hashes in lower-case hexadecimal in constant time. */
export function sameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}
