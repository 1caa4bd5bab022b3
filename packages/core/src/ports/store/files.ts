import type { ConversationFile, FileSender } from '../../domain/file/file.ts'
import type { ConversationId } from '../../domain/ids.ts'

/** The bounds of a conversation's files. */
export interface FileBounds {
  readonly files: number
  /** Bytes of all of them. */
  readonly bytes: number
}

/**
 * Files of conversations, without their bytes, and the ids of bytes that are to be removed from the port `Files`. Every
 * method reads or writes at one instant. Values are copied in and out. Removing a conversation removes its files at the
 * same instant, and makes their bytes due.
 */
export interface FileStore {
  /** Registers bytes that are about to be stored. They are due at that moment unless `name` is called before. */
  expect(id: string, due: number): Promise<void>
  /**
   * Adds a file whose bytes were expected. `missing` when the account has no such conversation, or the bytes were not
   * expected or are removed; `full` when it would exceed the bounds.
   */
  add(file: ConversationFile, bounds: FileBounds): Promise<'added' | 'missing' | 'full'>
  find(id: string): Promise<ConversationFile | null>
  /**
   * Keeps these files as long as their conversation, because a message names them; returns them in their order. Null,
   * and nothing changes, if the conversation lacks one of that sender. Also for files that were named before.
   */
  name(
    conversationId: ConversationId,
    from: FileSender,
    ids: readonly string[],
  ): Promise<readonly ConversationFile[] | null>
  /**
   * Returns ids of bytes that are due, earliest first, at most `limit`. Their files are removed. They are returned
   * again until `forget` is called.
   */
  takeDue(now: number, limit: number): Promise<readonly string[]>
  /** Forgets ids whose bytes were removed, and leaves nothing of them to be read. Does nothing for others. */
  forget(ids: readonly string[]): Promise<void>
  /** The earliest moment at which bytes are due. Null without any. */
  nextDue(): Promise<number | null>
}
