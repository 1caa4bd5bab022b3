import { once } from 'node:events'
import { createServer, get, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import { aConversation, anEvent, START } from '@colloquy/core/testing'
import { createRequestListener } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import BetterSqlite3 from 'better-sqlite3'
import { median, printGoal, timed } from './compare.ts'
import { withFolder } from './with-folder.ts'

const RECORDS = 1_000_000
const PAGE = 5_000
const TURNS = 10
const RUNS = 9
/** Between the starts of two conversations, milliseconds. */
const APART = 1_000

/** A turn of the length that is usual. */
const turn = (number: number) => ({
  record: {
    user_input: `I would like to know about matter number ${number}, if you have a moment for it.`,
    user_input_dtmf: '',
    user_input_datetime: '2026-01-05T10:00:00.000Z',
    agent_response: `About matter number ${number} there is a lot to say, and this is what most people want to hear first.`,
    agent_response_datetime: '2026-01-05T10:00:01.000Z',
    latency: 0.4,
    translated_user_input: '',
    english_agent_response: '',
    intents: ['matter'],
    entities: [],
    is_ood: false,
    is_silence: false,
  },
  details: {},
})

/** Returns the log's events of a turn. */
const eventsOf = ({ record: { user_input, agent_response } }: ReturnType<typeof turn>, number: number) => [
  anEvent({ id: `V-${number}`, payload: { text: user_input, message_id: `v-${number}` } }),
  anEvent({
    id: `A-${number}`,
    type: 'AI_AGENT_MESSAGE',
    payload: { text: agent_response, message_id: `a-${number}` },
  }),
]

/**
 * One conversation goes in through the store, and is then copied row by row with another id and start: to write a
 * million of them turn by turn takes an hour and makes no difference to who reads lists. All copies share its log.
 * Beside them lies a page as one BLOB.
 */
export async function fillWithConversations(filename: string, records: number) {
  const store = createSqliteStore({ filename })
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  const account = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Bench', greeting: 'Hello' })
  const { secret } = await platform.access.createApiKey({
    kind: 'project',
    accountId: account.id,
    agentId: agent.id,
  })
  const turns = Array.from({ length: TURNS }, (_, number) => turn(number))
  const first = aConversation('C-first', {
    agentId: agent.id,
    startedAt: START,
    state: { endedAt: START + 60_000 },
    events: turns.flatMap(eventsOf),
    turns,
    index: { accountId: account.id, finishedAt: START + 60_000 },
  })
  await store.conversations.create(first)
  await platform.close()
  const database = new BetterSqlite3(filename)
  database.pragma('synchronous = OFF')
  database.exec(`
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${records - 1})
    INSERT INTO conversation (id, former_version, former_sequence, scope, listed, started_at, finished_at, span, variant,
      channel, language, to_number, summary, details, turns, state)
    SELECT printf('C-%08d', n), 0, 0, scope, listed, started_at + n * ${APART}, finished_at + n * ${APART},
      span, variant, channel, language, to_number, replace(summary, 'C-first', printf('C-%08d', n)), details, turns, state
    FROM number, conversation WHERE conversation.id = 'C-first';
    INSERT INTO conversation_head (row, version, sequence, last_event, last_turn, finished, postponed, claims)
    SELECT conversation.row, 1, sequence, last_event, last_turn, 1, 0, 0 FROM conversation,
      (SELECT sequence, last_event, last_turn FROM conversation_head) WHERE id <> 'C-first';
    DELETE FROM record_count;
    INSERT INTO record_count SELECT scope, 86400000, started_at / 86400000, count(*) FROM conversation GROUP BY 1, 3;
    INSERT INTO record_count SELECT scope, 60000, started_at / 60000, count(*) FROM conversation GROUP BY 1, 3;
    CREATE TABLE page (body BLOB);
    INSERT INTO page SELECT CAST(group_concat(summary || turns, ',') AS BLOB) FROM
      (SELECT summary, turns FROM conversation WHERE listed = 1 ORDER BY started_at LIMIT ${PAGE});
  `)
  database.close()
  return { key: secret, accountId: account.id, agentId: agent.id }
}

/** Serves requests while `use` runs; hands over what fetches a path to its end, and resolves to its bytes. */
async function serving(
  listener: RequestListener,
  use: (fetchAll: (path: string, headers?: Record<string, string>) => Promise<number>) => Promise<void>,
): Promise<void> {
  const server = createServer(listener).listen(0)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await use(async (path, headers = {}) => {
    const [response] = await once(get({ port, path, headers }), 'response')
    if (response.statusCode !== 200) throw new Error(`GET ${path} was answered with ${response.statusCode}.`)
    let bytes = 0
    for await (const chunk of response) bytes += chunk.length
    return bytes
  })
  server.close()
  server.closeAllConnections()
}

/**
 * Median of several runs after the first, milliseconds, and the longest time for which the event loop was blocked in
 * the median run.
 */
async function measured(operation: () => Promise<unknown>) {
  const times: number[] = []
  const stalls: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const time = await timed(operation)
    delay.disable()
    if (run > 0) times.push(time)
    if (run > 0) stalls.push(delay.max / 1e6)
  }
  return { time: median(times), stall: median(stalls) }
}

async function measureLists(platform: Platform, key: string, floor: number): Promise<void> {
  const [account] = (await platform.access.accounts()).accounts
  const [agent] = account === undefined ? [] : await platform.agents.list(account.id)
  if (account === undefined || agent === undefined) throw new Error('The file holds no agent.')
  const path = `/${account.id}/${agent.id}/conversations`
  const headers = { 'x-api-key': key }
  await serving(createRequestListener(platform), async fetchAll => {
    const page = await measured(() => fetchAll(`/v1${path}?limit=${PAGE}`, headers))
    printGoal(
      `v1, ${PAGE} records (${(page.time / floor).toFixed(2)} of the floor, goal 2)`,
      page.time,
      2 * floor,
    )
    printGoal('  longest stall, client included', page.stall, 10)
  })
  const filter = { accountId: account.id, agentId: agent.id, environment: 'live' } as const
  const deep = await measured(() => platform.reading.records(filter, { offset: 500_000 }, 5))
  printGoal('v1, 5 records at offset 500,000', deep.time, 1)
  const after = { startedAt: START + 500_000 * APART, id: 'C-00500000' }
  const cursor = await measured(() => platform.reading.records(filter, { after }, 100))
  printGoal('v3, 100 records after a cursor in the middle', cursor.time, null)
}

/** Measures pages of many conversation records, from a SQLite file. */
export async function benchRecords(
  records = Number(process.env.COLLOQUY_BENCH_RECORDS ?? RECORDS),
): Promise<void> {
  await withFolder(async folder => {
    const filename = join(folder, 'records.db')
    const began = performance.now()
    const { key } = await fillWithConversations(filename, records)
    console.log(`\nLists of ${records} records of ${TURNS} turns in SQLite`)
    console.log(`filled in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    const database = new BetterSqlite3(filename, { readonly: true })
    const blob = database.prepare<[], Buffer>('SELECT body FROM page').pluck()
    let floor = Number.NaN
    await serving(
      (_, response) => response.end(blob.get()),
      async fetchAll => {
        const bytes = await fetchAll('/')
        floor = (await measured(() => fetchAll('/'))).time
        printGoal(`the floor: ${(bytes / 1e6).toFixed(1)} MB out of one BLOB`, floor, null)
      },
    )
    database.close()
    const platform = createPlatform({
      store: createSqliteStore({ filename }),
      runtime: createRetrievalRuntime(),
      rateLimits: null,
    })
    await measureLists(platform, key, floor)
    await platform.close()
  })
}
