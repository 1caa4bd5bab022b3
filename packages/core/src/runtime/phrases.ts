/** What the retrieval runtime says of its own accord. `{name}` places are filled in. */
export interface Phrases {
  /** Instead of a greeting that is blank. */
  readonly greeting: string
  /** No topic fits. */
  readonly unknown: string
  /** Two topics fit about equally well; `{first}` and `{second}` are their names. */
  readonly clarify: string
  /** The visitor wrote nothing. */
  readonly silence: string
  /** Before a hand-over whose topic has nothing to say. */
  readonly handoff: string
  /** A function failed. */
  readonly failed: string
  /** An external event came and no function has anything to say about it. */
  readonly eventReceived: string
  /** Words with which a short follow-up question begins, in lower case. */
  readonly followUps: readonly string[]
}

/** The phrases of languages that the host set none for. */
export const ENGLISH_PHRASES: Phrases = {
  greeting: 'Hello! How can I help you?',
  unknown: "Sorry, I don't know the answer to that. Could you ask it in other words?",
  clarify: 'Do you mean “{first}” or “{second}”?',
  silence: "Sorry, I didn't get that. What would you like to know?",
  handoff: 'One moment, I am connecting you.',
  failed: 'Sorry, that did not work. Please try again in a moment.',
  eventReceived: 'Thank you for waiting. Your update has arrived.',
  followUps: ['and', 'what about', 'how about', 'also', 'or'],
}

/** Phrases by language code; what a language leaves out is taken from its base language, then from English. */
export type PhraseBook = Readonly<Record<string, Partial<Phrases>>>

/** The phrases for a language: those of `de-AT` over those of `de` over English. */
export function phrasesFor(book: PhraseBook, languageCode: string): Phrases {
  const base = languageCode.split('-')[0] ?? languageCode
  const own = (code: string): Partial<Phrases> => (Object.hasOwn(book, code) ? (book[code] ?? {}) : {})
  return { ...ENGLISH_PHRASES, ...own(base), ...own(languageCode) }
}
