/**
 * Removes finished conversations of the usual agent in small steps, and prints how many each step has removed. It is no more than
 * so many steps ahead of who reads, who says with a byte for each that it was read.
 */
import { once } from 'node:events'
import { ACCOUNT, AGENT } from '@colloquy/core/testing'
import { createSqliteStore } from '../../src/store.ts'

const [filename = '', limit = ''] = process.argv.slice(2)
const store = createSqliteStore({ filename })
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const MOST_AHEAD = 50
let ahead = 0
process.stdin.on('data', read => {
  ahead -= read.length
})
let more = true
while (more) {
  while (ahead >= MOST_AHEAD) await once(process.stdin, 'data')
  ahead++
  const step = await store.conversations.removals.removeFinished(live, Number.MAX_SAFE_INTEGER, Number(limit))
  process.stdout.write(`${step.removed}\n`)
  more = step.more
}
await store.close()
process.stdin.destroy()
