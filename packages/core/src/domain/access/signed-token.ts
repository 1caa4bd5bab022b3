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
    .replace(/={1,2}$/, '')

/** One character a byte. */
const binaryOf = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const NOT_ASCII = /[\x80-\xff]/

const encodePart = (part: object): string => toBase64Url(utf8ToBytes(JSON.stringify(part)))

const signature = (content: string, secret: string): Uint8Array =>
  hmac(sha256, utf8ToBytes(secret), utf8ToBytes(content))

/** True for a text with the form of a signed token. Its signature is not checked. */
export const looksSigned = (text: string): boolean => SHAPE.test(text)

/** Header and payload as a JSON Web Signature in its compact form (RFC 7515, 3.1). */
export function signToken(header: object, payload: object, secret: string): string {
  const content = `${encodePart(header)}.${encodePart(payload)}`
  return `${content}.${toBase64Url(signature(content, secret))}`
}

/** Returns the header or the payload of a text with the form of a token; undefined if that is not JSON in UTF-8. */
export function tokenPart(token: string, part: 'header' | 'payload'): unknown {
  try {
    const binary = binaryOf(token.split('.')[part === 'header' ? 0 : 1] ?? '')
    return JSON.parse(NOT_ASCII.test(binary) ? utf8.decode(bytesOf(binary)) : binary)
  } catch {
    return undefined
  }
}

/**
 * True when a text with the form of a token is signed with the secret. How long the check takes does not depend on how
 * much of the signature is right.
 */
export function isSignedWith(token: string, secret: string): boolean {
  const end = token.lastIndexOf('.')
  return sameBytes(bytesOf(binaryOf(token.slice(end + 1))), signature(token.slice(0, end), secret))
}
