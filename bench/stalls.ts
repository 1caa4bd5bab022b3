import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import type { Store } from '@colloquy/core/store'
import { furnish } from './reception.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { STALL_UNIT, STALLS, STALLS_ROW } from './table/stall-rows.ts'
import { watchTurns } from './watch-turns.ts'
import { withFolder } from './with-folder.ts'

const CHATS = 256

/** Messages of each chat. */
const MESSAGES = 8

/** Creates a runtime that answers in microtasks: it never ends a turn of the event loop itself. */
const runtimeOf = (parts: number): AgentRuntime => ({
  async *respond() {
    for (let part = 0; part < parts; part++) yield { type: 'text', text: 'word ' }
  },
})

/** The longest turn of the event loop while all chats talk, milliseconds. */
async function longestStall(store: Store, parts: number): Promise<number> {
  const platform = createPlatform({ store, runtime: runtimeOf(parts), rateLimits: null })
  const { agent } = await furnish(platform)
  const talk = async (messages: number): Promise<void> => {
    const { state } = await platform.debugChat.start(agent, { environment: 'live' })
    for (let said = 0; said < messages; said++)
      await platform.debugChat.send(agent, state.id, { environment: 'live', message: 'Hello' })
  }
  // The first chats compile what they use.
  for (let chat = 0; chat < 20; chat++) await talk(MESSAGES)
  const longest = watchTurns()
  await Promise.all(Array.from({ length: CHATS }, () => talk(MESSAGES)))
  const { clock } = await longest()
  await platform.close()
  return clock
}

/** Measures for how long hundreds of chats keep everything else in the process waiting. */
export async function measureStalls({ rounds = 5 }: BenchOptions): Promise<readonly Result[]> {
  const found: Record<keyof typeof STALLS, number[]> = { memory: [], parts: [], sqlite: [] }
  await withFolder(async folder => {
    for (let round = 0; round < rounds; round++) {
      found.memory.push(await longestStall(createMemoryStore(), 1))
      found.parts.push(await longestStall(createMemoryStore(), 200))
      const filename = join(folder, `${round}.db`)
      found.sqlite.push(await longestStall(createSqliteStore({ filename }), 1))
    }
  })
  return (['memory', 'parts', 'sqlite'] as const).map(name =>
    resultOf({ row: STALLS_ROW, variant: STALLS[name], unit: STALL_UNIT }, found[name]),
  )
}
