import type { AlertStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { ruleMethods } from './alert-rules.ts'
import { alertStatements } from './alert-statements.ts'
import { counterMethods } from './counters.ts'

/** Alert rules and counters in SQLite. */
export function createAlertStore(session: Session, keeper: OutboxKeeper): AlertStore {
  const run = alertStatements(session.define)
  return { rules: ruleMethods(session, run, keeper), counters: counterMethods(session, run) }
}
