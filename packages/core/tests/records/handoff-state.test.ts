import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { Script, ScriptedStep } from '../../src/testing/index.ts'
import { startChats } from '../chat/support.ts'

const PERSON = { type: 'handoff', destination: 'reception', reason: 'asked' } as const
const NOT_THERE = {
  status: 404,
  json: { error_message: 'The agent has handed off no conversation of that id.' },
}

const writes = (variables: JsonObject): readonly ScriptedStep[] =>
  Object.entries(variables).map(([key, value]) => ({ type: 'variable', key, value }) as const)

/** Hands off with what it has written; writes more on the way; ends without handing off. */
const SCRIPT: Script = {
  greeting: 'Welcome.',
  messages: {
    person: ['One moment.', PERSON],
    ticket: [...writes({ handoff: { ticket: 7, vip: true }, shared_id: 'CRM-1' }), 'One moment.', PERSON],
    words: [...writes({ handoff: 'ring them', shared_id: 12 }), 'One moment.', PERSON],
    list: [...writes({ handoff: ['a'] }), 'One moment.', PERSON],
    bye: ['Goodbye.', { type: 'end' }],
  },
  otherwise: 'Yes.',
}

/** An agent whose chats hand off, its handoff states, and conversations that a host records. */
async function setUp(options: Partial<PlatformOptions> = {}) {
  const chats = await startChats(options, SCRIPT)
  const { account, agent, call, clock, platform } = chats
  const read = (query: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
    call(`GET /v1/one/${agent.id}/handoff_state${query}`, { headers: { 'x-token': undefined, ...headers } })
  return {
    ...chats,
    read,
    key: async (input: Partial<Parameters<typeof platform.access.createApiKey>[0]>) => ({
      'x-api-key': (await platform.access.createApiKey({ kind: 'project', accountId: account.id, ...input }))
        .secret,
    }),
    /** A chat in which one thing was said. */
    async said(message: string, attributes: JsonObject = {}): Promise<string> {
      const id = await chats.begin({ integration_attributes: attributes })
      await clock.advance(1_000)
      await chats.respond(id, message)
      return id
    },
    /** A call that the host has recorded, and that ended in a handoff. */
    async recorded(conversationId: string, variables: JsonObject, of: string = agent.id): Promise<void> {
      const { conversations } = platform
      const whose = { agentId: of, conversationId }
      await conversations.start({
        ...{ ...whose, accountId: account.id, environment: 'live', channel: 'VOICE-SIP' },
      })
      const handoff = { destination: 'desk', reason: 'billing' }
      await conversations.finish({ ...whose, variables, handoff })
    },
  }
}

describe('the handoff state', () => {
  it('RC80 is what the agent wrote under `handoff`, else where to and why', async () => {
    const { read, said } = await setUp()
    const ticket = await said('ticket')
    expect(await read(`?id=${ticket}`)).toEqual({
      status: 200,
      json: { id: ticket, shared_id: 'CRM-1', data: { ticket: 7, vip: true } },
    })
    const where = { destination: 'reception', reason: 'asked' }
    for (const message of ['person', 'words', 'list']) {
      const id = await said(message)
      expect(await read(`?id=${id}`)).toEqual({ status: 200, json: { id, data: where } })
    }
  })

  it('RC80 of a recorded conversation is what its host says at its end', async () => {
    const { read, recorded } = await setUp()
    await recorded('CA-1@example', { handoff: { queue: 'billing' }, shared_id: 'call-1' })
    await recorded('CA-2@example', {})
    expect((await read('?id=CA-1@example')).json).toEqual({
      ...{ id: 'CA-1@example', shared_id: 'call-1', data: { queue: 'billing' } },
    })
    expect((await read('?shared_id=call-1')).json.id).toBe('CA-1@example')
    expect((await read('?id=CA-2@example')).json.data).toEqual({ destination: 'desk', reason: 'billing' })
  })

  it('RC80 stays when the conversation goes on, and is removed with it', async () => {
    const { account, agent, close, platform, read, said } = await setUp()
    const id = await said('ticket')
    const before = await read(`?id=${id}`)
    await close(id)
    expect(await read(`?id=${id}`)).toEqual(before)
    await platform.conversations.remove(account.id, agent.id, id)
    expect(await read(`?id=${id}`)).toEqual(NOT_THERE)
    expect(await read('?shared_id=CRM-1')).toEqual(NOT_THERE)
  })

  it('RC80 the state key comes before the integration attribute; what is no text of 1 to 200 characters is none', async () => {
    const { read, said } = await setUp()
    const both = await said('ticket', { shared_id: 'given' })
    expect((await read('?shared_id=CRM-1')).json.id).toBe(both)
    expect(await read('?shared_id=given')).toEqual(NOT_THERE)
    const given = await said('words', { shared_id: 'given' })
    expect((await read('?shared_id=given')).json).toMatchObject({ id: given, shared_id: 'given' })
    const longest = 'x'.repeat(200)
    expect((await read(`?shared_id=${longest}`)).status).toBe(404)
    await said('person', { shared_id: longest })
    expect((await read(`?shared_id=${longest}`)).status).toBe(200)
    for (const none of [`${longest}x`, '', 7, null, { id: 'x' }]) {
      const id = await said('person', { shared_id: none })
      expect((await read(`?id=${id}`)).json).not.toHaveProperty('shared_id')
    }
    expect(await read(`?shared_id=${longest}x`)).toEqual(NOT_THERE)
  })

  it('RC80 of several conversations the one that was handed off last is found', async () => {
    const { begin, clock, read, respond, said } = await setUp()
    const slow = await begin({ integration_attributes: { shared_id: 'S' } })
    const quick = await said('person', { shared_id: 'S' })
    expect((await read('?shared_id=S')).json.id).toBe(quick)
    await clock.advance(1_000)
    await respond(slow, 'person')
    expect((await read('?shared_id=S')).json.id).toBe(slow)
    // With both, `shared_id` counts.
    expect((await read(`?id=${quick}&shared_id=S`)).json.id).toBe(slow)
    expect(await read(`?id=${quick}&shared_id=none`)).toEqual(NOT_THERE)
  })

  it('RC80 without an id it is 400; without a handoff, or of another agent, 404 in the same words', async () => {
    const { account, platform, read, recorded, said } = await setUp()
    for (const query of ['', '?', '?project_id=x'])
      expect(await read(query)).toEqual({
        status: 400,
        json: { error_message: expect.stringMatching(/^Neither id nor shared_id is given\./) },
      })
    expect((await read('?id=')).status).toBe(400)
    expect((await read('?id=a&id=b')).status).toBe(400)
    const made = { accountId: account.id, name: 'Other', greeting: 'Hello', agentId: 'PROJECT-B' }
    const { id: other } = await platform.agents.create(made)
    await recorded('CA-other', { shared_id: 'theirs' }, other)
    const plain = await said('bye')
    for (const query of [
      ...[`?id=${plain}`, '?id=CONV-none', '?id=CA-other', '?shared_id=theirs', '?shared_id=%00', '?id=%01'],
      `?id=CA-other%01${other}`,
    ])
      expect(await read(query)).toEqual(NOT_THERE)
  })

  it('RC80 debug chats have none, although their agents hand off', async () => {
    const { agent, platform, read } = await setUp()
    const { state } = await platform.debugChat.start(agent, { environment: 'live' })
    await platform.debugChat.send(agent, state.id, { environment: 'live', message: 'ticket' })
    const stored = await contextOf(platform).store.conversations.load(state.id)
    expect(stored?.state.handedOff).toMatchObject({ sharedId: 'CRM-1' })
    expect(await read(`?id=${state.id}`)).toEqual(NOT_THERE)
    expect(await read('?shared_id=CRM-1')).toEqual(NOT_THERE)
  })

  it('RC80 keys of the project and the workspace open it without a token; others do not', async () => {
    const { agent, key, platform, read, said } = await setUp()
    const query = `?id=${await said('ticket')}`
    const { id: accountId } = await platform.access.createAccount({
      ...{ accountId: 'ws-two', slug: 'two', name: 'Two' },
    })
    for (const opens of [
      await key({}),
      await key({ kind: 'workspace' }),
      await key({ kind: 'workspace', permissions: ['conversations'] }),
      await key({ agentId: agent.id, permissions: ['conversations'] }),
    ])
      expect((await read(query, opens)).status).toBe(200)
    for (const refused of [
      await key({ kind: 'desk' }),
      await key({ permissions: ['chat'] }),
      await key({ kind: 'workspace', permissions: ['agents'] }),
      await key({ accountId }),
    ])
      expect(await read(query, refused)).toEqual({
        status: 403,
        json: { error_message: expect.stringMatching(/API key/) },
      })
    for (const wrong of ['cq_pr_wrong', undefined])
      expect(await read(query, { 'x-api-key': wrong })).toEqual({
        status: 401,
        json: { error_message: expect.stringMatching(/API key/) },
      })
  })

  it('RC80 on a host that is not the platform’s it is 404, and a store that fails is 500, in {error_message} alone', async () => {
    const hosts = {
      base: { us: 'api.us.example' },
      platform: { 'us-1': 'platform.example' },
      messaging: { 'us-1': 'chat.example' },
    }
    const { platform, read } = await setUp({ hosts })
    expect(await read('?id=x', { host: 'api.us.example' })).toMatchObject({ status: 404 })
    expect(await read('?id=x', { host: 'platform.example' })).toEqual(NOT_THERE)
    Object.assign(contextOf(platform).store.conversations, {
      load: async () => {
        throw new Error('disk full')
      },
    })
    expect(await read('?id=x', { host: 'platform.example' })).toEqual({
      status: 500,
      json: { error_message: 'Something went wrong on the server.' },
    })
  })
})
