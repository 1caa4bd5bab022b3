import type { Messaging } from '@colloquy/client/messaging'
import type { ChatOptions } from '../launcher/options.ts'
import type { Memory } from './device.ts'
import type { Model } from './model.ts'

/** Functions and state that the chat passes to its parts that are loaded later. */
export interface Shell {
  readonly chat: Messaging
  /** Prefix of the chat's keys on the device. */
  readonly name: string
  readonly memory: Memory
  readonly options: ChatOptions
  /** The element that the chat is rendered into. It is hidden while the chat is closed. */
  readonly place: HTMLElement
  /** Aborted when the chat is destroyed. */
  readonly signal: AbortSignal
  readonly model: Model
  change(next: Partial<Model>): void
  /** Sends the page an event. */
  tell(event: string, detail: object): void
  renew(): void
  /** Starts the client. */
  begin(): void
  focus(): void
}
