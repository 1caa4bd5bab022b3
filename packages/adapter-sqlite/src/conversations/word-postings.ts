/** Which sides of a turn hold a word: the user's, the agent's, or both. */
export const SIDES = { user: 1, agent: 2, either: 3 } as const

/** A turn that holds a word, and on which sides. */
export interface Posting {
  /** Row of the turn. */
  readonly turn: number
  /** The sum of {@link SIDES}. */
  readonly sides: number
}

const SIDE_VALUES = 4

/** A posting as one number, since thousands wait to be written; {@link postingOf} reads it. */
export const numberOf = (turn: number, sides: number): number => turn * SIDE_VALUES + sides

export const postingOf = (value: number): Posting => ({
  turn: Math.floor(value / SIDE_VALUES),
  sides: value % SIDE_VALUES,
})

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
  for (const { turn, sides } of postings) {
    writeNumber(bytes, numberOf(turn - before, sides))
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
    const { turn: distance, sides } = postingOf(value)
    turn += distance
    postings.push({ turn, sides })
    value = 0
    unit = 1
  }
  return postings
}
