import type { AlertStore, CounterStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { ruleMethods } from './alert-rules.ts'
import { type AlertStatements, alertStatements, counterColumns, fromCount } from './alert-statements.ts'

const counterMethods = (run: AlertStatements): CounterStore => ({
  async add(counts) {
    if (counts.length > 0) await run.add.all(counterColumns(counts.map(fromCount)))
  },
  sum: ({ accountId, agentId = null, name, from }) => run.sums.all({ accountId, agentId, name, from }),
  forget: async (before, limit) => (await run.forget.all({ before, limit })).length,
})

/** Alert rules and counters in PostgreSQL. */
export function createAlertStore({ define }: Session): AlertStore {
  const run = alertStatements(define)
  return { rules: ruleMethods(run), counters: counterMethods(run) }
}
