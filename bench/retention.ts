import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { ConversationWrite, Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anEvent, aTurn, START } from '@colloquy/core/testing'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { z } from 'zod'
import { withFolder } from './with-folder.ts'

/** Amount of data, and of data to remove. */
export interface RetentionOptions {
  /** Each a file of its own. @default 10000, 100000, 1000000 */
  readonly sizes?: readonly number[]
  /** Most conversations to remove from each file. @default 20000 */
  readonly removed?: number
}

/** Different words, of which some are said often and most hardly ever. */
const VOCABULARY = 20_000

const WORDS_OF_A_TURN = 20

const sentence = (): string =>
  Array.from({ length: WORDS_OF_A_TURN }, () => `word${Math.floor(VOCABULARY * Math.random() ** 3)}`).join(
    ' ',
  )

/** Small finished conversations, a second between their ends: six events and three turns each. */
async function fill(store: Store, conversations: number): Promise<void> {
  const together = 500
  for (let from = 0; from < conversations; from += together) {
    const some = Array.from({ length: Math.min(together, conversations - from) }, (_, index) => {
      const startedAt = START + (from + index) * 1_000
      return store.conversations.create(
        aConversation(globalThis.crypto.randomUUID(), {
          startedAt,
          events: Array.from({ length: 6 }, () => anEvent()),
          turns: Array.from({ length: 3 }, () => aTurn(sentence())),
          index: { finishedAt: startedAt + 60_000 },
        }),
      )
    })
    await Promise.all(some)
  }
}

/** Another process that writes to the file all the time. */
async function startWriter(filename: string): Promise<ChildProcess> {
  const writer = fork(fileURLToPath(new URL('./retention-writer.ts', import.meta.url)), [filename])
  await once(writer, 'message')
  return writer
}

/** Stops the writer; how long each of its appends took, milliseconds. */
async function stopWriter(writer: ChildProcess): Promise<readonly number[]> {
  writer.send('stop')
  const [took] = await once(writer, 'message')
  return z.array(z.number()).parse(took)
}

const shown = (took: readonly number[]): string => {
  const sorted = [...took].sort((a, b) => a - b)
  const at = (part: number): string =>
    (sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms (${sorted.length})`
}

/**
 * The same store; `steps` gets the CPU milliseconds of each step of a removal: a machine that is busy otherwise does
 * not change them much.
 */
const timed = (store: Store, steps: number[]): Store => ({
  ...store,
  conversations: {
    ...store.conversations,
    removals: {
      ...store.conversations.removals,
      async removeFinished(...input) {
        const before = process.cpuUsage()
        const step = await store.conversations.removals.removeFinished(...input)
        const { user, system } = process.cpuUsage(before)
        steps.push((user + system) / 1_000)
        return step
      },
    },
  },
})

/**
 * The most CPU milliseconds that one turn of the event loop takes until it is stopped: what others wait, were the
 * machine idle.
 */
function longestTurn(): () => number {
  let [longest, before] = [0, process.cpuUsage()]
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.cpuUsage()
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

/** Runs something beside a writer in another process, and prints how long both were held up. */
async function besideWriter(name: string, filename: string, run: () => Promise<string>): Promise<void> {
  const writer = await startWriter(filename)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const stop = longestTurn()
  const result = await run()
  delay.disable()
  const turn = stop()
  console.log(`${name}: ${result}`)
  console.log(
    `  event loop: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(1)} ms, most CPU of a turn ${turn.toFixed(1)} ms`,
  )
  console.log(`  appends of another process: ${shown(await stopWriter(writer))}`)
}

/** Purges the oldest of many small conversations from a SQLite file of each size, see {@link benchSize}. */
export async function benchRetention(options: RetentionOptions = {}): Promise<void> {
  const { sizes = [10_000, 100_000, 1_000_000], removed = 20_000 } = options
  for (const conversations of sizes) await benchSize(conversations, Math.min(removed, conversations / 2))
  await withFolder(benchBound)
}

/** So many different words that hardly any is said twice. */
const rareWords = (characters: number): string => {
  let text = ''
  while (text.length < characters) text += `${Math.random().toString(36).slice(2, 9)} `
  return text
}

/** Contents of the only conversation. */
const LONG: Readonly<Record<string, Partial<ConversationWrite>>> = {
  '50,000 events': {
    events: Array.from({ length: 50_000 }, (_, index) =>
      anEvent({ payload: { text: 'a room for two '.repeat(10) }, clientEventId: `c-${index}` }),
    ),
  },
  '4 of the longest turns that there are, every word a new one': {
    turns: Array.from({ length: 4 }, () => ({
      record: { user_input: rareWords(131_072), agent_response: rareWords(100_000) },
      details: {},
    })),
  },
  '16 MB of state': {
    state: aConversation('AS-1', { state: { variables: { text: 'a room for two '.repeat(1_100_000) } } })
      .state,
  },
}

/**
 * Removes conversations that are as long as they may be, one by one, and prints the most that a turn of the loop takes.
 */
async function benchBound(folder: string): Promise<void> {
  const store = createSqliteStore({ filename: join(folder, 'bound.db') })
  console.log('\nRemoving a conversation at its bound from a SQLite file')
  for (const [name, held] of Object.entries(LONG)) {
    const one = aConversation('AS-1', { index: { finishedAt: START + 60_000 } })
    await store.conversations.create({ ...one, ...held })
    await new Promise(resolve => setTimeout(resolve, 1_000))
    const cpu = process.cpuUsage()
    const stop = longestTurn()
    await store.conversations.removals.remove(ACCOUNT, AGENT, one.conversationId)
    const turn = stop()
    const { user, system } = process.cpuUsage(cpu)
    console.log(
      `${name}: ${((user + system) / 1_000).toFixed(0)} ms CPU, most CPU of a turn ${turn.toFixed(1)} ms`,
    )
  }
  await store.close()
}

/**
 * Purges the oldest of many small conversations from a SQLite file, beside a writer in another process, and prints what
 * it costs and for how long it holds others up.
 */
async function benchSize(conversations: number, removed: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'))
  const filename = join(folder, 'retention.db')
  const store = createSqliteStore({ filename })
  const steps: number[] = []
  const platform = createPlatform({ store: timed(store, steps), runtime: createRetrievalRuntime() })
  const began = performance.now()
  await fill(store, conversations)
  console.log(`\nRemoving ${removed} of ${conversations} conversations from a SQLite file`)
  console.log(`filled in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  await besideWriter('nothing', filename, async () => {
    await new Promise(resolve => setTimeout(resolve, 5_000))
    return 'for 5 s'
  })
  await besideWriter('purge', filename, async () => {
    const cpu = process.cpuUsage()
    const started = performance.now()
    const purged = await platform.conversations.purge({ olderThan: START + removed * 1_000 + 60_000 })
    const seconds = (performance.now() - started) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    return `${purged.conversations} conversations in ${seconds.toFixed(1)} s, ${((user + system) / purged.conversations).toFixed(1)} µs CPU each`
  })
  console.log(`  CPU of a step: ${shown(steps)}`)
  await platform.close()
  await rm(folder, { recursive: true })
}
