import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { WebhookEndpoint, WebhookEvent } from './webhook.ts'

const PREFIX = 'whsec_'

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))

/** A signing secret in the form of the Standard Webhooks specification: `whsec_<base64>`. */
export const composeWebhookSecret = (random: string): string => `${PREFIX}${toBase64(utf8ToBytes(random))}`

const sign = (secret: string, content: Uint8Array): string =>
  `v1,${toBase64(hmac(sha256, fromBase64(secret.slice(PREFIX.length)), content))}`

/** The secrets that sign now: after a rotation both, the new one first. */
const secretsAt = ({ secret, previousSecret }: WebhookEndpoint, now: number): readonly string[] =>
  previousSecret !== null && now < previousSecret.until ? [secret, previousSecret.secret] : [secret]

/** The headers of a request as the Standard Webhooks specification wants them. The time is that of the attempt. */
export function signedHeaders(
  event: Pick<WebhookEvent, 'id' | 'body'>,
  endpoint: WebhookEndpoint,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000))
  const content = utf8ToBytes(`${event.id}.${timestamp}.${event.body}`)
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secretsAt(endpoint, now)
      .map(secret => sign(secret, content))
      .join(' '),
  }
}
