import type { AccountId, AgentId, ConversationId } from '../domain/ids.ts'
import type { Files } from './files.ts'

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
 * The recorded sound of conversations: that of calls which the platform serves, and that of a host's own voice stack.
 */
export interface Recordings {
  /**
   * Keeps the sound of calls that the voice gateway serves, with consent (RC610), such as
   * `createFolderFiles({ folder })` of `@colloquy/integrations/files`. The platform writes parts of some seconds, and
   * removes them.
   *
   * @default calls are not recorded
   */
  readonly keep?: Files
  /**
   * A recording of the host's own voice stack as WAV, in chunks; null when there is no recording. The platform has
   * checked before that the conversation exists and may be heard, and that it has kept no sound itself. The chunks
   * are asked for one by one as the listener takes them, and never when only the headers are wanted: nothing should
   * be opened before the first is asked for. A listener who goes away ends the iteration.
   *
   * @default there is no such voice stack
   */
  open?(wanted: RecordingWanted): Promise<AsyncIterable<Uint8Array> | null>
}
