import type { AccountId, AgentId, ConversationId } from '../ids.ts'

/** A text that has come, and the conversation that took it; null for a keyword, which none takes. */
export interface ReceivedText {
  /** The carrier's id of the text. */
  readonly id: string
  readonly conversationId: ConversationId | null
}

/** The facts about two numbers that text each other (TX32). */
export interface TextPair {
  /** The agent's number, or the carrier's id of its sender. */
  readonly ours: string
  /** The user's number: E.164, a short code or an alphanumeric sender. */
  readonly theirs: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** The user wants no texts from this number (TX31). */
  readonly optedOut: boolean
  /** The newest session; null while there was none. */
  readonly conversationId: ConversationId | null
  /** The newest texts that have come, oldest first; at most `RECENT_TEXTS` (TX32). */
  readonly recent: readonly ReceivedText[]
  /** 1 at first; grows by one with each write. */
  readonly version: number
}

/** The number of recent texts of a pair that are recognised when their carrier repeats them (TX32). */
export const RECENT_TEXTS = 100

/** The keywords that a user may text to the platform itself: to opt out, to opt in again, to ask for help. */
export const TEXT_KEYWORDS = ['STOP', 'START', 'HELP'] as const
export type TextKeyword = (typeof TEXT_KEYWORDS)[number]

/** The carriers' own list of words, and the keyword that each is. */
const KEYWORD_OF: ReadonlyMap<string, TextKeyword> = new Map([
  ...(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'] as const).map(
    word => [word, 'STOP'] as const,
  ),
  ...(['START', 'UNSTOP', 'YES'] as const).map(word => [word, 'START'] as const),
  ...(['HELP', 'INFO'] as const).map(word => [word, 'HELP'] as const),
])

/** A keyword that is an ordinary answer as well. It counts only from a user who has opted out. */
const ALSO_AN_ANSWER = 'YES'

/**
 * Returns the letters and digits of a text in one form: full-width letters are plain ones, and accents do not count.
 */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns the keyword that a text is; null for any other text. Case, blanks, punctuation and invisible characters do
 * not count, within words either: "opt-out" is OPTOUT (TX31).
 */
export function keywordOf(
  text: string,
  { optedOut }: Pick<TextPair, 'optedOut'> = { optedOut: false },
): TextKeyword | null {
  const said = lettersOf(text)
  return said === ALSO_AN_ANSWER && !optedOut ? null : (KEYWORD_OF.get(said) ?? null)
}

/** Returns a pair of which nothing is stored yet; its first write has version 1. */
const newPair = (of: Pick<TextPair, 'ours' | 'theirs' | 'accountId' | 'agentId'>): TextPair => ({
  ...of,
  ...{ optedOut: false, conversationId: null, recent: [], version: 0 },
})

/**
 * Returns the pair as its owner of today has it. A sender that has moved to another agent: what the user wants stays,
 * the session and the texts that have come do not (TX57).
 */
export const pairOfOwner = (
  stored: TextPair | null,
  owner: Pick<TextPair, 'ours' | 'theirs' | 'accountId' | 'agentId'>,
): TextPair => {
  if (stored === null) return newPair(owner)
  if (stored.agentId === owner.agentId) return stored
  return { ...newPair(owner), optedOut: stored.optedOut, version: stored.version }
}

/** Returns the text of that id, if the pair has had it lately. */
export const receivedBefore = ({ recent }: TextPair, id: string): ReceivedText | null =>
  recent.find(text => text.id === id) ?? null

const withText = ({ recent }: TextPair, text: ReceivedText): readonly ReceivedText[] =>
  [...recent.filter(({ id }) => id !== text.id), text].slice(-RECENT_TEXTS)

/** Returns the pair after a keyword; only `STOP` and `START` change what the user wants. */
export const withKeyword = (pair: TextPair, id: string, keyword: TextKeyword): TextPair => ({
  ...pair,
  optedOut: keyword === 'HELP' ? pair.optedOut : keyword === 'STOP',
  recent: withText(pair, { id, conversationId: null }),
  version: pair.version + 1,
})

/** Returns the pair after a text that goes to that session, which may be a new one. */
export const withReceived = (pair: TextPair, id: string, conversationId: ConversationId): TextPair => ({
  ...pair,
  conversationId,
  recent: withText(pair, { id, conversationId }),
  version: pair.version + 1,
})

/** Returns the pair with a session that the agent's side opens. */
export const withSession = (pair: TextPair, conversationId: ConversationId): TextPair => ({
  ...pair,
  conversationId,
  version: pair.version + 1,
})
