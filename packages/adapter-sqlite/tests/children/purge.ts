/** Removes finished conversations of the usual agent in small steps, and prints how many each step has removed. */
import { ACCOUNT, AGENT } from '@colloquy/core/testing'
import { createSqliteStore } from '../../src/store.ts'

const [filename = '', limit = ''] = process.argv.slice(2)
const store = createSqliteStore({ filename })
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
let more = true
while (more) {
  const step = await store.conversations.removals.removeFinished(live, Number.MAX_SAFE_INTEGER, Number(limit))
  process.stdout.write(`${step.removed}\n`)
  more = step.more
}
await store.close()
