import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/domain/agent/agent.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../../src/platform.ts'
import { createScriptedRuntime, type Script } from '../../../src/testing/index.ts'
import type { ExternalEventInput } from '../../../src/usecases/external-events/receive-external-event.ts'
import { does, openChat } from './support.ts'

/** What a payment provider does: under one idempotency key the first event id stands, whoever sends another. */
function createProvider() {
  const orders = new Map<string, string>()
  return {
    orders,
    ids: () => [...orders.values()],
    order(idempotencyKey: string, eventId: string): void {
      if (!orders.has(idempotencyKey)) orders.set(idempotencyKey, eventId)
    },
  }
}

const pays = (provider: ReturnType<typeof createProvider>) =>
  does(async conversation => {
    provider.order(conversation.idempotencyKey, await conversation.expectExternalEvent())
  })

const paid = ({ accountId, id }: Agent, eventId: string): ExternalEventInput => ({
  ...{ accountId, agentId: id, location: 'headers', path: 'x-event', query: '' },
  headers: { 'x-event': eventId },
  contentType: 'text/plain',
  body: new TextEncoder().encode('paid'),
})

const ORDER: Script = {
  greeting: 'Welcome.',
  externalEvent: turn => `Heard of ${turn.input.type === 'external_event' ? turn.input.eventId : ''}.`,
  messages: {
    order: async turn => {
      await turn.callFunction('pay', {})
      return 'Please pay.'
    },
    'order and fail': async turn => {
      await turn.callFunction('pay', {})
      return [{ type: 'fail', message: 'the model is down' }]
    },
    'order twice': async turn => {
      await turn.callFunction('pay', {})
      await turn.callFunction('pay', {})
      return `I wait for ${await turn.expectExternalEvent()} as well.`
    },
  },
  otherwise: 'Certainly.',
}

type Chat = Awaited<ReturnType<typeof openChat>>

/** Says it in a process that dies between the reservation of the event id and the turn's own write. */
async function dieAtTheEnd(chat: Chat, message: string): Promise<void> {
  const { conversations } = chat.store
  const { append } = conversations
  let died = false
  Object.assign(conversations, {
    append: (...input: Parameters<typeof append>) => {
      if (died || input[0].turns.length === 0) return append.apply(conversations, input)
      died = true
      return new Promise(() => undefined)
    },
  })
  void chat.say(message).catch(() => undefined)
  await chat.clock.settle()
  expect(died).toBe(true)
}

/** Goes on where the first one died, once the lease of its turn has run out. */
const anotherProcess = ({ store, clock }: Chat, options: Partial<PlatformOptions>): Platform =>
  createPlatform({
    ...{ store, clock, rateLimits: null, runtime: createScriptedRuntime(ORDER, clock) },
    ...options,
  })

describe('ids of external events', () => {
  it('EX21 a turn that is run again after a crash expects the event that the provider was told of first', async () => {
    const provider = createProvider()
    const chat = await openChat({ script: ORDER, functions: { pay: pays(provider) } })
    await dieAtTheEnd(chat, 'order')
    const [eventId = ''] = provider.ids()
    // Another process takes the turn over when its lease has run out.
    const next = anotherProcess(chat, { functions: { pay: pays(provider) } })
    await chat.clock.advance(30_000)
    expect(await chat.state()).toMatchObject({ turn: null, awaiting: [eventId] })
    expect(provider.ids()).toEqual([eventId])
    expect(await next.externalEvents.receive(paid(chat.agent, eventId))).toMatchObject({ status: 'accepted' })
    await chat.clock.settle()
    expect((await chat.read()).turn?.record.agent_response).toBe(`Heard of ${eventId}.`)
    await next.close()
  })

  it('EX21 each event of a turn has an id of its own, and each turn others', async () => {
    const provider = createProvider()
    const chat = await openChat({ script: ORDER, functions: { pay: pays(provider) } })
    await chat.say('order twice')
    await chat.say('order twice')
    const { awaiting } = await chat.state()
    expect(new Set(awaiting).size).toBe(6)
    for (const eventId of awaiting) expect(eventId).toMatch(/^[0-9a-f]{40}$/)
  })
})

describe('events of turns that came to nothing', () => {
  it('EX21 an event that a failed turn gave away is handed over when it comes', async () => {
    const provider = createProvider()
    const chat = await openChat({ script: ORDER, functions: { pay: pays(provider) } })
    await expect(chat.say('order and fail')).rejects.toMatchObject({ code: 'AGENT_FAILED' })
    const [eventId = ''] = provider.ids()
    const receipt = await chat.platform.externalEvents.receive(paid(chat.agent, eventId))
    expect(receipt).toMatchObject({ status: 'accepted', conversationId: chat.id })
    await chat.clock.settle()
    expect((await chat.read()).turn?.record.agent_response).toBe(`Heard of ${eventId}.`)
    // Once: whatever comes next is answered, and a second delivery is a duplicate.
    expect((await chat.say('thanks')).record.agent_response).toBe('Certainly.')
    const again = await chat.platform.externalEvents.receive(paid(chat.agent, eventId))
    expect(again).toMatchObject({ status: 'duplicate' })
    expect((await chat.state()).record.turns).toBe(4)
  })

  it('EX21 so is one that comes while the turn is under way that fails afterwards', async () => {
    const provider = createProvider()
    const script: Script = {
      ...ORDER,
      messages: {
        slow: async turn => {
          await turn.callFunction('pay', {})
          return [
            { type: 'wait', milliseconds: 5_000 },
            { type: 'fail', message: 'the model is down' },
          ]
        },
      },
    }
    const chat = await openChat({ script, functions: { pay: pays(provider) } })
    const failing = chat.say('slow').catch(({ code }) => code)
    await chat.clock.settle()
    const [eventId = ''] = provider.ids()
    await chat.platform.externalEvents.receive(paid(chat.agent, eventId))
    await chat.clock.advance(5_000)
    expect(await failing).toBe('AGENT_FAILED')
    await chat.clock.advance(1_000)
    expect((await chat.read()).turn?.record.agent_response).toBe(`Heard of ${eventId}.`)
  })

  it('EX21 so is one of a turn that no process survived', async () => {
    const provider = createProvider()
    const chat = await openChat({ script: ORDER, functions: { pay: pays(provider) } })
    await dieAtTheEnd(chat, 'order')
    const [eventId = ''] = provider.ids()
    const next = anotherProcess(chat, { turnAttempts: 1 })
    await chat.clock.advance(30_000)
    expect(await chat.state()).toMatchObject({ turn: null, awaiting: [] })
    expect(await next.externalEvents.receive(paid(chat.agent, eventId))).toMatchObject({ status: 'accepted' })
    await chat.clock.settle()
    expect((await chat.read()).turn?.record.agent_response).toBe(`Heard of ${eventId}.`)
    await next.close()
  })
})
