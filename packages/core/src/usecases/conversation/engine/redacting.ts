import { publicId } from '../../../domain/conversation/conversation-key.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import type { Json } from '../../../domain/json.ts'
import { textsIn, withTexts } from '../../../domain/redaction/json-texts.ts'
import { thrownNames } from '../../../domain/thrown.ts'
import type { Redactor } from '../../../ports/redactor.ts'
import { redactedWords, WITHHELD } from '../../../shared/redacted-words.ts'
import type { Context } from '../../context.ts'

/** Stands between texts that a redactor reads at once: no private part goes over it. */
const BETWEEN = '\n\u241e\n'

/** A redactor, as it reads the texts of one conversation. */
export interface Redacting {
  /** The number of parts found so far, by sort. */
  readonly counts: Readonly<Record<string, number>>
  /** Reads a text. It never rejects: without an answer the text is withheld (RD3). */
  words(text: string): Promise<string>
  /** Reads all texts of a value at once (RD5). */
  texts(value: Json): Promise<Json>
}

/** Returns a redactor's error as the host is told of it: its message, its stack and its causes may hold the words. */
const withoutWords = (error: unknown): Error =>
  new Error(
    `The redactor failed (${thrownNames(error) || 'no error'}). Its message is withheld as the words are.`,
  )

/** Begins to read texts of a conversation, or of none. */
export function beginRedacting(
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  redactor: Redactor,
  state: Pick<ConversationState, 'id' | 'record'> | null,
): Redacting {
  const counts: Record<string, number> = {}
  const limit = settings.redactionDeadline
  const late = new Error(`The redactor did not answer within ${limit} ms.`)
  const deadline = { limit, late }
  const about = {
    conversationId: state === null ? null : publicId(state.id),
    language: state === null ? null : state.record.language,
  }

  async function words(text: string): Promise<string> {
    if (text === '') return text
    try {
      const { found, text: redacted } = await redactedWords(redactor, text, { about, clock, deadline })
      for (const [kind, count] of Object.entries(found)) counts[kind] = (counts[kind] ?? 0) + count
      return redacted
    } catch (error) {
      settings.onError(error === late ? late : withoutWords(error), 'redactor')
      counts.withheld = (counts.withheld ?? 0) + 1
      return WITHHELD
    }
  }

  async function texts(value: Json): Promise<Json> {
    const given = textsIn(value)
    if (given.length === 0) return value
    const read = (await words(given.join(BETWEEN))).split(BETWEEN)
    // Whoever joins texts, or cuts one in two, leaves nobody to say which is which.
    const isEach = read.length === given.length
    const redacted = new Map(given.map((text, at) => [text, isEach ? (read[at] ?? WITHHELD) : WITHHELD]))
    return withTexts(value, text => redacted.get(text) ?? WITHHELD)
  }

  return { counts, words, texts }
}
