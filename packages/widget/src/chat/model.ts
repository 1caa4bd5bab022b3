import type { Conversation } from '@colloquy/client/messaging'
import type { Note } from './entries.ts'
import type { Files } from './files/index.ts'
import type { More } from './more/index.ts'
import type { Past } from './more/past.ts'
import type { Talk } from './talk/index.ts'
import type { Words } from './words/en.ts'

/** A rating, and what became of it. */
export interface Rated {
  readonly score: number
  readonly comment: string
  readonly state: 'sending' | 'done' | 'failed'
}

/** Parts of a chat that are loaded on their first use, by their fields of the model. */
export interface Parts {
  readonly more: More
  readonly files: Files
  readonly talk: Talk
}

export type PartName = keyof Parts

/** State of a chat as plain data. `view` renders the whole chat from it. */
export interface Model {
  /** The part that is loaded on its first use; null before. */
  readonly more: More | null
  /** Files, loaded where there are some; null before. */
  readonly files: Files | null
  /** Voice, loaded where the page has it; null before. */
  readonly talk: Talk | null
  readonly conversation: Conversation
  readonly words: Words
  /** Language of `words`. */
  readonly language: string
  /** Title set by the page; null for the agent's name. */
  readonly title: string | null
  /** The picture beside it; null for that of who serves the visitor. */
  readonly logo: string | null
  /** Shown over the conversation, as Markdown; null for nothing. */
  readonly disclaimer: string | null
  /** Text that the visitor must consent to first, as Markdown; null if no consent is needed any more. */
  readonly consent: string | null
  /** Part of the page, not above it: it cannot be closed. */
  readonly inside: boolean
  /** It takes all the room that its place has. */
  readonly fills: boolean
  /** It covers the page. */
  readonly full: boolean
  /** Whether it has a header. */
  readonly header: boolean
  /** Whether the visitor can close it if there is no header. */
  readonly closes: boolean
  readonly notes: readonly Note[]
  readonly menu: boolean
  /** Action that waits for the visitor's confirmation. */
  readonly asking: 'end' | 'renew' | null
  /** The visitor's rating; null before they gave one. */
  readonly rating: Rated | null
  /** Earlier conversations while their list is shown, newest first. */
  readonly past: readonly Past[] | null
  /** The one of them that is shown. */
  readonly chosen: Past | null
  /** Number of earlier conversations to keep on the device. */
  readonly keeps: number
  /** Whether the visitor is asked for a rating at the end. */
  readonly rates: boolean
  /** Whether a screen reader announces new messages. */
  readonly announces: boolean
  /** The visitor has scrolled away from the newest messages. */
  readonly away: boolean
  /** Text that the visitor has typed but not sent. */
  readonly draft: string
}

/** Actions of a visitor. */
export interface Acts {
  close(): void
  send(text: string): void
  /** The visitor has written so far. */
  write(draft: string): void
  resend(id: string): void
  discard(id: string): void
  retry(): void
  /** Opens or closes the menu. */
  menu(): void
  renew(): void
  scrolled(): void
  latest(): void
}

/** Reports whether the session exists and has not ended, so that the visitor can act in it. */
export const isOpen = ({ conversation: { status } }: Model): boolean =>
  status !== 'ended' && status !== 'failed' && status !== 'idle'

/** Reports whether a part that is loaded on first use is to be shown. */
export const needsMore = ({ asking, consent, conversation, keeps, menu, past }: Model): boolean =>
  menu ||
  asking !== null ||
  past !== null ||
  consent !== null ||
  conversation.handoff !== null ||
  conversation.status === 'ended' ||
  conversation.messages.some(
    ({ attachments, callActions, from, state }) =>
      attachments.length + callActions.length > 0 || (keeps > 0 && from === 'visitor' && state === 'done'),
  )

/** Reports whether the server takes files, or a message has some. */
export const hasFiles = ({ conversation: { messages, takes } }: Model): boolean =>
  takes !== null || messages.some(({ files }) => files.length > 0)
