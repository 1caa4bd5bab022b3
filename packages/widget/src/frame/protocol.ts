import type { ChatOptions } from '../launcher/options.ts'
import type { Followed } from '../listen/follow.ts'

/**
 * Version of the protocol between a page and the frame of its chat. It changes if an earlier version would misread the
 * new messages.
 */
export const VERSION = 3

/** Options that are functions of the page. The frame asks the page to call them. */
export const ASKED = ['getToken', 'createSession', 'verifiedContext'] as const

/** A function of the page. */
export type Asked = (typeof ASKED)[number]

/** Options that stay in the page. */
export const OWN = ['autoOpen', 'countInTitle', 'frame', 'launcher', 'prompt', 'storage', ...ASKED] as const

/** Options that a frame cannot have: they are of the page, and would be needed in the frame. */
export const REFUSED = ['openSocket', 'fetch', 'network', 'timing'] as const

/** Options that go to the frame unchanged. */
export type FramedOptions = Omit<ChatOptions, (typeof OWN)[number] | (typeof REFUSED)[number]>

/** The first message of the page, sent only to the frame's origin, with the port for all later ones. */
export interface Start {
  readonly colloquy: typeof VERSION
  readonly options: FramedOptions
  /** Prefix of the chat's keys on the device. */
  readonly name: string
  /** Values that the page keeps for the chat itself. The values of the client are requested later. */
  readonly kept: Readonly<Record<string, string>>
  /** Functions that the page provides. */
  readonly asked: readonly Asked[]
  /** CSS variables that the page's style sets. */
  readonly variables: Readonly<Record<string, string>>
  readonly covers: boolean
  /** The launcher's language. */
  readonly lang: string
}

/** The first that the page says where no chat is to begin: the frame follows a session, and says what it hears. */
export interface Listens {
  readonly colloquy: typeof VERSION
  readonly listens: Followed
}

/** Message of a frame that listens: the number of messages, that streams work, or that it has stopped listening. */
export type Heard = number | 'over streams' | 'end'

/** Later messages of the page. */
export type ToFrame =
  | { readonly type: 'open'; readonly focus: boolean }
  | { readonly type: 'close' }
  | { readonly type: 'send'; readonly text: string }
  /** The visitor's identity. If it is left out, the previous visitor is forgotten. */
  | { readonly type: 'identify'; readonly identity?: string | null | undefined }
  | { readonly type: 'covers'; readonly covers: boolean }
  /** Another tab has changed a stored value. */
  | { readonly type: 'kept'; readonly key: string; readonly value: string | null }
  /** `problem` where the function has thrown: its message, and its `status` if it had one. */
  | {
      readonly type: 'answer'
      readonly id: number
      readonly value: unknown
      readonly problem: Problem | null
    }

/** The reason why the page has no answer. */
export interface Problem {
  readonly message: string
  readonly status?: number
}

/** Messages of the frame. */
export type ToPage =
  /** The chat is there, or why it cannot be had. */
  | { readonly type: 'started'; readonly problem: string | null }
  | { readonly type: 'opened'; readonly isOpen: boolean }
  | { readonly type: 'unread'; readonly count: number; readonly words: string }
  | { readonly type: 'tell'; readonly event: string; readonly detail: object }
  /** To be kept for the chat itself, or for its client; null removes it. */
  | {
      readonly type: 'keep'
      readonly of: 'chat' | 'client'
      readonly key: string
      readonly value: string | null
    }
  /** `storage`: all that is kept for the client. */
  | {
      readonly type: 'ask'
      readonly id: number
      readonly what: Asked | 'storage'
      readonly argument: string
    }

/** The frame reports repeatedly that it is ready, and its version, until it gets the start. */
export interface Ready {
  readonly colloquy: typeof VERSION
  readonly ready: true
}
