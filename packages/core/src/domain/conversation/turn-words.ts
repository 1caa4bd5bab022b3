import { foldText, segmentsOf } from '../text/fold-text.ts'
import type { StoredTurn } from './record.ts'

/** The words of a turn to search: the user's input, the agent's response, or both together. */
export type Speaker = 'user' | 'agent' | 'either'

/** The words of a turn's two sides. */
export interface TurnWords {
  readonly user: readonly string[]
  readonly agent: readonly string[]
}

/** Words that one turn must all hold. */
export interface WordCondition {
  /** At least one. A store is given them as {@link wordsOf} makes them; `platform.reading` takes any texts. */
  readonly words: readonly string[]
  readonly speaker: Speaker
}

/** Writing without spaces: each character is a word of its own. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** The same, where a dictionary tells words apart. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** Longer runs are several words, so that no store has to know a limit. */
const WORD = /[\p{L}\p{M}\p{N}]{1,64}/gu
/** Texts in ASCII have no other forms, and their words are found several times as fast. */
const PLAIN = /^\p{ASCII}*$/u
const PLAIN_WORD = /[a-z\d]{1,64}/g

/** The words of a text as they come, one that comes again included. */
function wordsIn(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORD) ?? []
  const spaced = foldText(text)
    .replace(SPACELESS, ' $& ')
    .replace(UNSPACED, run => ` ${segmentsOf(run).join(' ')} `)
  return spaced.match(WORD) ?? []
}

/**
 * The words of a text, each once: runs of letters and digits, folded; where no spaces
 * are written, those that a dictionary tells. This alone
 * says what a word is; stores compare words, and never texts (RC40).
 */
export const wordsOf = (text: string): readonly string[] => [...new Set(wordsIn(text))]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a turn's two sides. Empty if nothing was said. */
export interface TurnTexts {
  readonly user: string
  readonly agent: string
}

/** The texts of a turn as it is kept. */
export const turnTexts = ({ record }: Pick<StoredTurn, 'record'>): TurnTexts => ({
  user: textOf(record.user_input),
  agent: textOf(record.agent_response),
})

/** The words of a turn as it is kept, each once on a side. */
export function turnWords(turn: Pick<StoredTurn, 'record'>): TurnWords {
  const { user, agent } = turnTexts(turn)
  return { user: wordsOf(user), agent: wordsOf(agent) }
}

/** True when one of the turns contains all the words on the selected side. */
export const holdWords = (turns: readonly StoredTurn[], { words, speaker }: WordCondition): boolean =>
  turns.some(turn => {
    const { user, agent } = turnWords(turn)
    const said = speaker === 'user' ? user : speaker === 'agent' ? agent : [...user, ...agent]
    return words.every(word => said.includes(word))
  })
