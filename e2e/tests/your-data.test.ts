import { readFile } from 'node:fs/promises'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type WebhookSender } from '@colloquy/core'
import { aNewEndpoint, createFakeClock, createScriptedRuntime, START } from '@colloquy/core/testing'
import { ADA, handoffOf } from '@colloquy/test-support/desk-bench'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { useServer } from '@colloquy/test-support/servers'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { openVisitor } from '@colloquy/test-support/visitor'
import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'

const POSTGRES_URL = await useServer('postgres')

type Rows = readonly Readonly<Record<string, unknown>>[]

/** A database that holds a store, and what SQL of it answers. */
interface Opened {
  readonly store: ReturnType<typeof createSqliteStore> | Awaited<ReturnType<typeof createPostgresStore>>
  query(sql: string): Promise<Rows>
}

async function openSqlite(): Promise<Opened> {
  const filename = await freshDatabase()
  const store = createSqliteStore({ filename })
  return {
    store,
    async query(sql) {
      const database = new Database(filename, { readonly: true })
      const rows = database.prepare<[], Rows[number]>(sql).all()
      database.close()
      return rows
    },
  }
}

async function openPostgres(): Promise<Opened> {
  const connectionString = await postgresDatabase(POSTGRES_URL)
  return {
    store: await createPostgresStore({ url: connectionString }),
    async query(sql) {
      const client = new pg.Client({ connectionString, options: '-c search_path=colloquy' })
      await client.connect()
      return client.query<Rows[number]>(sql).then(
        async ({ rows }) => {
          await client.end()
          return rows
        },
        async error => {
          await client.end()
          throw error
        },
      )
    },
  }
}

const DATABASES = { SQLite: openSqlite, PostgreSQL: openPostgres } as const

/** The questions of the page that are for a database, by their headings; a first line names the one that is meant. */
async function questionsFor(
  database: string,
): Promise<readonly { readonly heading: string; readonly sql: string }[]> {
  const page = await readFile(new URL('../../docs/guides/your-data.md', import.meta.url), 'utf8')
  return page
    .split(/^## /m)
    .flatMap(section => {
      const heading = section.slice(0, section.indexOf('\n'))
      return Array.from(section.matchAll(/^```sql\n(.*?)^```/gms), ([, sql = '']) => ({ heading, sql }))
    })
    .filter(({ sql }) => !sql.startsWith('-- ') || sql.startsWith(`-- ${database}\n`))
}

const DAY_OF_THE_PAGE = Date.UTC(2026, 0, 1)

test.each(Object.entries(DATABASES))('the questions of the page have answers in %s', async (name, open) => {
  const { query, store } = await open()
  expect(START).toBe(DAY_OF_THE_PAGE)
  const clock = createFakeClock()
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: { person: [{ type: 'handoff', destination: 'reception', reason: 'asked' }] },
      otherwise: 'Yes.',
    },
    clock,
  )
  const webhookSender: WebhookSender = {
    objection: () => null,
    send: async () => ({ type: 'answered', status: 503 }),
  }
  const platform = createPlatform({ store, clock, runtime, webhookSender, rateLimits: null })
  onTestFinished(() => platform.close())
  const [waiting, rated, taken] = [
    await openVisitor(platform, clock),
    await openVisitor(platform, clock),
    await openVisitor(platform, clock),
  ]
  const { accountId, agentId } = waiting
  await platform.webhooks.createEndpoint(accountId, aNewEndpoint('https://hooks.example.com/in'))
  for (const visitor of [waiting, rated, taken]) await visitor.join()
  for (const visitor of [waiting, taken]) await visitor.say('person')
  // Time does not pass before the database has answered, which this clock does not wait for.
  await vi.waitUntil(async () => (await platform.desk.handoffs(accountId, 'waiting')).length === 2)
  await clock.advance(4_000)
  await platform.desk.accept(accountId, handoffOf(taken), ADA)
  await platform.messaging.rateSession({
    ...{ sessionId: rated.id, accessToken: rated.accessToken },
    read: async () => ({ score: 4, comment: 'Good.' }),
  })
  await rated.end()
  await clock.advance(1_000)
  const answers = new Map<string, Rows[]>()
  for (const { heading, sql } of await questionsFor(name)) {
    const rows = (await query(sql.replace("'CONVERSATION'", `'${rated.id}'`))).map(row =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          /^\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value,
        ]),
      ),
    )
    answers.set(heading, [...(answers.get(heading) ?? []), rows])
  }
  expect(Object.fromEntries(answers)).toEqual({
    'Conversations of a day': [
      [
        {
          agent_id: agentId,
          environment: 'live',
          channel: expect.any(String),
          conversations: 3,
          still_open: 2,
        },
      ],
    ],
    'Handoffs by queue': [
      [
        {
          account_id: accountId,
          queue_name: 'reception',
          status: 'active',
          handoffs: 1,
          since: expect.any(Number),
        },
        {
          account_id: accountId,
          queue_name: 'reception',
          status: 'waiting',
          handoffs: 1,
          since: expect.any(Number),
        },
      ],
      [{ queue_name: 'reception', taken: 1, seconds: 4, longest: 4 }],
    ],
    'Ratings by deployment': [[{ deployment: expect.any(String), ratings: 1, score: 4 }]],
    'What happened in a conversation': [
      expect.arrayContaining([
        {
          sequence: 1,
          at: START,
          type: 'SESSION_START',
          payload: expect.stringContaining('"capabilities"'),
        },
        {
          sequence: expect.any(Number),
          at: expect.any(Number),
          type: 'AI_AGENT_MESSAGE',
          payload: expect.stringContaining('"text":"Welcome."'),
        },
      ]),
    ],
    'Webhooks that do not arrive': [
      [
        {
          endpoint_id: expect.any(String),
          status: 'pending',
          deliveries: expect.any(Number),
          next_at: expect.any(Number),
        },
      ],
    ],
    'What was changed': [
      expect.arrayContaining([expect.objectContaining({ action: 'webhook_endpoint.created' })]),
    ],
  })
})
