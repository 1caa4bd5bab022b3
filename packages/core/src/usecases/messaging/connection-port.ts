import type { HeardMark, SpokenTurn } from '../../domain/conversation/spoken.ts'
import type { CallRecorder } from '../records/call-recorder.ts'

/** Progress of a phone call that its gateway keeps, so that another process can go on with it. */
export interface CallProgress {
  readonly heard?: HeardMark
  /** E.164. */
  readonly leftFor?: string
}

/** A transport's side of one visitor's connection. `send` and `close` never throw, also when the socket is gone. */
export interface ConnectionPort {
  /**
   * Sends one text frame. `cursor`: the sequence of the newest event of the log that the client has with it, as it
   * would present it when it comes back; 0 for none. `soon`: more may follow at once, as a reply does where the agent
   * has begun to answer, and a transport may hold the frame for a moment, so that both leave together; false for a
   * frame that nothing is known to follow.
   */
  send(frame: string, cursor: number, soon: boolean): void
  /** Closes with a code of contract/messaging.md, Time. */
  close(code: number, reason: string): void
  /** Resolves when little of the sent data is still buffered, or the connection is closed. Paces a long replay. */
  drained(): Promise<void>
}

/** The platform's side of one visitor's connection. */
export interface Connection {
  readonly id: string
  /**
   * Takes one text frame of the visitor. Frames are handled in the order in which they came. Returns false to ask the
   * transport to stop reading until `settled` resolves; frames that arrive before that are still accepted, up to a
   * limit.
   */
  receive(frame: string): boolean
  /**
   * Reads the log for events without a notice, unless that was done recently. A frame does it as well: this is for
   * transports without frames (ES1).
   */
  refresh(): void
  /** Called when the connection was closed. Frames received before still take effect. */
  closed(): void
  /** Resolves when every frame received so far has been handled. */
  settled(): Promise<void>
}

/** The connection of a gateway of calls. It alone says of a message how it was said. */
export interface CallConnection extends Connection {
  /** The latencies of a spoken turn, for listeners and figures. Never throws. */
  measured(turn: SpokenTurn): void
  /**
   * Keeps how far the caller of a phone call has heard, or the number for which the call has left (MS280). Resolves
   * once it is kept, or could not be. Never throws.
   */
  progressed(progress: CallProgress): Promise<void>
  /** Keeps the sound of the call, once there is consent (RC610). Null if the host keeps none. */
  readonly recorder: CallRecorder | null
}
