import type { ByteRange } from '../domain/byte-range.ts'

/** A file to store. */
export interface FileToStore {
  /** Letters, digits and hyphens: unique, and never used again. */
  readonly id: string
  /** The media type that its content was found to have. */
  readonly type: string
  /** At most `fileRules.bytes`, checked. */
  readonly content: Uint8Array
  /** Aborts after `fileRules.deadline`. The file has not been stored then, and is removed later. */
  readonly signal: AbortSignal
}

/** A file that is read or removed. */
export interface StoredFile {
  readonly id: string
  /** Aborts after `fileRules.deadline`, before the first chunk is there or the file is removed. */
  readonly signal: AbortSignal
}

/** A file that is read. */
export interface FileToRead extends StoredFile {
  /** The part that is wanted: at least one byte, and none beyond the file. @default all of it */
  readonly range?: ByteRange
}

/**
 * The bytes of files that visitors and live agents send (FI20). The platform checks them before, keeps their
 * names, types and conversations in its store, and serves them itself: nobody else needs access to where they are.
 */
export interface Files {
  /** Stores a file whole or not at all, also over an earlier attempt of the id. It is durable when this resolves. */
  put(file: FileToStore): Promise<void>
  /** The bytes of a file, or of a part of it, in chunks that are asked for one by one; null for an unknown one. */
  get(file: FileToRead): Promise<AsyncIterable<Uint8Array> | null>
  /** Removes a file, so that no byte of it is left. Does nothing for an unknown one. */
  remove(file: StoredFile): Promise<void>
}
