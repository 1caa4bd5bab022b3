import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** Namespace of the ids of chunks, a UUID of our own as bytes. */
const NAMESPACE = hexToBytes('6f1a3f0c0d5b4c7e9a52b8e4d1c73f96')

/**
 * Returns the id of a chunk: a UUID made of its message and its position there, from 1 (RFC 9562, version 5). Every
 * process, and every further sending, gives a chunk the same id: clients recognise by it what they have had
 * (contract/messaging.md, Streaming; MS29).
 */
export function chunkId(messageId: string, index: number): string {
  const name = utf8ToBytes(`${messageId}/${index}`)
  const hash = sha1(Uint8Array.of(...NAMESPACE, ...name))
  const hex = bytesToHex(hash.slice(0, 16))
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
