import * as z from 'zod'

/** Limits of an agent's phrases. */
const PHRASE_LIMITS = {
  languages: 50,
  phraseLength: 2_000,
  /** Answers to small talk, in one language. */
  smallTalk: 100,
  /** Messages that one of them answers. */
  messages: 100,
  messageLength: 200,
} as const

const phrase = z.string().trim().min(1).max(PHRASE_LIMITS.phraseLength)

/** Messages that are no question, for example a thank-you, and what the agent says to them. */
const smallTalk = z.strictObject({
  to: z
    .array(z.string().trim().min(1).max(PHRASE_LIMITS.messageLength))
    .min(1)
    .max(PHRASE_LIMITS.messages)
    .readonly(),
  says: phrase,
})

const isNotEmpty = (value: object): boolean => Object.keys(value).length > 0

/** An agent's own phrases in one language. Missing ones are the runtime's. */
const phrasesOfLanguage = z
  .strictObject({
    /** No topic fits. */
    unknown: phrase.exactOptional(),
    /** No topic fits, once more: an offer of a person. */
    offer: phrase.exactOptional(),
    /** Two topics fit; `{first}` and `{second}` are their names. */
    clarify: phrase.exactOptional(),
    /** One topic fits somewhat; `{first}` is its name. */
    confirm: phrase.exactOptional(),
    /** The visitor does not want what was offered. */
    declined: phrase.exactOptional(),
    /** The answer before was not what the visitor meant. */
    misunderstood: phrase.exactOptional(),
    /** The visitor wrote nothing. */
    silence: phrase.exactOptional(),
    /** Before a hand-over. */
    handoff: phrase.exactOptional(),
    /** Nobody is there for a hand-over. */
    closed: phrase.exactOptional(),
    /** Somebody is there again from `{time}`. */
    back: phrase.exactOptional(),
    /** An offer to take a message for those who are not there. */
    leaveMessage: phrase.exactOptional(),
    /** A message was taken. */
    messageTaken: phrase.exactOptional(),
    /** The answer ends before its end. */
    cutShort: phrase.exactOptional(),
    /** A function failed. */
    failed: phrase.exactOptional(),
    /** An external event came, and there is nothing else to say about it. */
    eventReceived: phrase.exactOptional(),
    /** In addition to the runtime's small talk. These come first. */
    smallTalk: z.array(smallTalk).min(1).max(PHRASE_LIMITS.smallTalk).readonly().exactOptional(),
  })
  .refine(isNotEmpty, 'at least one phrase')

/** A code such as `de` or `de-AT`. */
const languageCode = z
  .string()
  .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8}){0,4}$/, 'a code such as de or de-AT')

/** A change of an agent's phrases: all of them, by language code. None, or null, takes them away (AG524). */
export const phrasesChangeSchema = z
  .record(languageCode, phrasesOfLanguage)
  .refine(
    phrases => Object.keys(phrases).length <= PHRASE_LIMITS.languages,
    `at most ${PHRASE_LIMITS.languages} languages`,
  )

/** An agent's phrases by language code; those of `de-AT` lie over those of `de` (AG524). */
export const phrasesSchema = phrasesChangeSchema.refine(isNotEmpty, 'at least one language')

export type AgentPhrases = Readonly<z.infer<typeof phrasesSchema>>
