import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { CopySource } from '../../store/copies.ts'
import type { CopyPart } from './copy-counts.ts'
import { partText } from './part-text.ts'
import { COPY_PARTS, contentOf } from './walk-store.ts'

/** The number of parts of a kind in a store, and a hash over their content. */
export interface ContentDigest {
  readonly count: number
  /** SHA-256 in hex over the parts in the order of their keys. */
  readonly hash: string
}

/** A kind of part in two stores. */
export interface ComparedContent {
  readonly part: CopyPart
  readonly one: ContentDigest
  readonly other: ContentDigest
}

async function digestOf(parts: AsyncIterable<object>): Promise<ContentDigest> {
  const hash = sha256.create()
  let count = 0
  for await (const part of parts) {
    hash.update(utf8ToBytes(`${partText(part)}\n`))
    count++
  }
  return { count, hash: bytesToHex(hash.digest()) }
}

/** Options of a comparison. */
export interface CompareOptions {
  /** Called with each kind of part after its comparison. */
  readonly onProgress?: (compared: ComparedContent) => void
}

/** Reads two stores, or exports of them, wholly and tells of each kind of part whether they hold the same (CY4). */
export async function compareStores(
  { copies: one }: Pick<CopySource, 'copies'>,
  { copies: other }: Pick<CopySource, 'copies'>,
  { onProgress = () => {} }: CompareOptions = {},
): Promise<readonly ComparedContent[]> {
  const found: ComparedContent[] = []
  for (const part of COPY_PARTS) {
    const [mine, theirs] = await Promise.all([
      digestOf(contentOf(one, part)),
      digestOf(contentOf(other, part)),
    ])
    const compared = { part, one: mine, other: theirs }
    found.push(compared)
    onProgress(compared)
  }
  return found
}
