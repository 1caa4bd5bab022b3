import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64, toBase64 } from '../base64.ts'
import { type Brand, brandedHeader } from '../brand.ts'
import type { WebhookEventId } from '../ids.ts'
import { sentAtOf } from './exchange.ts'
import type { WebhookEndpoint, WebhookEvent } from './webhook.ts'

const PREFIX = 'whsec_'

/** Returns a signing secret in the form of the Standard Webhooks specification: `whsec_<base64>`. */
export const composeWebhookSecret = (random: string): string => `${PREFIX}${toBase64(utf8ToBytes(random))}`

const sign = (secret: string, content: Uint8Array): string =>
  `v1,${toBase64(hmac(sha256, fromBase64(secret.slice(PREFIX.length)), content))}`

/** Returns the secrets that sign now: after a rotation both, the new one first. */
const secretsAt = ({ secret, previousSecret }: WebhookEndpoint, now: number): readonly string[] =>
  previousSecret !== null && now < previousSecret.until ? [secret, previousSecret.secret] : [secret]

/** Returns the names of the brand's own three headers, by what each holds. */
export const brandedHeaders = (brand: Brand) =>
  ({
    timestamp: brandedHeader(brand, 'Timestamp'),
    signature: brandedHeader(brand, 'Signature'),
    eventId: brandedHeader(brand, 'Event-ID'),
  }) as const

/** One value in lower-case hexadecimal, whose key is the whole secret as text; an earlier secret signs nothing here. */
const brandedSignature = (secret: string, timestamp: string, body: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${timestamp}.${body}`)))

/**
 * Returns the headers of a request that may be shown: neither a signature nor one of the endpoint's own, which may hold
 * its receiver's password.
 *
 * @param timestamp seconds; null while nothing was sent
 */
export function shownHeaders(
  eventId: WebhookEventId,
  brand: Brand,
  timestamp: number | null,
): Readonly<Record<string, string>> {
  const branded = brandedHeaders(brand)
  const times =
    timestamp === null
      ? {}
      : { 'webhook-timestamp': String(timestamp), [branded.timestamp]: String(timestamp) }
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': eventId,
    [branded.eventId]: eventId,
    ...times,
  }
}

/**
 * Returns the headers of a request: the endpoint's own, those of the Standard Webhooks specification, and the brand's
 * (contract/webhooks.md, Signature). Nothing of the endpoint's replaces one of ours. The time is that of the attempt.
 */
export function signedHeaders(
  event: Pick<WebhookEvent, 'id' | 'body'>,
  endpoint: WebhookEndpoint,
  brand: Brand,
  now: number,
): Readonly<Record<string, string>> {
  const seconds = sentAtOf(now) / 1000
  const timestamp = String(seconds)
  const content = utf8ToBytes(`${event.id}.${timestamp}.${event.body}`)
  const branded = brandedHeaders(brand)
  const ours = {
    ...shownHeaders(event.id, brand, seconds),
    'webhook-signature': secretsAt(endpoint, now)
      .map(secret => sign(secret, content))
      .join(' '),
    [branded.signature]: brandedSignature(endpoint.secret, timestamp, event.body),
  }
  const taken = new Set(Object.keys(ours).map(name => name.toLowerCase()))
  const own = Object.entries(endpoint.headers).filter(([name]) => !taken.has(name.toLowerCase()))
  return { ...Object.fromEntries(own), ...ours }
}
