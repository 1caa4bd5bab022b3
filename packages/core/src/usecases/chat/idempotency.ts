import * as z from 'zod'
import { hashSecret } from '../../domain/access/secret.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Json } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'

/** The time for which a key stands for its request, milliseconds (TC30). */
const PERIOD = 86_400_000

/** A key as callers choose it; such as a UUID. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 visible ASCII characters without blanks')

/** Returns the latest time of use that has expired. A key used then or before is free. */
export const freeUntil = (now: number): number => now - PERIOD

/** Reports whether what was done under a key at that time still counts. */
export const isInPeriod = (at: number, now: number): boolean => at > freeUntil(now)

/** Returns the SHA-256 of a request's content, to compare requests. */
export const requestHash = (said: Json): string => hashSecret(canonicalJson(said))

/** Returns the error for a key that was used for another request before. */
export const keyReused = (): PlatformError =>
  new PlatformError(
    'IDEMPOTENCY_KEY_REUSED',
    'The Idempotency-Key was used for another request within 24 hours. Use a new key for each request.',
  )

/**
 * Returns the id of the chat that a connector's key begins. It is the same for each retry, in every process, so that
 * one of several at once begins the chat. `generation` grows by one each time that the key is used again after its
 * period.
 */
export function chatIdOf(connectorId: string, key: string, generation: number): string {
  const hash = hashSecret(JSON.stringify([connectorId, key, generation]))
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 16),
    hash.slice(16, 20),
    hash.slice(20, 32),
  ]
  return `CONV-${parts.join('-')}`
}

/** Returns the key under which a store knows a connector's key of a message. */
export const messageKeyOf = (connectorId: string, key: string): string =>
  hashSecret(JSON.stringify([connectorId, key]))

/** Returns the client event id of a message under a connector's key. */
export const messageIdOf = (connectorId: string, key: string, generation: number): string =>
  `key-${hashSecret(JSON.stringify([connectorId, key, generation]))}`
