import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Largest difference of a request's time from the receiver's, seconds. Older requests may be copies made by an
 * eavesdropper.
 */
const TOLERANCE = 300

/** Fewest bytes of a key that is worth the name. */
const KEY_BYTES = 24

/** The headers of a signed request (standardwebhooks.com). */
export interface SignatureHeaders {
  readonly 'webhook-id': string
  /** Seconds since the epoch. */
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** Fields that are signed. A request has the same id each time it is sent. */
export interface Unsigned {
  /** Letters, digits, `_` and `-`. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly body: string
}

/** The key of a secret `whsec_<base64>`. @throws Error when it is invalid, or too short to be safe */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (secret.startsWith('whsec_') && key.length >= KEY_BYTES) return key
  throw new Error(`A secret is "whsec_" and at least ${KEY_BYTES} bytes in base64.`)
}

const digest = (key: Buffer, id: string, timestamp: string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()

/** Signs requests with a secret. @throws Error for an invalid secret */
export function createSigner(secret: string): (request: Unsigned) => SignatureHeaders {
  const key = keyOf(secret)
  return ({ id, at, body }) => {
    const timestamp = String(Math.floor(at / 1_000))
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest(key, id, timestamp, body).toString('base64')}`,
    }
  }
}

/** Why a request is refused; null when it was signed with the secret, just now. */
export type Verify = (
  header: (name: keyof SignatureHeaders) => string | undefined,
  body: Uint8Array,
  now: number,
) => string | null

/**
 * Checks signatures over the bytes as they came, in constant time (WL2). Several signatures may stand in the
 * header, so that a secret can be exchanged.
 *
 * @throws Error for an invalid secret
 */
export function createVerifier(secret: string): Verify {
  const key = keyOf(secret)
  return (header, body, now) => {
    const id = header('webhook-id')
    const timestamp = header('webhook-timestamp')
    const signatures = header('webhook-signature')
    if (!id || !timestamp || !signatures)
      return 'A request needs the headers webhook-id, webhook-timestamp and webhook-signature.'
    const expected = digest(key, id, timestamp, body)
    const given = signatures.split(' ').map(one => Buffer.from(one.replace(/^v1,/, ''), 'base64'))
    const signed = given.filter(one => one.length === expected.length && timingSafeEqual(one, expected))
    if (signed.length === 0) return 'The signature does not fit the secret and the body.'
    // Behind the signature: only who has the secret is told anything about clocks.
    const age = now / 1_000 - Number(timestamp)
    if (Math.abs(age) <= TOLERANCE) return null
    return `The timestamp is ${Math.round(Math.abs(age))} s ${age > 0 ? 'old' : 'ahead'}; at most ${TOLERANCE} s are allowed.`
  }
}
