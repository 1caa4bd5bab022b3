import { createPlatform } from '@colloquy/core'
import { aConversation, createFakeClock, createScriptedRuntime, START } from '@colloquy/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { openStore, temporaryStoreFile } from './files.ts'

const OLD = 'CA-old'

/** A file with a recorded call in progress under its bare id, as files had them before ids were the agent's own. */
async function fileFromBefore() {
  const clock = createFakeClock()
  const store = openStore({ filename: temporaryStoreFile() })
  const runtime = createScriptedRuntime({}, clock)
  const platform = createPlatform({ store, clock, runtime, rateLimits: null })
  onTestFinished(platform.close)
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const create = async () => (await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello' })).id
  const [agentId, otherId] = [await create(), await create()]
  const kept = aConversation(OLD, {
    accountId,
    agentId,
    state: { kind: 'recorded', owner: 'ai_agent', greeted: true },
  })
  await store.conversations.create(kept)
  const call = { accountId, environment: 'live', channel: 'webchat', startedAt: START } as const
  return { platform, clock, accountId, agentId, otherId, call }
}

it('EN51 a call that a file holds from before keeps its id, and another agent may use it', async () => {
  const { platform, clock, accountId, agentId, otherId, call } = await fileFromBefore()
  const { conversations, reading } = platform
  await clock.advance(60_000)
  const start = (agent: typeof agentId, conversationId = OLD) =>
    conversations.start({ ...call, agentId: agent, conversationId })
  expect(await start(agentId)).toEqual({ conversationId: OLD, status: 'duplicate' })
  expect(await start(otherId)).toEqual({ conversationId: OLD, status: 'recorded' })
  await start(agentId, 'CA-new')
  const turn = { agentId, conversationId: OLD, turnId: '1', userInput: 'Hello', userInputAt: START + 1 }
  expect(await conversations.recordTurn(turn)).toEqual({ conversationId: OLD, status: 'recorded' })
  expect(await conversations.finish({ agentId, conversationId: OLD })).toMatchObject({ status: 'recorded' })
  const shown = async (agent: typeof agentId, id = OLD) =>
    (await reading.record(accountId, agent, id))?.summary.value ?? null
  expect(await shown(agentId)).toMatchObject({ id: OLD, num_turns: 1, in_progress: false })
  expect(await shown(otherId)).toMatchObject({ id: OLD, num_turns: 0, in_progress: true })
  const list = async (after?: string) => {
    const from = after === undefined ? { offset: 0 } : { after: { startedAt: START, id: after } }
    const page = await reading.records({ accountId, agentId, environment: 'live' }, from, 9)
    return page.records.map(({ id }) => id)
  }
  expect(await list()).toEqual(['CA-new', OLD])
  expect(await list('CA-new')).toEqual([OLD])
  expect(await list(OLD)).toEqual([])
  await conversations.remove(accountId, agentId, OLD)
  expect(await shown(agentId)).toBeNull()
  expect(await shown(otherId)).toMatchObject({ id: OLD })
})
