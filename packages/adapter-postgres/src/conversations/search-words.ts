import type { StoredTurn } from '@colloquy/core/domain'
import { type TurnWords, turnWords, type WordCondition } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'

/**
 * A turn's words are kept as elements `<scope>:<side><word>`, so that one index finds the turns of an account's agent
 * that hold a word on a side, whatever others say. A word has neither `:` nor a sign that an array would have to quote.
 */
const SIDES = { user: 'u', agent: 'a' } as const

const sided = ({ user, agent }: TurnWords): readonly string[] => [
  ...user.map(word => SIDES.user + word),
  ...agent.map(word => SIDES.agent + word),
]

/** Where a word's scope goes, which is known where the word is written. */
const SCOPE = ':'

/** A turn's words with their sides, as an array of PostgreSQL that {@link scopedWords} makes whole. */
export const sidedWords = (turn: StoredTurn): string =>
  `{${sided(turnWords(turn))
    .map(word => SCOPE + word)
    .join(',')}}`

/** The elements that are kept, of what {@link sidedWords} has made. */
export const scopedWords = (words: RawBuilder<unknown>, scope: RawBuilder<unknown>) =>
  sql`replace(${words}, ${sql.lit(SCOPE)}, ${scope} || ${sql.lit(SCOPE)})::text[]`

/** For each word of a condition the elements of which a turn must hold one. */
export function wantedElements(
  scope: number,
  { words, speaker }: WordCondition,
): readonly (readonly string[])[] {
  const sides = speaker === 'either' ? Object.values(SIDES) : [SIDES[speaker]]
  return words.map(word => sides.map(side => `${scope}:${side}${word}`))
}
