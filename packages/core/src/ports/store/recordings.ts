import type { CallRecording, RecordingEnd } from '../../domain/conversation/call-recording.ts'
import type { ConversationId } from '../../domain/ids.ts'

/**
 * Recordings of calls, without their sound. Every method reads or writes at one instant. Values are copied in and out.
 * Bytes of parts are expected by `FileStore.expect`, and are due with its others. Removing a conversation removes its
 * recordings at the same instant, and makes their bytes due.
 */
export interface RecordingStore {
  /**
   * Adds a recording without parts. `missing` when the account has no such conversation; `full` when it has `most`
   * recordings.
   */
  begin(recording: CallRecording, most: number): Promise<'begun' | 'missing' | 'full'>
  /**
   * Adds the next part, whose bytes were expected, to a recording that goes on. False, and nothing changes, when it has
   * ended or is removed, when its bytes are not expected, and for any other part than the next. Also for one that is
   * empty, longer than the first, or comes after a shorter one.
   */
  keep(id: string, part: number, bytes: number): Promise<boolean>
  /** Ends a recording that goes on. Does nothing for others. */
  end(id: string, end: Exclude<RecordingEnd, 'withdrawn'>, at: number): Promise<void>
  /** Ends all recordings of a conversation as withdrawn, and makes all their bytes due. */
  withdraw(conversationId: ConversationId, at: number): Promise<void>
  /** The recordings of a conversation, earliest first. */
  list(conversationId: ConversationId): Promise<readonly CallRecording[]>
}
