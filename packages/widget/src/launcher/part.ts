import type { Memory } from '../chat/device.ts'
import type { ChatOptions } from './options.ts'

/** The page around a chat that fills a frame of another origin. */
export interface FramedBy {
  /** The host of the page. */
  readonly pageHost: string
  /** The page's storage on the device. */
  readonly memory: Memory
  /** Whether the frame covers the page; `change` fires when that changes. */
  readonly covers: Pick<MediaQueryList, 'matches' | 'addEventListener'>
}

/** Elements and functions that the launcher passes to the chat. */
export interface Frame {
  readonly options: ChatOptions
  readonly name: string
  /** The element that is in the page. */
  readonly host: HTMLElement
  readonly root: ShadowRoot
  /** Opens and closes the chat; null for a chat inside the page. */
  readonly button: HTMLElement | null
  /** The page around the chat, if the chat is in a frame. */
  readonly framedBy?: FramedBy
  /** Called whenever the chat opens or closes. */
  opened(isOpen: boolean): void
  /** Called with the number of unread messages, and its label. */
  unread(count: number, words: string): void
  /** Sends the page an event. */
  tell(event: string, detail: object): void
}

/** The chat, once it is loaded. */
export interface ChatPart {
  open(focus: boolean): void
  close(): void
  send(text: string): void
  /** Sets the visitor's identity. Without one, the earlier identity is forgotten. */
  identify(identity?: string | null): void
  destroy(): void
}

/** The file of the chat. */
export interface ChatModule {
  startChat(frame: Frame): Promise<ChatPart>
}

/** Animation of a launcher: up and down, larger and back, or fading and back. */
export type LauncherAnimation = 'bounce' | 'grow' | 'pulse'

/** Elements and functions that the launcher passes to its own optional parts. */
export interface Launched extends Pick<Frame, 'options' | 'name' | 'host' | 'root' | 'button' | 'unread'> {
  /** Bubble beside the button, for texts. */
  readonly bubble: HTMLElement
  /** Opens the chat for the visitor. */
  open(): void
}

/** The file of what a launcher needs on some pages alone. */
export interface ExtraModule {
  readonly extra: {
    animate(launcher: HTMLElement, how: LauncherAnimation): void
    listen(frame: Frame, signal: AbortSignal): Promise<void>
    prompt(launched: Launched, text: string): void
    /** Shows that the chat is not available. */
    trouble(launched: Launched): void
  }
}
