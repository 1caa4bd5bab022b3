import { type AgentId, createPlatform } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import {
  ACCOUNT,
  AGENT,
  aConnector,
  aConversation,
  aDeployment,
  anAccount,
  anAgent,
  anApiKey,
  anAppend,
  anEndpoint,
  aRealTimeConfig,
  aTelephonyConnector,
  aTestRun,
  aTurn,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { conversationSnapshot } from '@colloquy/test-support/stored'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Migration, migrate } from '../src/database/migrate.ts'
import { realTimeConfig } from '../src/database/migrations/0005-real-time-config.ts'
import { credentials } from '../src/database/migrations/0009-credentials.ts'
import { testRuns } from '../src/database/migrations/0010-test-runs.ts'
import { listOrders } from '../src/database/migrations/0013-list-orders.ts'
import { deletedIds } from '../src/database/migrations/0015-deleted-ids.ts'
import { claims } from '../src/database/migrations/0016-claims.ts'
import { webhookEndpointShape } from '../src/database/migrations/0017-webhook-endpoint-shape.ts'
import { handoffPlaces } from '../src/database/migrations/0020-handoff-places.ts'
import { telephonyConnectors } from '../src/database/migrations/0021-telephony-connectors.ts'
import { contentBytes } from '../src/database/migrations/0022-content-bytes.ts'
import { conversationHeads } from '../src/database/migrations/0024-conversation-heads.ts'
import { contextKeys } from '../src/database/migrations/0026-context-keys.ts'
import { MIGRATIONS } from '../src/database/migrations/all.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'
import { schemaOf, takeBack } from './take-back.ts'

// Slow: files of every earlier version are made, and brought to the newest.

function open(filename: string): Database {
  const database = new BetterSqlite3(filename)
  onTestFinished(() => {
    database.close()
  })
  return database
}

const versions = (database: Database) =>
  database.prepare('SELECT version FROM schema_migration ORDER BY version').pluck().all()

/** Makes a file what it was at an earlier version, and sees that it is. */
function backTo(database: Database, version: number): void {
  const earlier = open(':memory:')
  migrate(earlier, MIGRATIONS.slice(0, version))
  takeBack(database, version)
  expect(schemaOf(database)).toEqual(schemaOf(earlier))
}

function platformOver(store: Store) {
  const clock = createFakeClock()
  const platform = createPlatform({ store, clock, runtime: createScriptedRuntime({}, clock) })
  return { platform, done: () => platform.close() }
}

const addition: Migration = {
  version: MIGRATIONS.length + 1,
  name: 'addition',
  sql: 'CREATE TABLE addition (value INTEGER) STRICT; INSERT INTO addition VALUES (42)',
}

