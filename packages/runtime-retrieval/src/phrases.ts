/** Replies to messages that are no question, for example to a thank-you. */
export interface SmallTalk {
  readonly says: string
  /** Messages in lower case; one that consists of such alone, and of `fillers`, is answered so. */
  readonly to: readonly string[]
}

/** An aspect that any subject has, for example what it costs. */
export interface Aspect {
  /** Words that ask about it. */
  readonly asked: readonly string[]
  /** Words that sentences about it have. */
  readonly told: readonly string[]
}

/**
 * Texts of the retrieval runtime, and the words by which it understands. `{name}` places are filled in; words are in
 * lower case.
 */
export interface Phrases {
  /** Instead of a greeting that is blank. */
  readonly greeting: string
  /** No topic fits. */
  readonly unknown: string
  /** No topic fits, once more, and a topic could hand off: an offer to do so. */
  readonly offer: string
  /** Two topics fit about equally well; `{first}` and `{second}` are their names. */
  readonly clarify: string
  /** One topic fits somewhat, or would act and is not clearly meant; `{first}` is its name. */
  readonly confirm: string
  /** The visitor does not want what was offered or asked back about. */
  readonly declined: string
  /** The answer before was not what the visitor meant. */
  readonly misunderstood: string
  /** The visitor wrote nothing. */
  readonly silence: string
  /** Before a hand-over whose topic has nothing to say. */
  readonly handoff: string
  /** Nobody is there for a hand-over. */
  readonly closed: string
  /** Somebody is there again from `{time}`. */
  readonly back: string
  /** An offer to take a message for those who are not there. */
  readonly leaveMessage: string
  /** A message was taken. */
  readonly messageTaken: string
  /** The answer ends before its end: what made it was stopped. */
  readonly cutShort: string
  /** A function failed. */
  readonly failed: string
  /** An external event came and no function has anything to say about it. */
  readonly eventReceived: string
  /** Greetings, thanks and the like; the last one that a message holds is answered. */
  readonly smallTalk: readonly SmallTalk[]
  /** Words around small talk and questions that change nothing. */
  readonly fillers: readonly string[]
  readonly yes: readonly string[]
  readonly no: readonly string[]
  /** The visitor says that an answer was wrong. */
  readonly corrections: readonly string[]
  /** Words for the first and the second of two topics that were asked back about. */
  readonly choices: readonly (readonly string[])[]
  /** Words for people; a message that has them and common words alone asks for one. */
  readonly people: readonly string[]
  /** Words with which a short follow-up question begins. */
  readonly followUps: readonly string[]
  /** Words that stand for what was spoken of before. */
  readonly references: readonly string[]
  /** Words that tell one subject from another in no way. */
  readonly commonWords: readonly string[]
  readonly aspects: readonly Aspect[]
  /**
   * Groups of words, with spaces between, that ask for the same thing or for one of its kind: if a question finds no
   * topic, topics are looked for whose names have others of its words' groups.
   */
  readonly related: readonly string[]
  /** Words between two questions in one message. */
  readonly conjunctions: readonly string[]
}

/** Phrases by language code; what a language leaves out is taken from its base language, then from English. */
export type PhraseBook = Readonly<Record<string, Partial<Phrases>>>
