import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import {
  aNewEndpoint,
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
} from '../../src/testing/index.ts'

/** Two processes over one store, without a sender: what is told can be read and is not sent. */
async function begin() {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      otherwise: [{ type: 'handoff', destination: 'reception', reason: 'asked for a person' }],
    },
    clock,
  )
  const shared = {
    store,
    clock,
    runtime,
    bus: createLocalBus(),
    ids: createSequentialIds(),
    rateLimits: null,
  }
  const [one, two] = [createPlatform(shared), createPlatform(shared)]
  const first = await openVisitor(one, clock)
  const { endpoint } = await one.webhooks.createEndpoint(
    first.accountId,
    aNewEndpoint('https://hooks.example.com/'),
  )
  /** What was told of a conversation, oldest first. */
  const told = async (conversationId: string) => {
    const { deliveries } = await one.webhooks.deliveries(first.accountId, endpoint.id)
    const events = deliveries.filter(({ event }) => event.conversationId === conversationId)
    return events.map(({ event }) => event.type).sort()
  }
  return { clock, one, two, first, told }
}

test('WH5 a conversation tells of its handoff and its end in the writes that make them', async () => {
  const { one, first, told } = await begin()
  await first.join()
  expect(await told(first.id)).toEqual([])
  await first.say('A person, please')
  expect(await told(first.id)).toEqual(['handoff.requested'])
  await one.desk.accept(first.accountId, `${first.id}.1`, { id: 'a-1', name: 'Ada', avatarUrl: '' })
  expect(await told(first.id)).toEqual(['handoff.accepted', 'handoff.requested'])
  await one.desk.leave(first.accountId, `${first.id}.1`)
  expect(await told(first.id)).toEqual(['conversation.completed', 'handoff.accepted', 'handoff.requested'])
})

test('WH5 processes that end one conversation at once tell of one end', async () => {
  const { clock, one, two, first, told } = await begin()
  for (let round = 0; round < 10; round++) {
    const visitor = await openVisitor(one, clock)
    const elsewhere = await visitor.reconnect(two)
    await visitor.join()
    await Promise.all([visitor.end(), elsewhere.end()])
    expect(await told(visitor.id)).toEqual(['conversation.completed'])
  }
  expect(await told(first.id)).toEqual([])
})
