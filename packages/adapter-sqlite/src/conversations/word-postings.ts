/** Which sides of a turn hold a word: the user's, the agent's, or both. */
export const SIDES = { user: 1, agent: 2, either: 3 } as const

/** A turn that holds a word, and on which sides: one number, since thousands wait to be written. */
export type Posting = number

const SIDE_VALUES = 4

/** @param turn its row @param sides the sum of {@link SIDES} */
export const postingOf = (turn: number, sides: number): Posting => turn * SIDE_VALUES + sides

export const turnOf = (posting: Posting): number => Math.floor(posting / SIDE_VALUES)

export const sidesIn = (posting: Posting): number => posting % SIDE_VALUES

const MORE = 0x80

function writeNumber(bytes: number[], value: number): void {
  let rest = value
  // Not by shifting: a distance between rows may not fit into 32 bits.
  for (; rest >= MORE; rest = Math.floor(rest / MORE)) bytes.push((rest % MORE) + MORE)
  bytes.push(rest)
}

/**
 * Postings as bytes: for each, in the order of turns, the distance to the one before it and its sides as one number of
 * variable length.
 */
export function packPostings(postings: readonly Posting[]): Uint8Array {
  const bytes: number[] = []
  let before = 0
  for (const posting of postings) {
    const turn = turnOf(posting)
    writeNumber(bytes, postingOf(turn - before, sidesIn(posting)))
    before = turn
  }
  return Uint8Array.from(bytes)
}

/** What {@link packPostings} has packed. */
export function unpackPostings(bytes: Uint8Array): readonly Posting[] {
  const postings: Posting[] = []
  let [turn, value, unit] = [0, 0, 1]
  for (const byte of bytes) {
    value += (byte % MORE) * unit
    unit *= MORE
    if (byte >= MORE) continue
    turn += turnOf(value)
    postings.push(postingOf(turn, sidesIn(value)))
    value = 0
    unit = 1
  }
  return postings
}
