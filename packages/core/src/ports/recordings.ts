import type { AccountId, AgentId, ConversationId } from '../domain/ids.ts'

/** The voices that a recording can hold. */
export const RECORDING_DIRECTIONS = ['combined', 'user', 'agent'] as const
export type RecordingDirection = (typeof RECORDING_DIRECTIONS)[number]

/** The selection of a conversation's recording. */
export interface RecordingWanted {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly conversationId: ConversationId
  readonly direction: RecordingDirection
  /** Whether confidential parts were removed: card numbers and the like. */
  readonly redacted: boolean
}

/**
 * The recorded sound of conversations, as a host with a voice stack has stored it. The platform has checked before that
 * the conversation exists and may be heard.
 */
export interface Recordings {
  /**
   * A recording as WAV, in chunks; null when there is no recording. The chunks are asked for one by one as the listener
   * takes them, and never when only the headers are wanted: nothing should be opened before the first is asked for. A
   * listener who goes away ends the iteration.
   */
  open(wanted: RecordingWanted): Promise<AsyncIterable<Uint8Array> | null>
}
