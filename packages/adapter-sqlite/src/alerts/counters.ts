import type { CounterStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { type AlertStatements, fromCount } from './alert-statements.ts'

/** Counters in SQLite. */
export function counterMethods({ read, write }: Session, run: AlertStatements): CounterStore {
  return {
    async add(counts) {
      const rows = counts.map(fromCount)
      if (rows.length === 0) return
      await write('add to counters', () => {
        for (const row of rows) run.addCount.run(row)
      })
    },
    sum: ({ accountId, agentId = null, name, from }) =>
      read('read counters', () => run.sums.all({ accountId, agentId, name, from })),
    async forget(before, limit) {
      const operation = 'forget counters'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await read(operation, () => run.oldCounts.get({ before, limit: 1 }) !== undefined)
      if (!some) return 0
      return write(operation, () => {
        const old = run.oldCounts.all({ before, limit })
        for (const row of old) run.dropCount.run(row)
        return old.length
      })
    },
  }
}
