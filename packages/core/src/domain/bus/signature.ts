import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { sameHash } from '../access/secret.ts'

/** Bytes of a signature: 128 bits. */
const LENGTH = 16

/** Signs texts with a key of the deployment, and checks such signatures (NT37). */
export interface Signer {
  sign(text: string): string
  /** Takes as long for a wrong signature as for the right one. */
  isSigned(text: string, signature: string): boolean
}

/** Makes another secret of a secret, for one use of it: from neither can the other uses' be learnt. */
export const derivedSecret = (secret: string, use: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(use)))

/** Signs with HMAC of SHA-256. The key's part of the work is done once. */
export function createSigner(secret: string): Signer {
  const keyed = hmac.create(sha256, utf8ToBytes(secret))
  const sign = (text: string): string =>
    bytesToHex(keyed.clone().update(utf8ToBytes(text)).digest().subarray(0, LENGTH))
  return { sign, isSigned: (text, signature) => sameHash(sign(text), signature) }
}
