import type { NewTurn } from './word-statements.ts'

/** When so many turns are kept, or so many characters of their records, no more are. */
const MOST = { turns: 1_024, characters: 1_048_576 }

/** The turns that this process has written last, so that the index of words need not read them. */
export interface FreshTurns {
  /** Within the write that adds the turn. */
  add(turn: NewTurn): void
  /** At most so many turns that follow that row, none of them left out; null when the next one is not kept. */
  after(row: number, limit: number): readonly NewTurn[] | null
  /** What is kept may not be in the store any more, or stands elsewhere. */
  forget(): void
}

/** Keeps turns whose rows follow one another; where one is missing, or there are too many, not until those are gone. */
export function createFreshTurns(most = MOST): FreshTurns {
  let kept: NewTurn[] = []
  let characters = 0

  const forget = (): void => {
    kept = []
    characters = 0
  }

  return {
    add(turn) {
      const last = kept.at(-1)
      const isFull = kept.length >= most.turns || characters >= most.characters
      if (last !== undefined && (isFull || turn.turn !== last.turn + 1)) return
      kept.push(turn)
      characters += turn.record.length
    },
    after(row, limit) {
      const past = kept.findIndex(({ turn }) => turn > row)
      for (const { record } of kept.splice(0, past === -1 ? kept.length : past)) characters -= record.length
      return kept[0]?.turn === row + 1 ? kept.slice(0, limit) : null
    },
    forget,
  }
}
