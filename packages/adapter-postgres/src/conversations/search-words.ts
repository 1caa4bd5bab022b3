import type { StoredTurn } from '@colloquy/core/domain'
import { type TurnWords, turnWords, type WordCondition } from '@colloquy/core/store'
import { arrayText } from '../database/values.ts'

/**
 * A turn's words are kept as elements `<scope>:<side><word>`, so that one index finds the turns of an account's agent
 * that hold a word on a side, whatever others say. A word has neither `:` nor a sign that an array would have to quote.
 */
const SIDES = { user: 'u', agent: 'a' } as const

const sided = ({ user, agent }: TurnWords): readonly string[] => [
  ...user.map(word => SIDES.user + word),
  ...agent.map(word => SIDES.agent + word),
]

/** A turn's words with their sides, as an array of PostgreSQL; the scope comes before them where they are written. */
export const sidedWords = (turn: StoredTurn): string => arrayText(sided(turnWords(turn)))

/** For each word of a condition the elements of which a turn must hold one. */
export function wantedElements(
  scope: number,
  { words, speaker }: WordCondition,
): readonly (readonly string[])[] {
  const sides = speaker === 'either' ? Object.values(SIDES) : [SIDES[speaker]]
  return words.map(word => sides.map(side => `${scope}:${side}${word}`))
}
