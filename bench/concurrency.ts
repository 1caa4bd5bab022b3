import { statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import type { ConversationWrite, Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation } from '@colloquy/core/testing'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { median, printGoal, timed } from './compare.ts'
import { openDuckDb, openWindowFunction, type Peer } from './concurrency-peers.ts'
import { withFolder } from './with-folder.ts'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE
const VARIANTS = 5
const RUNS = 9

/** Figures asked for in the middle of the day: the week's first and last parts are not whole. */
export const FROM = Date.UTC(2026, 0, 5, 10)

/** Size of the data. */
export interface ConcurrencyOptions {
  /** Within the week that is asked for; some more lie before it. @default 1000000 */
  readonly conversations?: number
}

/** Starts and ends of conversations. */
export interface Calls {
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/**
 * Busy by day, quiet by night; four minutes on average, some far longer; in the order of their starts. The same every
 * time.
 */
export function makeCalls(conversations: number): Calls {
  let seed = 20_260_105
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const starts = Float64Array.from({ length: conversations }, () => {
    const day = Math.floor(random() * 7)
    // The sum of three draws is a hill around the middle of the day.
    const hour = ((random() + random() + random()) / 3) * 24
    return FROM - 10 * 60 * MINUTE + Math.floor((day * 24 + hour) * 60 * MINUTE)
  }).sort()
  const ends = starts.map(start => {
    const long = random() < 0.002 ? 300 : 1
    return start + Math.floor(-Math.log(1 - random()) * 4 * MINUTE * long)
  })
  return { starts, ends }
}

/** One of them as a platform writes it. */
export const aCall = (call: number, startedAt: number, finishedAt: number): ConversationWrite =>
  aConversation(`C-${call}`, {
    startedAt,
    index: {
      finishedAt,
      variantId: `v${call % VARIANTS}`,
      variantName: `Variant ${call % VARIANTS}`,
      toNumber: '+441632960000',
      language: call % 10 === 0 ? 'de-DE' : 'en-GB',
    },
  })

/** Writes them as they happen: in the order of their ends, as a platform does. */
export async function fillWithCalls(store: Store, { starts, ends }: Calls): Promise<void> {
  const order = Uint32Array.from(starts.keys()).sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0))
  const together = 5_000
  for (let from = 0; from < order.length; from += together) {
    const some = Array.from(order.subarray(from, from + together), call =>
      store.conversations.create(aCall(call, starts[call] ?? 0, ends[call] ?? 0)),
    )
    await Promise.all(some)
  }
}

/** The longest time for which the event loop did nothing else while `operation` ran, milliseconds. */
async function longestStall(operation: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await operation()
  delay.disable()
  return delay.max / 1e6
}

/** Peaks of the week. */
export const ask = (
  platform: Platform,
  more: { readonly sliceBy?: 'variant'; readonly language?: string } = {},
) =>
  platform.reading.concurrency({
    accountId: ACCOUNT,
    agentId: AGENT,
    environment: 'live',
    startTime: FROM,
    endTime: FROM + WEEK,
    ...more,
  })

/** Opens a platform with an empty cache, uses it, and closes it. */
async function withFresh<Result>(
  filename: string,
  use: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const store = createSqliteStore({ filename })
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  try {
    return await use(platform)
  } finally {
    await platform.close()
  }
}

/**
 * Prints medians of several runs, each over a platform of its own with an empty cache, and then once more with a full
 * one.
 */
async function measureOurs(filename: string): Promise<void> {
  const kinds = [
    { name: 'all', more: {} },
    { name: 'sliced by variant', more: { sliceBy: 'variant' } },
    { name: 'one language of two', more: { language: 'de-DE' } },
  ] as const
  for (const { name, more } of kinds) {
    const [fresh, cached, stalls]: [number[], number[], number[]] = [[], [], []]
    for (let run = 0; run < RUNS; run++) {
      await withFresh(filename, async platform => {
        fresh.push(await timed(() => ask(platform, more)))
        cached.push(await timed(() => ask(platform, more)))
      })
      stalls.push(await withFresh(filename, platform => longestStall(() => ask(platform, more))))
    }
    printGoal(`ours, ${name}`, median(fresh), null)
    printGoal(`ours, ${name}, asked again`, median(cached), 5)
    printGoal(`ours, ${name}, longest stall`, median(stalls), 15)
  }
}

/** Times a peer and ours in turn, so that both meet the same machine, and makes sure that they count the same. */
async function measurePeer(peer: Peer, filename: string, goal: number | null): Promise<void> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let run = 0; run < peer.runs; run++) {
    ours.push(await withFresh(filename, platform => timed(() => ask(platform))))
    theirs.push(await timed(() => peer.count(FROM, FROM + WEEK)))
  }
  const { series } = await withFresh(filename, platform => ask(platform))
  const peaks = series[0]?.peaks ?? new Uint32Array()
  const counted = await peer.count(FROM, FROM + WEEK)
  const other = peaks.findIndex((peak, window) => peak !== counted[window])
  if (other !== -1)
    throw new Error(`${peer.name} counts ${counted[other]} in window ${other}, not ${peaks[other]}`)
  const ratio = median(theirs) / median(ours)
  const verdict = goal === null ? '' : `, goal ${goal} ×: ${ratio >= goal ? 'met' : 'NOT MET'}`
  printGoal(`ours, in turn with ${peer.name}`, median(ours), null)
  printGoal(`${peer.name}: ${ratio.toFixed(1)} × ours${verdict}`, median(theirs), null)
}

/**
 * Peaks of a week of conversations out of a SQLite file, against a window function of SQLite and, where
 * `COLLOQUY_BENCH_DUCKDB` names a folder with `@duckdb/node-api` in its `node_modules`, against DuckDB.
 */
export async function benchConcurrency(options: ConcurrencyOptions = {}): Promise<void> {
  const { conversations = 1_000_000 } = options
  await withFolder(async folder => {
    const filename = join(folder, 'concurrency.db')
    const calls = makeCalls(conversations)
    const store = createSqliteStore({ filename })
    const filling = await timed(() => fillWithCalls(store, calls))
    await store.close()
    console.log(
      `\nConcurrency: a week of ${conversations.toLocaleString('en-GB')} conversations in a SQLite file`,
    )
    const bytes = statSync(filename).size / conversations
    console.log(`filled in ${(filling / 1_000).toFixed(1)} s; ${bytes.toFixed(0)} bytes a conversation`)
    await measureOurs(filename)
    const sqlite = await openWindowFunction(join(folder, 'peer.db'), calls)
    await measurePeer(sqlite, filename, null)
    const duck = await openDuckDb(join(folder, 'peer.duckdb'), calls)
    if (duck === null) console.log('COLLOQUY_BENCH_DUCKDB is not set: DuckDB is not measured')
    else await measurePeer(duck, filename, 3)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchConcurrency()
