import type { ConversationEvent, TransientEvent } from '../domain/conversation/event.ts'
import type { AccountId, ApiKeyId, ConnectorId, ConversationId } from '../domain/ids.ts'

/** What can be revoked. */
export type CredentialId = ApiKeyId | ConnectorId

/**
 * What notices are about, by kind. The text is the channel's name on a bus; everything after the colon is the id
 * (EN52).
 */
export type NoticeTopic = ConversationTopic | LineTopic | CredentialTopic | DueTopic | QuestionTopic

/** A conversation. */
export type ConversationTopic = `conversation:${string}`
/** The line of an account's visitors who wait for a live agent. */
export type LineTopic = `line:${string}`
/** An API key or a connector. */
export type CredentialTopic = `credential:${string}`
/** What may fall due: alert rules, calls, conversations, waiting lines, test runs, turns to embed, webhooks. */
export type DueKind = 'alerts' | 'calls' | 'conversations' | 'lines' | 'tests' | 'turns' | 'webhooks'
/** Something of that kind falls due. */
export type DueTopic = `due:${DueKind}`
/** Questions to every process. */
export type QuestionTopic = 'question'

/** The topics, by what they are about. */
export const topics = {
  conversation: (id: ConversationId): ConversationTopic => `conversation:${id}`,
  line: (id: AccountId): LineTopic => `line:${id}`,
  credential: (id: CredentialId): CredentialTopic => `credential:${id}`,
  due: (kind: DueKind): DueTopic => `due:${kind}`,
  question: 'question',
} as const

/** A conversation has grown, or something is true of it only now. */
export interface ConversationNotice {
  /** Sequence of the newest event when this was said. Receivers read the log up to it. */
  readonly sequence: number
  /**
   * The newest events themselves, for receivers in the same process: spares them the read. Always empty on a bus, over
   * which no text of the log goes (NT38).
   */
  readonly events: readonly ConversationEvent[]
  /** Sent after the log has reached `sequence`, in this order. Lost without listeners. */
  readonly transients: readonly TransientEvent[]
  /** An event of the log that a visitor's connection is sent once more. @default none */
  readonly again?: RepeatedEvent
}

/** An event that took effect before, and the connection of its sender. */
export interface RepeatedEvent {
  readonly to: string
  readonly sequence: number
  /** The event itself, for receivers in the same process. Others read it in the log. */
  readonly event?: ConversationEvent
}

/**
 * A visitor's connection asks for the ephemeral state of a conversation. Any process may answer, on the conversation's
 * topic.
 */
export interface Question {
  readonly conversationId: ConversationId
  readonly connection: string
  /**
   * When the asking process was last told the position in the queue, milliseconds since the epoch: only a newer
   * position is an answer.
   */
  readonly positionAt: number
}

/** When it falls due, milliseconds since the epoch. */
export interface DueNotice {
  readonly at: number
}

/** The topic says the rest: the line has changed, the credential is revoked. */
export interface BareNotice {
  readonly changed: true
}

/** What is said on any topic. */
export type Notice = ConversationNotice | Question | DueNotice | BareNotice

/** What is said on a topic. */
export type NoticeOf<T extends NoticeTopic> = T extends ConversationTopic
  ? ConversationNotice
  : T extends QuestionTopic
    ? Question
    : T extends DueTopic
      ? DueNotice
      : BareNotice

/** Takes the notices of a topic. */
export interface NoticeListener<N extends Notice> {
  notice(notice: N): void
  /** Notices of other processes may have been lost: look once at what stands in the store. */
  gap(): void
}

/** A part of the platform listens to a topic. */
export interface Subscription {
  /** Ends it; does nothing the second time. */
  end(): void
}

/**
 * How one part of the platform tells others that something is new: in this process at once, in the others over the
 * host's bus. A notice of another process may be lost, doubled or late; it only says where to look. It was signed by
 * a process of this deployment, and has the right form (NT37).
 */
export interface Notices {
  /** Tells other processes alone; null where this process has no bus. */
  readonly others: { publish<T extends NoticeTopic>(topic: T, notice: NoticeOf<T>): void } | null
  publish<T extends NoticeTopic>(topic: T, notice: NoticeOf<T>): void
  /** From here on the listener hears what is said on the topic. */
  subscribe<T extends NoticeTopic>(topic: T, listener: NoticeListener<NoticeOf<T>>): Subscription
}
