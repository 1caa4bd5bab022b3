import { type TurnWords, turnWords } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import { SIDES } from './word-postings.ts'
import type { IndexedTurn } from './word-statements.ts'

/** Words, and on which sides each of them is. */
export type Sides = ReadonlyMap<string, number>

/** The different words of a turn, as they come in it, and on which sides they are. */
function sidesInText({ user, agent }: TurnWords): Sides {
  const sides = new Map<string, number>()
  for (const word of user) sides.set(word, SIDES.user)
  for (const word of agent) sides.set(word, (sides.get(word) ?? 0) + SIDES.agent)
  return sides
}

/** The different words of a turn, in order, and on which sides they are. */
export function sidesOf(words: TurnWords): Sides {
  const sides = sidesInText(words)
  // Words alone are sorted three times as fast as pairs.
  return new Map([...sides.keys()].sort().map(word => [word, sides.get(word) ?? 0]))
}

/** Words of a text that is longer are told apart in one write, put in order in the next, and taken out after that. */
const LONG_RECORD = 32_768

/** The words of a turn. */
class ReadTurn {
  readonly turn: number
  readonly record: string
  readonly sides: Sides
  #words: readonly string[] | null = null

  constructor(turn: number, record: string) {
    this.turn = turn
    this.record = record
    this.sides = sidesInText(turnWords({ record: fromJson(record) }))
  }

  get isOrdered(): boolean {
    return this.#words !== null
  }

  /** In order, which only a turn needs that is taken in parts. */
  get words(): readonly string[] {
    this.#words ??= [...this.sides.keys()].sort()
    return this.#words
  }
}

/** Reads the words of turns of which some are taken out in one write and some in the next. */
export interface TurnReader {
  /** Null when the turn is so long that reading it is enough for a write; asked again it goes on. */
  read(turn: Pick<IndexedTurn, 'turn' | 'record'>): ReadTurn | null
  /** The turn that was read last is not asked for again. */
  forget(): void
}

/**
 * Keeps the words of the turn that was read last: tens of thousands take longer to be told apart than to be taken out.
 */
export function createTurnReader(longRecord: number = LONG_RECORD): TurnReader {
  let last: ReadTurn | null = null
  return {
    read({ turn, record }) {
      const isLong = record.length > longRecord
      if (last?.turn !== turn || last.record !== record) {
        last = new ReadTurn(turn, record)
        if (isLong) return null
      }
      if (!isLong || last.isOrdered) return last
      return last.words.length > 0 ? null : last
    },
    forget() {
      last = null
    },
  }
}
