import { turnsText } from './conversation-log.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import { recordTextOf } from './state-parts.ts'

/**
 * Bytes of the turns that a finished conversation keeps as one text besides; longer ones are put together from the
 * chain.
 */
const KEPT_WHOLE = 4_194_304

/** The text of a finished conversation's record, from what is written by now. */
export function writeRecord(run: ConversationStatements, row: number): void {
  const parts = run.parts.get({ row })
  if (parts === undefined) throw new Error('A conversation has no head.')
  run.setRecord.run({ row, ...recordTextOf(parts), turns: turnsText(run, parts.lastTurn, KEPT_WHOLE) })
}