describe('migrations', () => {
  it('SQ10 versions count from 1 without gaps', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1))
  })

  it.each(MIGRATIONS.map((_, earlier) => ({ earlier })))(
    'SQ11 a file of schema version $earlier is brought to the newest, which is the same as a fresh file’s',
    ({ earlier }) => {
      const [fresh, old] = [open(':memory:'), open(':memory:')]
      migrate(fresh, MIGRATIONS)
      migrate(old, MIGRATIONS.slice(0, earlier))
      migrate(old, MIGRATIONS)
      expect(schemaOf(old)).toEqual(schemaOf(fresh))
      expect(versions(old)).toEqual(MIGRATIONS.map(({ version }) => version))
    },
  )

  it('SQ11 the next migration runs once, over a file that holds data', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    await store.access.tokenKeys.secret('token', 'kept')
    await store.close()
    const database = open(filename)
    migrate(database, [...MIGRATIONS, addition])
    migrate(database, [...MIGRATIONS, addition])
    expect(database.prepare('SELECT value FROM addition').pluck().all()).toEqual([42])
    expect(database.prepare('SELECT value FROM secret').pluck().all()).toEqual(['kept'])
    expect(versions(database)).toEqual([...MIGRATIONS, addition].map(({ version }) => version))
  })

  it('SQ11 a file from before real-time configs keeps its agents, which can be given configs', async () => {
    const filename = temporaryFile()
    const database = open(filename)
    migrate(database, MIGRATIONS.slice(0, MIGRATIONS.indexOf(realTimeConfig)))
    const { agent, main, revision } = anAgent()
    database
      .prepare('INSERT INTO agent VALUES (7, ?, ?, ?, ?, ?)')
      .run(agent.id, agent.accountId, agent.name, agent.createdAt, agent.updatedAt)
    database
      .prepare('INSERT INTO branch VALUES (1, 7, ?, ?, ?, ?, ?, ?)')
      .run(main.id, main.name, main.baseRevision, main.version, main.createdAt, main.updatedAt)
    database
      .prepare('INSERT INTO revision VALUES (7, ?, ?, ?)')
      .run(revision.number, revision.contentHash, revision.createdAt)
    const { agents } = openStore({ filename })
    expect(await agents.find(agent.id)).toEqual(agent)
    expect(await agents.branches.list(agent.id)).toEqual([main])
    expect(await agents.revisions.head(agent.id)).toEqual({ ...revision, contentBytes: 0 })
    expect(await agents.realTimeConfigs.list(agent.id)).toEqual([])
    expect(await agents.realTimeConfigs.write(0, aRealTimeConfig())).toBe('written')
    expect(await agents.realTimeConfigs.find(agent.id, 'sandbox')).toEqual(aRealTimeConfig())
  })

  it('SQ11, AG72 the revisions of a file from before they kept the bytes of their content get them', async () => {
    const filename = temporaryFile()
    const { platform, done } = platformOver(createSqliteStore({ filename }))
    const { access, agents } = platform
    const { id: accountId } = await access.createAccount({ slug: 'one', name: 'One' })
    const revisions: [agentId: AgentId, number: number][] = []
    for (const text of ['é"\n', '\u{1F600}\uD800']) {
      const { id } = await agents.create({ accountId, name: 'An agent', greeting: text })
      const { id: branch } = await agents.createBranch(id, { branchName: 'work' })
      const topic = await agents.createTopic(id, branch, { name: 'Spa', content: text })
      const hotel = await agents.createAttribute(id, branch, { name: 'hotel' })
      await agents.createVariant(id, branch, { name: 'grand', attributeValues: { [hotel.id]: text } })
      await agents.merge(id, branch)
      await agents.updateTopic(id, branch, topic.id, { content: text.repeat(1_000) })
      await agents.merge(id, branch)
      await agents.merge(id, branch)
      await agents.deleteTopic(id, branch, topic.id)
      await agents.deleteAttribute(id, branch, hotel.id)
      await agents.merge(id, branch)
      await agents.createTopic(id, branch, { name: 'Spa', content: text.repeat(10) })
      await agents.merge(id, branch)
      for (let number = 1; number <= 6; number++) revisions.push([id, number])
    }
    const read = (store: Store) =>
      Promise.all(revisions.map(([agentId, number]) => store.agents.revisions.find(agentId, number)))
    const before = await read(contextOf(platform).store)
    await done()
    const database = open(filename)
    backTo(database, contentBytes.version - 1)
    database.close()
    const store = openStore({ filename })
    expect(await read(store)).toEqual(before)
    const [agentId, number] = revisions.at(-1) ?? []
    const resources =
      agentId === undefined ? [] : await store.agents.revisions.resourcesAt(agentId, number ?? 0)
    const whole = resources.reduce((sum, { value }) => sum + Buffer.byteLength(JSON.stringify(value)), 0)
    expect(before.at(-1)?.contentBytes).toBe(whole)
    expect(new Set(before.map(revision => revision?.contentBytes)).size).toBeGreaterThan(8)
  })

  it('SQ11, SQ79 what a file of schema 22 has left of removed conversations goes, and its conversations can be removed', async () => {
    const filename = temporaryFile()
    const database = open(filename)
    migrate(database, MIGRATIONS.slice(0, 22))
    database.exec(`
      INSERT INTO event (row, previous, sequence, event) VALUES (1, NULL, 1, '{}');
      INSERT INTO removed_log (conversation, scope, started_at, last_event, last_turn, words) VALUES (7, 1, 0, 1, NULL, 0)`)
    const store = openStore({ filename })
    const rows = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    await vi.waitFor(() => expect([rows('removed_log'), rows('event')]).toEqual([0, 0]))
    const one = aConversation('AS-1', { index: { finishedAt: START + 1 } })
    await store.conversations.create(one)
    expect(await store.conversations.removals.remove(ACCOUNT, AGENT, one.conversationId)).toBe('removed')
  })

  it('SQ11, SC61 a file from before handoffs had a place keeps those that wait, the longest waiting first', async () => {
    const filename = temporaryFile()
    const first = createSqliteStore({ filename })
    const since = { 'AS-late': 500, 'AS-b': 100, 'AS-a': 100, 'AS-first': 90 }
    const wait = (store: Store, id: string, at: number) => {
      const handoff = { id: `${id}.1`, status: 'waiting', queueName: 'reception', since: at } as const
      return store.conversations.create(aConversation(id, { index: { handoff } }))
    }
    for (const [id, at] of Object.entries(since)) await wait(first, id, at)
    await first.close()
    const database = open(filename)
    backTo(database, handoffPlaces.version - 1)
    database.close()
    const store = openStore({ filename })
    await wait(store, 'AS-new', 0)
    const waiting = await store.conversations.handoffs.list(ACCOUNT, 'waiting')
    expect(waiting.map(({ conversationId, since: at }) => `${conversationId} ${at}`)).toEqual([
      ...['AS-first 90', 'AS-a 100', 'AS-b 100', 'AS-late 500', 'AS-new 0'],
    ])
  })

  it('SQ16 a file from before there were test cases keeps agents and versions, and takes cases and runs', async () => {
    const filename = temporaryFile()
    const first = createSqliteStore({ filename })
    await first.agents.create(anAgent())
    await first.agents.deployments.create(aDeployment(1), null)
    const before = await first.agents.revisions.find(AGENT, 1)
    await first.close()
    const database = open(filename)
    backTo(database, testRuns.version - 1)
    database.close()

    const store = createSqliteStore({ filename })
    const { platform, done } = platformOver(store)
    expect(await store.agents.revisions.find(AGENT, 1)).toEqual(before)
    expect(await store.agents.testRuns.list({ agentId: AGENT }, 9)).toEqual([])
    expect(await platform.agents.deployments(AGENT, 'sandbox')).toEqual([aDeployment(1)])
    const run = aTestRun(1, { leaseUntil: Number.MAX_SAFE_INTEGER })
    expect(await store.agents.testRuns.create(run)).toBe('created')
    expect(await store.agents.testRuns.find(AGENT, run.id)).toEqual({ run, results: [] })
    const branch = await platform.agents.createBranch(AGENT, { branchName: 'work' })
    const turns = [{ text: 'Is it?', expectations: {} }]
    const made = await platform.agents.testCases.create(AGENT, branch.id, { name: 'One', turns })
    expect(await platform.agents.testCases.list(AGENT, branch.id)).toEqual([made])
    await done()
  })

  it('SQ11 a file of schema version 1 keeps what it holds, and its conversations can be removed', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    const old = aConversation('AS-old', { turns: [aTurn('one')], index: { finishedAt: START } })
    await store.conversations.create(old)
    await store.conversations.create(aConversation('AS-open'))
    await store.close()
    const database = open(filename)
    backTo(database, 1)
    database.close()

    const { conversations } = openStore({ filename })
    expect(await conversations.turns(old.conversationId)).toEqual([aTurn('one')])
    expect(await conversations.load('AS-open')).toMatchObject({ version: 1 })
    const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
    const step = await conversations.removals.removeFinished(live, START + 1, 10)
    expect(step).toEqual({ removed: 1, more: false })
    expect(await conversations.load(old.conversationId)).toBeNull()
    expect(await conversations.load('AS-open')).not.toBeNull()
  })

  it('SQ14 agents that only their conversations tell of count as deleted, and nothing else changes', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    await store.agents.create(anAgent('PROJECT-HERE'))
    await store.agents.create(anAgent('PROJECT-MOVED', { accountId: 'ws-two' }))
    for (const agent of ['PROJECT-HERE', 'PROJECT-GONE', 'PROJECT-MOVED'])
      await store.conversations.create(aConversation(`C-${agent}`, { agentId: agent }))
    const records = (from: typeof store, agent: string) =>
      from.conversations.records.find(ACCOUNT, agent, `C-${agent}`)
    const before = await records(store, 'PROJECT-GONE')
    await store.close()
    const database = open(filename)
    backTo(database, 1)

    const reopened = createSqliteStore({ filename })
    onTestFinished(() => reopened.close())
    const deletion = (agent: string, account = ACCOUNT) => reopened.agents.findDeleted(account, agent)
    const remembered = { accountId: ACCOUNT, deletedAt: expect.any(Number) }
    expect(await deletion('PROJECT-GONE')).toEqual({ id: 'PROJECT-GONE', ...remembered })
    expect(await deletion('PROJECT-MOVED')).toEqual({ id: 'PROJECT-MOVED', ...remembered })
    expect(await deletion('PROJECT-HERE')).toBeNull()
    expect(await deletion('PROJECT-MOVED', 'ws-two')).toBeNull()
    expect(await reopened.agents.find('PROJECT-HERE')).not.toBeNull()
    expect(before).not.toBeNull()
    expect(await records(reopened, 'PROJECT-GONE')).toEqual(before)
  })

  it('SQ11, CR1 keys and connectors from before they could end are kept, never end and were not seen in use', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    const key = anApiKey('KEY-1', { permissions: ['agents'], region: 'uk' })
    await store.access.apiKeys.create(key)
    await store.access.apiKeys.create(
      anApiKey('KEY-2', { revokedAt: START, expiresAt: START, lastUsedAt: START }),
    )
    await store.access.connectors.create(aConnector('C-1'))
    await store.close()
    const database = open(filename)
    backTo(database, MIGRATIONS.indexOf(credentials))
    database.close()

    const { access } = openStore({ filename })
    expect(await access.apiKeys.list({}, 100)).toEqual([key, anApiKey('KEY-2', { revokedAt: START })])
    expect(await access.connectors.list({}, 100)).toEqual([aConnector('C-1')])
    expect(await access.apiKeys.touch(key.id, START, 1)).toBe(true)
    expect(await access.tokenKeys.list()).toEqual([])
  })

  it('SQ11 accounts, keys and connectors of a file from before they came in pages are all in its pages', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    await store.access.accounts.create(anAccount())
    for (const id of ['KEY-1', 'KEY-2', 'KEY-3'])
      await store.access.apiKeys.create(anApiKey(id, { agentId: AGENT }))
    await store.access.apiKeys.create(anApiKey('KEY-0'))
    await store.access.connectors.create(aConnector('C-1', { agentId: AGENT }))
    await store.close()
    const database = open(filename)
    backTo(database, listOrders.version - 1)
    database.close()

    const { access } = openStore({ filename })
    expect(await access.accounts.list({}, 9)).toEqual([anAccount()])
    const keys = await access.apiKeys.list({ agentId: AGENT }, 2)
    expect(keys.map(({ id }) => id)).toEqual(['KEY-1', 'KEY-2'])
    const rest = await access.apiKeys.list({ after: { createdAt: START, id: 'KEY-2' } }, 9)
    expect(rest.map(({ id }) => id)).toEqual(['KEY-3'])
    expect(await access.apiKeys.list({}, 9)).toHaveLength(4)
    expect(await access.connectors.list({ agentId: AGENT }, 9)).toEqual([
      aConnector('C-1', { agentId: AGENT }),
    ])
  })

  it('SQ11 connectors of a file from before there were kinds are for messaging, as they were', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    const connectors = [
      aConnector('C-1', { variantId: 'v1', hosts: ['a.example'], expiresAt: START + 9, lastUsedAt: START }),
      aConnector('C-2', { revokedAt: START + 1 }),
    ]
    for (const connector of connectors) await store.access.connectors.create(connector)
    await store.close()
    const database = open(filename)
    backTo(database, telephonyConnectors.version - 1)
    database.close()

    const { access } = openStore({ filename })
    expect(await access.connectors.list({}, 9)).toEqual(connectors)
    expect(await access.connectors.findByTokenHash('hash-of-C-1')).toEqual(connectors[0])
    expect(await access.connectors.findTelephony('C-1')).toBeNull()
    expect(await access.connectors.create(aConnector('C-3', { tokenHash: 'hash-of-C-1' }))).toBe('taken')
    expect(await access.connectors.create(aTelephonyConnector('C-4'))).toBe('created')
    expect(await access.connectors.listTelephony(AGENT, {}, 9)).toEqual([aTelephonyConnector('C-4')])
  })

  it('SQ11 connectors of a file from before context keys have none, and can be given some', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    const secret = { kid: 'ctx-1', secret: 'cq_cx_1', createdAt: START, verifiesUntil: null }
    await store.access.connectors.create(aConnector('C-1', { contextKeys: [secret] }))
    await store.access.connectors.create(aTelephonyConnector('C-2'))
    await store.close()
    const database = open(filename)
    backTo(database, contextKeys.version - 1)
    database.close()

    const { access } = openStore({ filename })
    expect(await access.connectors.find('C-1')).toEqual(aConnector('C-1'))
    expect(await access.connectors.findTelephony('C-2')).toEqual(aTelephonyConnector('C-2'))
    const next = aConnector('C-1', { contextKeys: [secret] })
    expect(await access.connectors.update(aConnector('C-1'), next)).toBe('written')
    expect(await access.connectors.find('C-1')).toEqual(next)
  })

  it('SQ14 conversations from before they had heads go on, are woken, listed and removed as before', async () => {
    const filename = temporaryFile()
    const earlier = openStore({ filename })
    const made = {
      'AS-waking': { wakeAt: 100, turns: [aTurn('one')] },
      'AS-over': { index: { finishedAt: START + 1 }, state: { endedAt: START + 1 }, turns: [aTurn('two')] },
      'AS-over-waking': { index: { finishedAt: START + 2 }, wakeAt: 200 },
    }
    for (const [id, values] of Object.entries(made))
      await earlier.conversations.create(aConversation(id, values))
    const waking = anAppend(aConversation('AS-waking', made['AS-waking']), 1, { state: { agentName: 'Ada' } })
    const changes = { agentName: 'Ada', sequence: 2 }
    await earlier.conversations.append({ ...waking, changes })
    const ids = Object.keys(made)
    const all = ({ conversations }: Store) =>
      Promise.all(ids.map(id => conversationSnapshot(conversations, id)))
    const before = await all(earlier)
    await earlier.close()
    const database = open(filename)
    backTo(database, conversationHeads.version - 1)
    database.close()

    const store = openStore({ filename })
    const { conversations } = store
    expect(await all(store)).toEqual(before)
    expect(await conversations.timers.claimDue(100, 9, 150)).toEqual(['AS-waking'])
    expect(await conversations.timers.claimDue(200, 9, 250)).toEqual(['AS-waking', 'AS-over-waking'])
    const whose = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
    expect((await conversations.removals.removeFinished(whose, START + 9, 9)).removed).toBe(1)
    expect((await conversations.append(anAppend(waking, 2))).status).toBe('appended')
    const end = anAppend(waking, 3, { index: { finishedAt: START + 5 }, wakeAt: null })
    expect((await conversations.append(end)).status).toBe('appended')
    expect((await conversations.removals.removeFinished(whose, START + 9, 9)).removed).toBe(1)
  })

  it('SQ14 conversations from before claims were counted count them from now on', async () => {
    const filename = temporaryFile()
    const earlier = openStore({ filename })
    await earlier.conversations.create(aConversation('AS-1', { wakeAt: 100 }))
    await earlier.close()
    const database = open(filename)
    backTo(database, claims.version - 1)
    database.close()

    const { conversations } = openStore({ filename })
    for (const [now, next] of [
      [100, 150],
      [150, 250],
    ] as const) {
      expect(await conversations.timers.claimDue(now, 9, now + 50, 1_000)).toEqual(['AS-1'])
      expect(await conversations.timers.claimDue(next - 1, 9, next, 1_000)).toEqual([])
    }
  })

  it('SQ11, WH47 webhook endpoints from before they had a name, headers and a time-out keep all that they had', async () => {
    const filename = temporaryFile()
    const database = open(filename)
    migrate(database, MIGRATIONS.slice(0, MIGRATIONS.indexOf(webhookEndpointShape)))
    const insert = database.prepare(
      `INSERT INTO webhook_endpoint (id, account_id, url, description, events, enabled, secret, version, created_at, updated_at)
       VALUES (?, ?, 'https://a.example/in', ?, '["handoff.failed"]', 1, 'whsec_a', 1, ${START}, ${START})`,
    )
    insert.run('WEBHOOK-1', ACCOUNT, 'CRM')
    insert.run('WEBHOOK-2', ACCOUNT, '')
    database.exec(`INSERT INTO webhook_event (row, id, account_id, type, at, body) VALUES (1, 'EVENT-1', '${ACCOUNT}', 'handoff.failed', ${START}, '{}');
      INSERT INTO webhook_delivery (endpoint, event, event_id, status, attempts, due_at, in_flight, version, created_at)
      SELECT row, 1, 'EVENT-1', 'pending', 0, ${START}, 0, 1, ${START} FROM webhook_endpoint WHERE id = 'WEBHOOK-1'`)
    const { webhooks } = openStore({ filename })
    const kept = {
      url: 'https://a.example/in',
      eventTypes: ['handoff.failed'],
      secret: 'whsec_a',
      headers: {},
      timeout: 10_000,
    } as const
    expect(await webhooks.endpoints.list(ACCOUNT, {}, 9)).toEqual([
      anEndpoint('WEBHOOK-1', { ...kept, name: 'CRM' }),
      anEndpoint('WEBHOOK-2', { ...kept, name: 'https://a.example/in' }),
    ])
    const claimed = await webhooks.deliveries.claim('WEBHOOK-1', START, 9, START + 1)
    expect(claimed).toMatchObject([{ event: { id: 'EVENT-1' } }])
  })

  it('SQ11, SA61 ids of agents that a file remembers as deleted are taken for other accounts', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    await store.agents.create(anAgent())
    await store.agents.delete(AGENT, START)
    await store.close()
    const database = open(filename)
    backTo(database, deletedIds.version - 1)
    database.close()

    const { agents } = openStore({ filename })
    expect(await agents.create(anAgent(AGENT, { accountId: 'ws-two' }))).toBe('taken')
    expect(await agents.create(anAgent())).toBe('created')
  })

  it('SQ12 a newer schema than the code knows is refused by number, and nothing is changed', async () => {
    const filename = temporaryFile()
    const database = open(filename)
    migrate(database, [...MIGRATIONS, addition])
    const before = schemaOf(database)
    expect(() => createSqliteStore({ filename })).toThrow(
      `schema version ${addition.version}, and this version of @colloquy/adapter-sqlite knows none after ${MIGRATIONS.length}`,
    )
    expect(schemaOf(database)).toEqual(before)
  })

  it('SQ13 when one migration fails, none of them has happened', () => {
    const database = open(':memory:')
    const broken: Migration = { version: addition.version + 1, name: 'broken', sql: 'CREATE TABLE nonsense' }
    migrate(database, MIGRATIONS)
    const before = schemaOf(database)
    expect(() => migrate(database, [...MIGRATIONS, addition, broken])).toThrow(/incomplete input/)
    expect(schemaOf(database)).toEqual(before)
    expect(versions(database)).toEqual(MIGRATIONS.map(({ version }) => version))
  })
})
