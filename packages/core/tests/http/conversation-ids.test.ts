import { createTestPlatform } from '@colloquy/test-support/platform'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { createFakeClock, createScriptedRuntime, START } from '../../src/testing/index.ts'
import { defineFunction } from '../../src/usecases/conversation/functions/define-function.ts'
import { request } from '../support/request.ts'

const CALL = 'CA-1@example'
const CHAT = 'my-chat'
const listSchema = z.object({
  conversations: z.array(z.object({ id: z.string(), state: z.unknown() })),
  cursor: z.string().nullish(),
})

/** What functions and runtimes were told their conversation's id is. */
const told = new Set<string>()

const look = defineFunction({
  description: 'Tells what it sees.',
  parameters: z.object({}),
  execute: async conversation => {
    told.add(conversation.conversationId)
    return { eventId: await conversation.expectExternalEvent() }
  },
})

/** Two accounts with an agent each that is deployed, and a way to call for each of them. */
async function serve() {
  const clock = createFakeClock(START)
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      externalEvent: 'It came.',
      otherwise: async turn => {
        told.add(turn.conversationId)
        const { result } = await turn.callFunction('look', {})
        return JSON.stringify(result)
      },
    },
    clock,
  )
  const sent: string[] = []
  const webhookSender: WebhookSender = {
    objection: () => null,
    async send({ body }) {
      sent.push(body)
      return { type: 'answered', status: 200 }
    },
  }
  const { platform } = createTestPlatform({ runtime, clock, functions: { look }, webhookSender })
  const dispatcher = createDispatcher(platform, routes)
  async function tenant(slug: string) {
    const { id: accountId } = await platform.access.createAccount({ slug, name: slug })
    const { id: agentId } = await platform.agents.create({ accountId, name: slug, greeting: 'Hello' })
    await platform.agents.publish(agentId, { environment: 'live' })
    await platform.agents.publish(agentId, { environment: 'sandbox' })
    const keyOf = async (kind: 'workspace' | 'project' | 'external_events') =>
      (await platform.access.createApiKey({ kind, accountId })).secret
    const keys = {
      workspace: await keyOf('workspace'),
      project: await keyOf('project'),
      events: await keyOf('external_events'),
    }
    async function ask(key: keyof typeof keys, line: string, body?: unknown, headers = {}) {
      const answer = await dispatcher.handle(
        request(line, {
          headers: { 'x-api-key': keys[key], 'content-type': 'application/json', ...headers },
          body,
        }),
      )
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    const chats = `/v1/agents/${agentId}/debug-chat`
    const scope = { accountId, agentId } as const
    return {
      ...scope,
      ask,
      scope,
      /** Its record of the call, with what was said. */
      record: (id: string = CALL) =>
        ask('project', `GET /v3/${slug}/${agentId}/conversations/${encodeURIComponent(id)}`),
      async ids(query = '') {
        const { json } = await ask('project', `GET /v3/${slug}/${agentId}/conversations?${query}`)
        return listSchema.parse(json)
      },
      begin: () => ask('workspace', `POST ${chats}`, { clientEnv: 'sandbox', conversationId: CHAT }),
      say: (message: string, id = CHAT) =>
        ask('workspace', `POST ${chats}/${encodeURIComponent(id)}`, { clientEnv: 'sandbox', message }),
      start: (conversationId = CALL, startedAt = START - 60_000) =>
        platform.conversations.start({
          ...{ ...scope, environment: 'live', channel: 'VOICE', conversationId, startedAt },
        }),
      turn: (userInput: string) =>
        platform.conversations.recordTurn({
          ...{ agentId, conversationId: CALL, turnId: '1', userInput, userInputAt: START - 30_000 },
        }),
      finish: () => platform.conversations.finish({ agentId, conversationId: CALL, finishedAt: START }),
    }
  }
  return { platform, clock, sent, one: await tenant('one'), two: await tenant('two') }
}

