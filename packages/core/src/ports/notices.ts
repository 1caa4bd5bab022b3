import type { ConversationEvent, TransientEvent } from '../domain/conversation/event.ts'
import type { StoredTurn } from '../domain/conversation/record.ts'
import type { AccountId, ApiKeyId, ConnectorId, ConversationId } from '../domain/ids.ts'

/** The id of something that can be revoked. */
export type CredentialId = ApiKeyId | ConnectorId

/**
 * The subjects of notices, by kind. The text is the channel's name on a bus. Everything after the colon is the id.
 */
export type NoticeTopic = ConversationTopic | LineTopic | CredentialTopic | DueTopic | QuestionTopic

/** A conversation. */
export type ConversationTopic = `conversation:${string}`
/** The line of an account's visitors who wait for a live agent. */
export type LineTopic = `line:${string}`
/** An API key or a connector. */
export type CredentialTopic = `credential:${string}`
/**
 * The kinds of work that may become due: alert rules, calls, conversations, files, waiting lines, test runs, turns to
 * embed, webhooks.
 */
export type DueKind =
  | 'alerts'
  | 'calls'
  | 'conversations'
  | 'files'
  | 'lines'
  | 'summaries'
  | 'tests'
  | 'turns'
  | 'webhooks'
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
  /** Turns that were recorded with it, for receivers in the same process. @default none */
  readonly turns?: readonly StoredTurn[]
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
   * The time at which the asking process last learned the position in the queue, milliseconds since the epoch. Only a
   * newer position is an answer.
   */
  readonly positionAt: number
}

/** The time at which it becomes due, milliseconds since the epoch. */
export interface DueNotice {
  readonly at: number
}

/** The topic says the rest: the line has changed, the credential is revoked. */
export interface BareNotice {
  readonly changed: true
}

/** A notice on any topic. */
export type Notice = ConversationNotice | Question | DueNotice | BareNotice

/** The notice of a topic. */
export type NoticeOf<T extends NoticeTopic> = T extends ConversationTopic
  ? ConversationNotice
  : T extends QuestionTopic
    ? Question
    : T extends DueTopic
      ? DueNotice
      : BareNotice

/** Receives the notices of a topic. */
export interface NoticeListener<N extends Notice> {
  notice(notice: N): void
  /** Notices of other processes may have been lost: read the store once. */
  gap(): void
}

/** A part of the platform listens to a topic. */
export interface Subscription {
  /** Ends it; does nothing the second time. */
  end(): void
}

/**
 * Notifies other parts of the platform of news: in this process at once, in the others over the host's bus.
 * A notice of another process may be lost, doubled or late. It only says where to look. It was signed by a process of
 * this deployment, and has the right form (NT37).
 */
export interface Notices {
  /** Notifies only other processes; null if this process has no bus. */
  readonly others: { publish<T extends NoticeTopic>(topic: T, notice: NoticeOf<T>): void } | null
  publish<T extends NoticeTopic>(topic: T, notice: NoticeOf<T>): void
  /** The listener gets all notices on the topic from here on. */
  subscribe<T extends NoticeTopic>(topic: T, listener: NoticeListener<NoticeOf<T>>): Subscription
}
