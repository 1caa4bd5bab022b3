import { PlatformError } from '../../errors.ts'
import type { DebugTurn } from './debug-turn.ts'

/** The stated failure of a turn of a debug chat, with the record of the turn (FN40). */
export class TurnFailed extends PlatformError {
  readonly turn: DebugTurn

  constructor(turn: DebugTurn) {
    super('AGENT_FAILED', String(turn.turn.details.stated_failure))
    this.turn = turn
  }
}
