import type { ConversationId } from '../domain/ids.ts'

/** The conversation whose words are read. */
export interface RedactionContext {
  /** Null for an error that is logged or kept with a test run: no conversation is known there. */
  readonly conversationId: ConversationId | null
  /** The language of the conversation, a tag of BCP 47; null while it is not known. */
  readonly language: string | null
}

/** A text without private parts. */
export interface Redaction {
  readonly text: string
  /** The number of parts by sort: they are counted, and never kept. */
  readonly found: Readonly<Record<string, number>>
}

/**
 * Takes private parts out of the words of visitors, before they are stored, answered, recorded or sent anywhere. It is
 * asked once for each text, one text of a conversation after the other. If it throws, or exceeds
 * `Settings.redactionDeadline`, the whole text is withheld.
 */
export interface Redactor {
  redact(text: string, about: RedactionContext, signal: AbortSignal): Redaction | Promise<Redaction>
}
