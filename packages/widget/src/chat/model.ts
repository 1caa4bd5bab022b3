import type { Conversation } from '@colloquy/client/messaging'
import type { Note } from './entries.ts'
import type { More } from './more/index.ts'
import type { Past } from './more/past.ts'
import type { Words } from './words/en.ts'

/** A rating, and what became of it. */
export interface Rated {
  readonly score: number
  readonly comment: string
  readonly state: 'sending' | 'done' | 'failed'
}

/** What a chat shows. Plain data: `view` makes all of the page of it. */
export interface Model {
  /** What is loaded with its first use; null before. */
  readonly more: More | null
  readonly conversation: Conversation
  readonly words: Words
  /** Of the words. */
  readonly language: string
  /** What the page calls the chat; null for the agent's name. */
  readonly title: string | null
  /** The picture beside it; null for that of who serves the visitor. */
  readonly logo: string | null
  /** Shown over the conversation, as Markdown; null for nothing. */
  readonly disclaimer: string | null
  /** What the visitor has to agree to first, as Markdown; null where nothing is to be agreed to any more. */
  readonly consent: string | null
  /** Part of the page, not above it: it cannot be closed. */
  readonly inside: boolean
  /** It takes all the room that its place has. */
  readonly fills: boolean
  /** It covers the page. */
  readonly full: boolean
  /** Whether it has a header. */
  readonly header: boolean
  /** Whether the visitor can close it where there is no header. */
  readonly closes: boolean
  readonly notes: readonly Note[]
  readonly menu: boolean
  /** What the visitor is asked before it is done. */
  readonly asking: 'end' | 'renew' | null
  /** What the visitor thinks of the conversation; null before it was said. */
  readonly rating: Rated | null
  /** Earlier conversations while their list is shown, newest first. */
  readonly past: readonly Past[] | null
  /** The one of them that is shown. */
  readonly chosen: Past | null
  /** How many earlier conversations are kept on the device. */
  readonly keeps: number
  /** Whether the visitor is asked how the conversation was, once it is over. */
  readonly rates: boolean
  /** A screen reader is told of new messages. */
  readonly announces: boolean
  /** The visitor has scrolled away from the newest messages. */
  readonly away: boolean
  /** What the visitor has written and not sent. */
  readonly draft: string
}

/** What a visitor does. */
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

/** What the visitor may do with the session: it is there, and not over. */
export const isOpen = ({ conversation: { status } }: Model): boolean =>
  status !== 'ended' && status !== 'failed' && status !== 'idle'

/** Whether something is to be shown that is loaded with its first use. */
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