describe('an id that a caller chose is the agent’s own', () => {
  test('EN51 two accounts record calls of one id, and neither sees, blocks or ends the other’s', async () => {
    const { one, two } = await serve()
    expect(await one.start()).toEqual({ conversationId: CALL, status: 'recorded' })
    expect(await two.start()).toEqual({ conversationId: CALL, status: 'recorded' })
    await one.turn('mine')
    expect((await two.record()).json).toMatchObject({ id: CALL, num_turns: 0 })
    expect(await two.finish()).toEqual({ conversationId: CALL, status: 'recorded' })
    expect((await one.record()).json).toMatchObject({
      ...{ id: CALL, in_progress: true, turns: [{ user_input: 'mine' }] },
    })
    await one.turn('mine')
    expect((await one.ids()).conversations).toMatchObject([{ id: CALL }])
    expect((await two.ids()).conversations).toMatchObject([{ id: CALL }])
    // Nobody comes to it by the name under which it is kept.
    const kept = [`${CALL}\u0001${one.agentId}`, `${CALL}\u0001${two.agentId}`]
    for (const tenant of [one, two]) for (const id of kept) expect((await tenant.record(id)).status).toBe(404)
  })

  test('EN51 removal takes the agent’s own, and the audit log names it by its id', async () => {
    const { platform, one, two } = await serve()
    for (const tenant of [one, two]) {
      await tenant.start()
      await tenant.finish()
    }
    const remove = ({ scope }: typeof one, id = CALL) =>
      platform.conversations.remove(scope.accountId, scope.agentId, id)
    const theirs = `${CALL}\u0001${one.agentId}`
    await expect(remove(two, theirs)).rejects.toMatchObject({ code: 'CONVERSATIONS_NOT_FOUND' })
    await remove(two)
    await expect(remove(two)).rejects.toMatchObject({ code: 'CONVERSATIONS_NOT_FOUND' })
    expect((await one.record()).status).toBe(200)
    const { entries } = await platform.audit.list({ action: 'conversation.removed' })
    expect(entries).toMatchObject([{ resource: { id: CALL }, agentId: two.agentId }])
    expect(await two.start()).toMatchObject({ status: 'recorded' })
  })

  test('EN51 an id of the agent that is taken by another kind of conversation stays taken', async () => {
    const { platform, clock, one } = await serve()
    const visitor = await openVisitor(platform, clock)
    const call = { accountId: visitor.accountId, agentId: visitor.agentId, conversationId: visitor.id }
    const start = platform.conversations.start({ ...call, environment: 'live', channel: 'VOICE' })
    await expect(start).rejects.toMatchObject({ code: 'CONVERSATION_ID_ALREADY_EXISTS' })
    expect(await one.start(visitor.id)).toEqual({ conversationId: visitor.id, status: 'recorded' })
    await visitor.join()
    expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.'])
  })

  test('EN51 and DC6 so it is with debug chats: their greeting, their turns, and what turns and functions are told', async () => {
    const { one, two, platform, clock } = await serve()
    expect(await one.begin()).toMatchObject({ status: 201, json: { conversationId: CHAT } })
    expect((await two.say('Hello')).status).toBe(404)
    expect(await two.begin()).toMatchObject({ status: 201, json: { conversationId: CHAT } })
    expect((await one.begin()).json).toMatchObject({ error_code: 'CONVERSATION_ID_ALREADY_EXISTS' })
    told.clear()
    const said = await one.say('Hello')
    expect(said).toMatchObject({ status: 200, json: { conversationId: CHAT } })
    expect([...told]).toEqual([CHAT])
    expect((await two.say('Hello', `${CHAT}\u0001${one.agentId}`)).status).toBe(404)
    const { eventId } = z.object({ eventId: z.string() }).parse(JSON.parse(said.json.response))
    const received = await platform.externalEvents.receive({
      ...{ ...one.scope, location: 'headers', path: 'x-event', query: '' },
      ...{ headers: { 'x-event': eventId }, contentType: 'text/plain', body: new Uint8Array() },
    })
    expect(received).toEqual({ eventId, conversationId: CHAT, status: 'accepted' })
    await clock.settle()
    const read = await one.ask(
      'workspace',
      `GET /v1/agents/${one.agentId}/debug-chat/${CHAT}?clientEnv=sandbox`,
    )
    expect(read.json).toMatchObject({ conversationId: CHAT, response: 'It came.' })
  })

  test('EN51 lists have the order of the ids, and go on behind the last one', async () => {
    const { one } = await serve()
    const ids = ['B', 'AB', 'A.', 'A', 'A:1', 'a', '9', 'A-'].map(id => id)
    for (const id of ids) await one.start(id)
    const found: string[] = []
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const page = await one.ids(`limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      found.push(...page.conversations.map(({ id }) => id))
      cursor = page.cursor
    }
    expect(found).toEqual(ids.toSorted())
  })

  test('WH1 and EN51 webhooks tell the id that the caller chose', async () => {
    const { platform, clock, one, sent } = await serve()
    const { endpoint } = await platform.webhooks.createEndpoint(one.accountId, {
      ...{ name: 'A', url: 'https://a.example/', eventTypes: ['conversation.completed'] },
    })
    await one.start()
    await one.finish()
    await clock.advance(1_000)
    expect(sent.map(body => JSON.parse(body))).toMatchObject([{ data: { id: CALL } }])
    const path = `GET /v1/webhook-endpoints/${endpoint.id}/deliveries`
    const listed = await one.ask('workspace', path)
    expect(JSON.stringify(listed.json)).toContain(`"conversationId":"${CALL}"`)
  })
})

describe('topics of the bus', () => {
  test.each(['revoked:', 'desk:', ''])(
    'EN51 a recorded call named %s and a connector’s or account’s id reaches nobody else',
    async prefix => {
      const { platform, clock, one } = await serve()
      const visitor = await openVisitor(platform, clock)
      await visitor.join()
      const [connector] = (await platform.access.connectors()).connectors
      for (const id of [connector?.id, visitor.accountId, visitor.id, 'live']) {
        const conversationId = `${prefix}${id}`
        await one.start(conversationId)
        await platform.conversations.finish({ agentId: one.agentId, conversationId, finishedAt: START })
      }
      await clock.settle()
      expect(visitor.closedBy()).toBeNull()
      await visitor.say('Still here')
      expect(visitor.texts('AI_AGENT_MESSAGE')).toHaveLength(2)
    },
  )
})
