import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { chosenKey } from '../../src/domain/conversation/conversation-key.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { ConversationStore } from '../../src/ports/store/conversations.ts'
import type { RecordStore } from '../../src/ports/store/records.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAppend,
  aTurn,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '../../src/testing/index.ts'
import type { PurgeInput } from '../../src/usecases/records/purge-conversations.ts'
import { readRecord } from '../../src/usecases/records/read-record.ts'
import { partOf } from '../support/reading-fakes.ts'
import { request } from '../support/request.ts'

const HOUR = 3_600_000
const SCOPES = [
  { accountId: 'ws-1', agentId: 'PROJECT-1', environment: 'live' },
  { accountId: 'ws-1', agentId: 'PROJECT-1', environment: 'sandbox' },
  { accountId: 'ws-1', agentId: 'PROJECT-2', environment: 'live' },
  { accountId: 'ws-2', agentId: 'PROJECT-1', environment: 'live' },
] as const

function setUp(options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const bus = createLocalBus()
  const runtime = createScriptedRuntime(
    { greeting: 'Welcome.', messages: { bye: ['Bye.', { type: 'end' }] }, otherwise: 'Well.' },
    clock,
  )
  const start = () => createPlatform({ store, bus, clock, runtime, ...options })
  return { clock, store, start, platform: start() }
}

/** A finished conversation in each of the scopes, and one in progress. */
async function fill(store: ConversationStore) {
  const made = SCOPES.map(({ accountId, agentId, environment }, index) =>
    aConversation(`AS-${index}`, {
      accountId: accountId,
      agentId: agentId,
      environment,
      index: { finishedAt: START + index, listed: index !== 2 },
    }),
  )
  const live = { accountId: 'ws-1', agentId: 'PROJECT-1' }
  for (const one of [...made, aConversation('AS-open', live)]) await store.create(one)
}

const left = async (store: ConversationStore) => {
  const ids = [...SCOPES.map((_, index) => `AS-${index}`), 'AS-open']
  const loaded = await Promise.all(ids.map(id => store.load(id)))
  return ids.filter((_, index) => loaded[index] !== null)
}

describe('purge', () => {
  it('RC20 removes what finished before the moment, of everybody', async () => {
    const { platform, store } = setUp()
    await fill(store.conversations)
    expect(await platform.conversations.purge({ olderThan: START + 3 })).toEqual({ conversations: 3 })
    expect(await left(store.conversations)).toEqual(['AS-3', 'AS-open'])
    expect(await platform.conversations.purge({ olderThan: START + 3 })).toEqual({ conversations: 0 })
  })

  it.each([
    [{ accountId: 'ws-1' }, ['AS-3']],
    [{ agentId: 'PROJECT-1' }, ['AS-2']],
    [{ environment: 'live' }, ['AS-1']],
    [{ accountId: 'ws-1', agentId: 'PROJECT-1' }, ['AS-2', 'AS-3']],
    [{ accountId: 'ws-2', environment: 'live' }, ['AS-0', 'AS-1', 'AS-2']],
    [{ accountId: 'ws-2', agentId: 'PROJECT-2' }, ['AS-0', 'AS-1', 'AS-2', 'AS-3']],
  ] satisfies [Omit<PurgeInput, 'olderThan'>, string[]][])(
    'RC20 all conditions hold at once: %j',
    async (conditions, kept) => {
      const { platform, store } = setUp()
      await fill(store.conversations)
      const { conversations } = await platform.conversations.purge({ olderThan: START + HOUR, ...conditions })
      expect(await left(store.conversations)).toEqual([...kept, 'AS-open'])
      expect(conversations).toBe(SCOPES.length - kept.length)
    },
  )

  it('RC20 what is in progress stays, and what still has to be woken', async () => {
    const { platform, store } = setUp()
    const busy = aConversation('AS-0', { index: { finishedAt: START }, wakeAt: START + HOUR })
    await store.conversations.create(busy)
    await store.conversations.create(aConversation('AS-open'))
    expect(await platform.conversations.purge({ olderThan: START + HOUR })).toEqual({ conversations: 0 })
    await store.conversations.append(anAppend(busy, 1, { wakeAt: null }))
    expect(await platform.conversations.purge({ olderThan: START + HOUR })).toEqual({ conversations: 1 })
    expect(await left(store.conversations)).toEqual(['AS-open'])
  })

  /** Twenty conversations, and how many are left before each batch. */
  const batches = async (run: (before: number) => void = () => {}) => {
    const { store, platform } = setUp({ limits: { conversationsPerPurge: 6 } })
    for (let index = 0; index < 20; index++) {
      await store.conversations.create(aConversation(`AS-${index}`, { index: { finishedAt: START + index } }))
    }
    const conversations = contextOf(platform).store.conversations
    const { removeFinished } = conversations.removals
    const seen: number[] = []
    const counting: typeof removeFinished = async (...input) => {
      const page = await conversations.records.list(
        { accountId: ACCOUNT, agentId: AGENT, environment: 'live' },
        { offset: 0 },
        100,
      )
      seen.push(page.records.length)
      run(page.records.length)
      expect(input[2]).toBe(6)
      return removeFinished(...input)
    }
    Object.assign(conversations.removals, { removeFinished: counting })
    return { platform, seen }
  }

  it('RC22 goes batch by batch, and what comes meanwhile is left for the next time', async () => {
    const { platform, seen } = await batches()
    expect(await platform.conversations.purge({ olderThan: START + HOUR })).toEqual({ conversations: 20 })
    expect(seen).toEqual([20, 14, 8, 2])
  })

  it('RC22 two at once remove each conversation once', async () => {
    const { platform, store } = setUp({ limits: { conversationsPerPurge: 3 } })
    for (let index = 0; index < 20; index++) {
      await store.conversations.create(aConversation(`AS-${index}`, { index: { finishedAt: START } }))
    }
    const purge = () => platform.conversations.purge({ olderThan: START + 1 })
    const purged = await Promise.all([purge(), purge(), purge()])
    expect(purged.reduce((sum, { conversations }) => sum + conversations, 0)).toBe(20)
  })

  it('RC22 its signal stops it between two batches, and the next purge goes on', async () => {
    const controller = new AbortController()
    const { platform, seen } = await batches(before => {
      if (before === 14) controller.abort(new Error('enough'))
    })
    const input = { olderThan: START + HOUR }
    await expect(platform.conversations.purge({ ...input, signal: controller.signal })).rejects.toThrow(
      'enough',
    )
    expect(seen).toEqual([20, 14])
    await expect(platform.conversations.purge({ ...input, signal: AbortSignal.abort() })).rejects.toThrow()
    expect(await platform.conversations.purge(input)).toEqual({ conversations: 8 })
    expect(seen).toEqual([20, 14, 8, 2])
  })

  it.each([
    [{ olderThan: Number.NaN }, /olderThan/],
    [{ olderThan: START + 0.5 }, /"olderThan" is not valid: must be milliseconds/],
    [{ olderThan: new Date(START) }, /olderThan/],
    [{}, /olderThan/],
    [{ olderThan: START, accountId: undefined }, /accountId/],
    [{ olderThan: START, accountId: null }, /accountId/],
    [{ olderThan: START, agentId: undefined }, /agentId/],
    [{ olderThan: START, agentId: '' }, /agentId/],
    [{ olderThan: START, environment: 'production' }, /environment/],
  ])('RC22 what is not right is refused by name, and nothing is removed: %j', async (input, message) => {
    const { platform, store } = setUp()
    await fill(store.conversations)
    const purge: (given: never) => Promise<unknown> = platform.conversations.purge
    const refusal = Reflect.apply(purge, undefined, [input])
    await expect(refusal).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: expect.stringMatching(message),
    })
    expect(await left(store.conversations)).toHaveLength(5)
  })
})

