import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { sameBytes } from './secret.ts'

/** The one algorithm of these tokens: HMAC with SHA-256 (RFC 7518, 3.2). */
export const TOKEN_ALGORITHM = 'HS256'

/**
 * Three parts of base64url, the last one of 32 bytes. The two unused bits of its last character must be zero: otherwise
 * four texts would encode one token.
 */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))

const encodePart = (part: object): string => toBase64Url(utf8ToBytes(JSON.stringify(part)))

const signature = (content: string, secret: Uint8Array): Uint8Array =>
  hmac(sha256, secret, utf8ToBytes(content))

/** True for a text with the form of a signed token. Its signature is not checked. */
export const looksSigned = (text: string): boolean => SHAPE.test(text)

/** Header and payload as a JSON Web Signature in its compact form (RFC 7515, 3.1). */
export function signToken(header: object, payload: object, secret: Uint8Array): string {
  const content = `${encodePart(header)}.${encodePart(payload)}`
  return `${content}.${toBase64Url(signature(content, secret))}`
}

/** The header or the payload of a text with the form of a token; undefined where that is not JSON in UTF-8. */
export function tokenPart(token: string, part: 'header' | 'payload'): unknown {
  try {
    const bytes = fromBase64Url(token.split('.')[part === 'header' ? 0 : 1] ?? '')
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * True when a text with the form of a token is signed with the secret. How long the check takes does not depend on how
 * much of the signature is right.
 */
export function isSignedWith(token: string, secret: Uint8Array): boolean {
  const end = token.lastIndexOf('.')
  return sameBytes(fromBase64Url(token.slice(end + 1)), signature(token.slice(0, end), secret))
}
