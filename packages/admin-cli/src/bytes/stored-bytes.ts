import { createHash } from 'node:crypto'
import { contentOf, type Files } from '@colloquy/core'
import type { CopiedParts, CopyReads, CopySource } from '@colloquy/core/store'
import { recordingPartId } from '@colloquy/core/transport'
import { Failure } from '../failure.ts'

/** Kinds of bytes that belong to a store and are behind the port for files, in their order. */
export const BYTE_KINDS = ['file_bytes', 'recording_bytes'] as const
export type ByteKind = (typeof BYTE_KINDS)[number]

/** Bytes that a document of a store is about. */
export interface StoredBytes {
  /** The id behind the port. */
  readonly id: string
  /** Their media type. */
  readonly type: string
  readonly size: number
  /** The document, and the part of it. Bytes of a kind are ordered by it. */
  readonly key: readonly [id: string, part: number]
}

/** Reads bytes. Null if there are none. */
export type ReadBytes = (stored: StoredBytes) => Promise<AsyncIterable<Uint8Array> | null>

/** Bytes of a store: which ones, and how they are read. */
export interface ByteSource {
  readonly copies: CopyReads
  readonly read: ReadBytes
}

/** A store or an export that may be a source of bytes as well. */
export interface WithBytes extends CopySource {
  /** Null or nothing leaves the bytes of files out. */
  readonly read?: ReadBytes | null
}

async function* bytesOfFiles(copies: CopyReads): AsyncGenerator<StoredBytes> {
  for await (const file of contentOf(copies, 'conversation_file')) {
    const { id, size, type } = file as CopiedParts['conversation_file']
    yield { id, type, size, key: [id, 0] }
  }
}

async function* bytesOfRecordings(copies: CopyReads): AsyncGenerator<StoredBytes> {
  for await (const recording of contentOf(copies, 'call_recording')) {
    const { bytes, end, id, partBytes, parts } = recording as CopiedParts['call_recording']
    if (end === 'withdrawn') continue
    for (let part = 1; part <= parts; part++) {
      const size = part < parts ? partBytes : bytes - partBytes * (parts - 1)
      yield { id: recordingPartId(id, part), type: 'audio/pcm', size, key: [id, part] }
    }
  }
}

/** Returns all bytes of a kind that a store knows of, in the order of their keys. */
export const storedBytes = (copies: CopyReads, kind: ByteKind): AsyncIterable<StoredBytes> =>
  kind === 'file_bytes' ? bytesOfFiles(copies) : bytesOfRecordings(copies)

/** Time that the port has for one call, milliseconds. */
const PATIENCE = 60_000

/** Reads bytes behind a port. */
export const readPort =
  (files: Files): ReadBytes =>
  ({ id }) =>
    files.get({ id, signal: AbortSignal.timeout(PATIENCE) })

/** Returns bytes as one piece. @throws Failure if they are not as many as the store says */
async function wholeOf({ id, size }: StoredBytes, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const content = Buffer.alloc(size)
  let length = 0
  for await (const chunk of chunks) {
    if (length + chunk.length <= size) content.set(chunk, length)
    length += chunk.length
    if (length > size) break
  }
  if (length !== size) throw new Failure(`The bytes of ${id} are not the ${size} that the store says.`)
  return content
}

async function hashOf(chunks: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  if (chunks === null) return null
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Counts of bytes that were stored: as documents of a copy are counted. */
export interface ByteCounts {
  readonly part: ByteKind
  readonly same: number
  readonly copied: number
  readonly dropped: number
}

/** Removes the bytes that a target knows and its source does not, before the copy removes what names them. */
export async function dropBytes(from: CopyReads, target: CopyReads, files: Files): Promise<void> {
  const kept = new Set<string>()
  for (const kind of BYTE_KINDS) for await (const { id } of storedBytes(from, kind)) kept.add(id)
  for (const kind of BYTE_KINDS)
    for await (const { id } of storedBytes(target, kind))
      if (!kept.has(id)) await files.remove({ id, signal: AbortSignal.timeout(PATIENCE) })
}

/**
 * Stores all bytes of a source behind a port, one file at a time. Those that are there already are not written again,
 * so that an interrupted run goes on. Bytes that the source lacks are left out.
 */
export async function moveBytes(
  { copies, read }: ByteSource,
  to: Files,
  onProgress: (counts: ByteCounts) => void,
): Promise<void> {
  for (const part of BYTE_KINDS) {
    const counts = { part, same: 0, copied: 0, dropped: 0 }
    for await (const stored of storedBytes(copies, part)) {
      const { id, type } = stored
      const chunks = await read(stored)
      if (chunks === null) continue
      const content = await wholeOf(stored, chunks)
      const isThere =
        (await hashOf(await readPort(to)(stored))) === createHash('sha256').update(content).digest('hex')
      if (!isThere) await to.put({ id, type, content, signal: AbortSignal.timeout(PATIENCE) })
      counts[isThere ? 'same' : 'copied']++
      onProgress({ ...counts })
    }
  }
}

async function digestOf({ copies, read }: ByteSource, kind: ByteKind) {
  const hash = createHash('sha256')
  let count = 0
  for await (const stored of storedBytes(copies, kind)) {
    const found = await hashOf(await read(stored))
    if (found === null) continue
    hash.update(`${stored.id} ${found}\n`)
    count++
  }
  return { count, hash: hash.digest('hex') }
}

/** Reads the bytes of two sides wholly, and tells of each kind whether they are the same. */
export async function compareBytes(one: ByteSource, other: ByteSource) {
  const compared = []
  for (const part of BYTE_KINDS) {
    const [mine, theirs] = await Promise.all([digestOf(one, part), digestOf(other, part)])
    compared.push({ part, one: mine, other: theirs })
  }
  return compared
}
