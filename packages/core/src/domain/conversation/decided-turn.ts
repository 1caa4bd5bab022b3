import type { JsonObject } from '../json.ts'
import type { StoredTurn } from './record.ts'

/** A turn's two parts as `JSON.stringify` makes them. */
export interface TurnText {
  readonly record: string
  readonly details: string
}

const textOf = ({ record, details }: StoredTurn): TurnText => ({
  record: JSON.stringify(record),
  details: JSON.stringify(details),
})

/** A turn that was just decided. It knows its text, as its events know theirs. */
class DecidedTurn implements StoredTurn {
  readonly record: JsonObject
  readonly details: JsonObject
  readonly #text: TurnText

  constructor(turn: StoredTurn) {
    this.record = turn.record
    this.details = turn.details
    this.#text = textOf(turn)
  }

  static textOf(turn: StoredTurn): TurnText {
    return turn instanceof DecidedTurn ? turn.#text : textOf(turn)
  }
}

/** Returns the same turn with its text in memory. */
export const decidedTurn = (turn: StoredTurn): StoredTurn =>
  turn instanceof DecidedTurn ? turn : new DecidedTurn(turn)

/** Returns the text of a turn; of one that was just decided it is there already. */
export const turnText = DecidedTurn.textOf
