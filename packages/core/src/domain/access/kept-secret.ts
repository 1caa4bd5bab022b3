import { fromBase64, toBase64 } from '../base64.ts'

/** The prefix of the text of an encrypted secret. No secret that the platform makes begins with it. */
const MARK = 'enc.v1.'

/** A secret as a store keeps it where the host gives a key: AES-256-GCM, under the key of that id. */
export interface Sealed {
  readonly keyId: string
  readonly nonce: Uint8Array
  readonly sealed: Uint8Array
}

/** Returns the text that a store keeps. */
export const sealedText = ({ keyId, nonce, sealed }: Sealed): string =>
  `${MARK}${keyId}.${toBase64(nonce)}.${toBase64(sealed)}`

/** Reads such a text; null for a secret that is kept as it is. */
export function readSealed(text: string): {
  readonly keyId: string
  readonly nonce: Uint8Array<ArrayBuffer>
  readonly sealed: Uint8Array<ArrayBuffer>
} | null {
  if (!text.startsWith(MARK)) return null
  const [keyId = '', nonce = '', sealed = ''] = text.slice(MARK.length).split('.')
  return { keyId, nonce: fromBase64(nonce), sealed: fromBase64(sealed) }
}