describe('remove', () => {
  it('RC25 one finished conversation goes; another’s is not found, one in progress is refused', async () => {
    const { platform, store } = setUp()
    await fill(store.conversations)
    const remove = (accountId: string, agentId: string, id: string) =>
      platform.conversations.remove(accountId, agentId, id)
    await expect(remove('ws-2', 'PROJECT-1', 'AS-0')).rejects.toMatchObject({
      code: 'CONVERSATIONS_NOT_FOUND',
    })
    await expect(remove('ws-1', 'PROJECT-1', 'AS-open')).rejects.toMatchObject({
      code: 'CONVERSATION_IN_PROGRESS',
      message: expect.stringContaining('Only finished ones can be removed.'),
    })
    await remove('ws-1', 'PROJECT-1', 'AS-0')
    await remove('ws-1', 'PROJECT-2', 'AS-2')
    expect(await left(store.conversations)).toEqual(['AS-1', 'AS-3', 'AS-open'])
    await expect(remove('ws-1', 'PROJECT-1', 'AS-0')).rejects.toMatchObject({
      code: 'CONVERSATIONS_NOT_FOUND',
    })
  })
})

describe('afterwards', () => {
  it('RC25 a session is as if it had never been, for every interface', async () => {
    const { platform, clock } = setUp()
    const visitor = await openVisitor(platform, clock)
    const other = await openVisitor(platform, clock)
    const { accountId, agentId, id } = visitor
    const whose = `${accountId}/${agentId}`
    const dispatcher = createDispatcher(platform, routes)
    const key = async (kind: 'project' | 'external_events') =>
      (await platform.access.createApiKey({ kind, accountId, ...(kind === 'project' ? { agentId } : {}) }))
        .secret
    const [project, external] = [await key('project'), await key('external_events')]
    const call = async (line: string, body?: unknown, secret = project) => {
      const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
      const response = await dispatcher.handle(request(line, { headers, body }))
      return { status: response.status, json: JSON.parse(response.body ?? '') }
    }
    const ids = async (version: string) =>
      (await call(`GET /${version}/${whose}/conversations`)).json.conversations.map(
        (one: { id: string }) => one.id,
      )
    const byId = () => call(`GET /v3/${whose}/conversations/${id}`)
    const peak = async () => {
      const range = `start_time=${new Date(START).toISOString()}&end_time=${new Date(START + 1).toISOString()}`
      const { json } = await call(`GET /v1/${whose}/conversations/concurrency?${range}`)
      return json.intervals[0].max_concurrent_conversations
    }
    const webhook = () =>
      call(
        `POST /v1/external-events/webhook?event_id_location=payload&event_id_path=id&account_id=${accountId}&project_id=${agentId}`,
        { id: 'awaited' },
        external,
      )

    await visitor.join()
    await contextOf(platform).store.conversations.externalEvents.expect({
      eventId: 'awaited',
      conversationId: id,
      accountId,
      agentId,
    })
    await clock.advance(1_000)
    const purge = () => platform.conversations.purge({ olderThan: clock.now() + 1 })
    expect(await purge()).toEqual({ conversations: 0 })
    await visitor.say('bye')
    expect(visitor.types()).toContain('SESSION_END')
    expect([(await ids('v1')).length, (await byId()).status, await peak()]).toEqual([2, 200, 2])

    expect(await purge()).toEqual({ conversations: 1 })
    expect(await ids('v1')).toEqual([other.id])
    expect(await ids('v3')).toEqual([other.id])
    expect((await byId()).status).toBe(404)
    expect(await peak()).toBe(1)
    expect(await webhook()).toMatchObject({
      status: 400,
      json: { error_message: 'External event id is not valid' },
    })
    await expect(visitor.reconnect(platform)).rejects.toThrow('session not found')
    await other.say('still here')
    expect(other.texts('AI_AGENT_MESSAGE')).toEqual([])
    await other.join()
    expect(other.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.'])
  })

  it('RC25 a debug chat is gone, and its id begins another one in every process', async () => {
    const { platform, clock, start } = setUp()
    const second = start()
    const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
    const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
    await platform.agents.publish(agent.id, { environment: 'live' })
    const live = { environment: 'live' } as const
    const begin = () => platform.debugChat.start(agent, { ...live, conversationId: 'daily' })
    const send = (over: typeof platform, message: string) =>
      over.debugChat.send(agent, 'daily', { ...live, message })

    await begin()
    await clock.advance(HOUR / 60)
    // The second process ends its part at a version that the next conversation of that id reaches, too.
    await send(second, 'hello')
    await send(platform, 'bye')
    await platform.conversations.remove(account.id, agent.id, 'daily')
    await expect(send(platform, 'hello')).rejects.toMatchObject({ code: 'CONVERSATIONS_NOT_FOUND' })

    await clock.advance(HOUR / 60)
    const again = await begin()
    await send(platform, 'hello')
    const { state } = await send(second, 'hello again')
    expect(state.startedAt).toBe(again.state.startedAt)
    const turns = await contextOf(platform).store.conversations.turns(chosenKey(agent.id, 'daily'))
    expect(turns.map(({ record }) => record.user_input)).toEqual(['', 'hello', 'hello again'])
    await Promise.all([platform.idle(), second.idle()])
  })

  it('RC20 what an agent that was deleted has left can be removed', async () => {
    const { platform, clock } = setUp()
    const { accountId, agentId, id } = await openVisitor(platform, clock)
    await platform.agents.delete(agentId)
    await clock.settle()
    await clock.advance(1_000)
    expect(await platform.reading.record(accountId, agentId, id)).not.toBeNull()
    expect(await platform.conversations.purge({ olderThan: clock.now(), accountId, agentId })).toEqual({
      conversations: 1,
    })
    expect(await platform.reading.record(accountId, agentId, id)).toBeNull()
  })

  it('RC44 a record that is removed while it is read is there whole or not at all', async () => {
    const { store, platform } = setUp()
    const { settings } = contextOf(platform)
    const turn = { ...aTurn('one'), details: { function_events: [{ name: 'pay' }] } }
    const kept = aConversation('AS-1', { turns: [turn], index: { finishedAt: START } })
    const id = kept.conversationId
    const agentId = AGENT
    const removing = (after: number) => {
      let calls = 0
      const then = async <T>(value: T): Promise<T> => {
        calls++
        if (calls === after) await store.conversations.removals.remove(ACCOUNT, agentId, id)
        return value
      }
      return partOf<ConversationStore>({
        records: partOf<RecordStore>({
          find: async (...input) => then(await store.conversations.records.find(...input)),
        }),
        turnPage: async (...input) => then(await store.conversations.turnPage(...input)),
      })
    }
    const read = (after: number) =>
      readRecord({ settings, store: { ...store, conversations: removing(after) } }, ACCOUNT, agentId, id)
    await store.conversations.create(kept)
    expect((await read(0))?.details.text).toContain('"pay"')
    for (const after of [1, 2]) {
      expect(await read(after)).toBeNull()
      expect(await store.conversations.create(kept)).toBe('created')
    }
  })
})
