import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createMemoryStore } from '../../../src/memory/index.ts'
import { createPlatform } from '../../../src/platform.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../../src/testing/index.ts'
import { defineFunction } from '../../../src/usecases/conversation/functions/define-function.ts'

/** Says what the runtime and a function of the host are given; a slow turn says it after its wait, too. */
const SCRIPT: Script = {
  greeting: turn => JSON.stringify(turn.realTimeConfig),
  otherwise: async turn => {
    const { result } = await turn.callFunction('look', {})
    return `${JSON.stringify(turn.realTimeConfig)} ${JSON.stringify(result)}`
  },
}

/** A process over the store whose functions see what a turn is given; `during` runs while the function does. */
function start(store: Store, during: () => Promise<unknown> = async () => undefined) {
  const clock = createFakeClock()
  const look = defineFunction({
    description: 'Returns the real-time config.',
    parameters: z.object({}),
    async execute(conversation) {
      await during()
      return conversation.realTimeConfig
    },
  })
  const platform = createPlatform({
    store,
    clock,
    runtime: createScriptedRuntime(SCRIPT, clock),
    functions: { look },
  })
  return { platform, clock }
}

it('AG35 in messaging, a change between two turns is seen by the second, whichever process made it', async () => {
  const store = createMemoryStore()
  const { platform, clock } = start(store)
  const elsewhere = start(store).platform.agents
  const visitor = await openVisitor(platform, clock)
  const { agentId } = visitor
  await elsewhere.updateRealTimeConfigVariables(agentId, 'sandbox', { open: 'elsewhere' })
  await visitor.join()
  await elsewhere.updateRealTimeConfigVariables(agentId, 'live', { open: true })
  await visitor.say('one')
  await platform.agents.updateRealTimeConfigVariables(agentId, 'live', { open: null, rooms: 5 })
  await visitor.say('two')
  const said = ['{}', '{"open":true} {"open":true}', '{"rooms":5} {"rooms":5}']
  expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(said)
})

it('AG35 in debug chat likewise', async () => {
  const { platform } = start(createMemoryStore())
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  await platform.agents.publish(agent.id)
  await platform.agents.updateRealTimeConfigVariables(agent.id, 'sandbox', { open: true })
  const begun = await platform.debugChat.start(agent, { environment: 'sandbox' })
  expect(begun.turn.record.agent_response).toBe('{"open":true}')
  await platform.agents.updateRealTimeConfigVariables(agent.id, 'sandbox', { open: false })
  const message = { environment: 'sandbox', message: 'one' } as const
  const answered = await platform.debugChat.send(agent, begun.state.id, message)
  expect(answered.turn.record.agent_response).toBe('{"open":false} {"open":false}')
})

it('AG35 a change during a turn is for the next one', async () => {
  const store = createMemoryStore()
  const changes: (() => Promise<unknown>)[] = []
  const { platform, clock } = start(store, async () => changes.pop()?.())
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  changes.push(() => platform.agents.updateRealTimeConfigVariables(visitor.agentId, 'live', { open: true }))
  await visitor.say('one')
  await visitor.say('two')
  expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['{}', '{} {}', '{"open":true} {"open":true}'])
})
