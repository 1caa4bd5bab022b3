import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ConversationId, createPlatform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime, START } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryFile } from './files.ts'

/**
 * A file as the version of an earlier schema left it when it was killed: six sessions of one agent, by number, of which one has
 * just begun (3), was answered (4), is being answered (5), waits for a live agent (6), has one (7), has ended (8).
 */
function fileOf(schema: number): string {
  const filename = temporaryFile()
  const database = new BetterSqlite3(filename)
  database.exec(readFileSync(new URL(`earlier/schema-${schema}.sql`, import.meta.url), 'utf8'))
  database.close()
  return filename
}

const ACCOUNT = 'ws-s00000000001'
const ANSWERING = '00000000-0000-4000-8000-000000000028'

describe.each([1])('a file of schema %i', schema => {
  it('SQ15 opens with everything in it', async () => {
    const filename = fileOf(schema)
    const before = new BetterSqlite3(filename, { readonly: true })
    const rows = before.prepare<
      unknown[],
      { id: ConversationId; version: number; sequence: number; state: string }
    >('SELECT id, version, sequence, state FROM conversation ORDER BY row')
    const kept = rows.all()
    before.close()
    expect(kept).toHaveLength(6)

    const store = createSqliteStore({ filename })
    onTestFinished(() => store.close())
    for (const { id, version, sequence, state } of kept) {
      expect(await store.conversations.load(id)).toEqual({
        version,
        state: JSON.parse(state),
        pendingExternalEvents: [],
      })
      const events = await eventsOf(store.conversations, id, 0)
      expect(events.map(event => event.sequence)).toEqual(Array.from({ length: sequence }, (_, at) => at + 1))
    }
    expect(await store.conversations.handoffs.list(ACCOUNT, 'waiting')).toHaveLength(1)
    expect(await store.conversations.handoffs.list(ACCOUNT, 'active')).toHaveLength(1)
    expect(await store.access.connectors.list({}, 100)).toMatchObject([{ expiresAt: null, lastUsedAt: null }])
    expect(await store.conversations.handoffs.claimLines(START, START + 1)).toEqual([ACCOUNT])
    expect(await store.conversations.handoffs.joinedWaits(ACCOUNT, 'reception', 0, 9)).toEqual([])
  })

  it('SQ15, CR15 access tokens that were issued before are good until they expire', async () => {
    const clock = createFakeClock()
    const store = createSqliteStore({ filename: fileOf(schema) })
    const platform = createPlatform({
      ...{ store, clock, wakeInterval: 1e9, queueStatusInterval: 1e9 },
      runtime: createScriptedRuntime({}, clock),
    })
    onTestFinished(() => platform.close())
    const [connector] = await store.access.connectors.list({}, 100)
    const issuedAt = clock.now() / 1_000
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      connector_id: connector?.id,
      agent_id: connector?.agentId,
      iss: 'colloquy',
      aud: 'messaging',
      sub: 'visitor',
      jti: 'token',
      iat: issuedAt,
      exp: issuedAt + 86_400,
    }
    const sign = (secret: string) => {
      const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
    }
    const opens = async (token: string) =>
      platform.messaging.createSession({ authorization: `Bearer ${token}`, streaming: false }).then(
        () => true,
        () => false,
      )
    const old = sign('secret-00000000000000000000000000000001')
    expect(await opens(old)).toBe(true)
    expect(await opens(sign('secret-00000000000000000000000000000002'))).toBe(false)
    await platform.access.rotateTokenKeys()
    await clock.advance(86_399_000)
    expect(await opens(old)).toBe(true)
    await clock.advance(1_000)
    expect(await opens(old)).toBe(false)
  })

  it('SQ15, EN42 goes on: the waiting visitor is taken, the live agent leaves, the question is answered', async () => {
    const clock = createFakeClock()
    const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'At last.' }, clock)
    const store = createSqliteStore({ filename: fileOf(schema) })
    const platform = createPlatform({ store, clock, runtime })
    onTestFinished(() => platform.close())
    const [waiting] = await platform.desk.handoffs(ACCOUNT, 'waiting')
    const [active] = await platform.desk.handoffs(ACCOUNT, 'active')
    if (waiting === undefined || active === undefined) throw new Error('the line is lost')
    expect(waiting).toMatchObject({ status: 'waiting', position: 1, reason: 'asked', agent: null })
    expect(active.agent).toEqual({ id: 'a1', name: 'Ada', avatarUrl: '' })

    const grace = { id: 'a2', name: 'Grace', avatarUrl: '' }
    const taken = await platform.desk.accept(ACCOUNT, waiting.handoffId, grace)
    expect(taken.transcript.at(-1)).toMatchObject({ from: 'visitor', text: 'anybody?' })
    // Watching sets a field that states of then did not have.
    await platform.desk.watch(ACCOUNT, () => {}, { liveAgentId: 'a1' })
    await platform.desk.send(ACCOUNT, active.handoffId, { text: 'Bye' })
    await platform.desk.leave(ACCOUNT, active.handoffId)
    expect((await store.conversations.load(active.sessionId))?.state).toMatchObject({ owner: 'nobody' })

    // Whoever was being answered when the process was killed has the answer once the turn's lease has run out.
    await clock.advance(20_000)
    const events = await eventsOf(store.conversations, ANSWERING, 0)
    expect(events.at(-1)).toMatchObject({ type: 'AI_AGENT_MESSAGE', payload: { text: 'At last.' } })
  })
})
