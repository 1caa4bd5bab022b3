import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Embedder, type RecordQuery } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, START } from '@colloquy/core/testing'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { median, printGoal, timed } from './compare.ts'
import { withFolder } from './with-folder.ts'

const CONVERSATIONS = 10_000
const TURNS = 10
const DIMENSION = 512
const RUNS = 5
/** A word that few turns have. */
const RARE = 'marmalade'

/** Conversations for each one that contains the rare word. */
const RARE_EVERY = 500

/**
 * As many numbers as usual models give, out of the text alone, in next to no time: so the platform's own cost is what
 * is left.
 */
function embedText(text: string): Float32Array {
  let seed = 1
  for (let at = 0; at < text.length; at++) seed = (Math.imul(seed, 31) + text.charCodeAt(at)) >>> 0
  return Float32Array.from({ length: DIMENSION }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 31 - 1
  })
}

/** Counts what it embeds; `done` resolves once it was as many texts. */
function createCountingEmbedder(texts: number) {
  let left = texts
  let finish = (): void => {}
  const done = new Promise<void>(resolve => {
    finish = resolve
  })
  const embedder: Embedder = {
    id: 'bench@1',
    async embed(some) {
      left -= some.length
      if (left === 0) finish()
      return some.map(embedText)
    },
  }
  return { embedder, done }
}

const turn = (conversation: number, number: number) => ({
  record: {
    user_input:
      conversation % RARE_EVERY === 0 && number === 0
        ? `Is there ${RARE} for guest ${conversation}?`
        : `I would like to know about matter ${number} of guest ${conversation}.`,
    agent_response: `About matter ${number} there is a lot to say to guest ${conversation}.`,
  },
  details: {},
})

async function fill({ conversations }: Store): Promise<void> {
  const together = 100
  for (let from = 0; from < CONVERSATIONS; from += together) {
    const some = Array.from({ length: together }, (_, at) =>
      conversations.create(
        aConversation(`C-${from + at}`, {
          startedAt: START + from + at,
          turns: Array.from({ length: TURNS }, (_, number) => turn(from + at, number)),
          index: { finishedAt: START + from + at + 60_000 },
        }),
      ),
    )
    await Promise.all(some)
  }
}

/** Medians of several runs: the time, and the longest in which the event loop was blocked. */
async function measured(operation: () => Promise<unknown>) {
  const times: number[] = []
  const stalls: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    times.push(await timed(operation))
    delay.disable()
    stalls.push(delay.max / 1e6)
  }
  return { time: median(times), stall: median(stalls) }
}

/** The floor of a comparison with everything: the same products over one array of bytes that lies in memory. */
function compareInMemory(vectors: Int8Array, asked: Float32Array): number {
  let best = Number.NEGATIVE_INFINITY
  for (let from = 0; from < vectors.length; from += DIMENSION) {
    let sum = 0
    for (let at = 0; at < DIMENSION; at++) sum += (vectors[from + at] ?? 0) * (asked[at] ?? 0)
    best = Math.max(best, sum)
  }
  return best
}

/**
 * Measures searches of conversations by words and by meaning, and the embedding of their turns, in a SQLite file
 * (rules RC40 to RC51).
 */
export async function benchSearch(): Promise<void> {
  await withFolder(async folder => {
    const store = createSqliteStore({ filename: join(folder, 'search.db') })
    await fill(store)
    console.log(`\nSearches through ${CONVERSATIONS} conversations of ${TURNS} turns in SQLite`)
    const { embedder, done } = createCountingEmbedder(CONVERSATIONS * TURNS * 2)
    const platform = createPlatform({
      store,
      runtime: createRetrievalRuntime(),
      embedder,
      semanticSearch: { batchTurns: 64 },
    })
    const embedding = await timed(() => done)
    printGoal('embedding a turn: read, two vectors, kept', embedding / (CONVERSATIONS * TURNS), null)
    const filter = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
    const search = (more: Partial<RecordQuery>) => () =>
      platform.reading.records({ ...filter, ...more }, { offset: 0 }, 100)
    const words = await measured(search({ words: { words: [RARE], speaker: 'either' } }))
    printGoal(`by words, ${CONVERSATIONS / RARE_EVERY} of them found`, words.time, null)
    const semantic = { text: `Is there ${RARE} for guest ${RARE_EVERY}?`, speaker: 'either' } as const
    const found = await search({ semantic })()
    if (found.records.length === 0) throw new Error('The semantic search finds nothing.')
    const all = await measured(search({ semantic }))
    const vectors = Int8Array.from({ length: CONVERSATIONS * TURNS * 2 * DIMENSION }, (_, at) => at % 255)
    const asked = embedText(semantic.text)
    const floor = await measured(async () => compareInMemory(vectors, asked))
    printGoal(`by semantic, ${found.records.length} found`, all.time, null)
    printGoal('  longest stall', all.stall, 10)
    printGoal(
      `the floor: the same vectors in memory (1/${(all.time / floor.time).toFixed(1)})`,
      floor.time,
      null,
    )
    await platform.close()
  })
}
