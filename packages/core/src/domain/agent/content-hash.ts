import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../canonical-json.ts'
import type { ContentTree, Resource } from './content.ts'

const MODULUS = 1n << 256n

const toHex = (sum: bigint): string => sum.toString(16).padStart(64, '0')

function resourceDigest(resource: Resource): bigint {
  const text = `${resource.kind}/${resource.id}\n${canonicalJson(resource.value)}`
  return sha256(utf8ToBytes(text)).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

const sumOf = (resources: Iterable<Resource>): bigint =>
  [...resources].reduce((sum, resource) => sum + resourceDigest(resource), 0n)

/** The hash of no content at all. */
const EMPTY_CONTENT_HASH = toHex(0n)

/**
 * Returns the hash of content that differs from the content of `hash` by the resources `removed` and `added`; a changed
 * resource is in both. 64 hexadecimal digits: the sum, modulo 2^256, of the SHA-256 of every resource. So it costs what
 * changed, not the size of the content, and equal contents have equal hashes, however they came about.
 */
export function advanceContentHash(
  hash: string,
  removed: Iterable<Resource>,
  added: Iterable<Resource>,
): string {
  const sum = BigInt(`0x${hash}`) - sumOf(removed) + sumOf(added)
  return toHex(((sum % MODULUS) + MODULUS) % MODULUS)
}

/** Returns the hash of a whole content tree. */
export const contentHash = (tree: ContentTree): string =>
  advanceContentHash(EMPTY_CONTENT_HASH, [], tree.values())
