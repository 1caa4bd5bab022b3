import { createMemoryStore } from '@colloquy/adapter-memory'
import { expect, onTestFinished, test } from 'vitest'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { expandAttributes } from '../../src/runtime/expansions.ts'
import { createFakeClock } from '../../src/testing/index.ts'

const [COMPOSED, APART] = ['Caf\u00e9', 'Cafe\u0301']

/** Says the name of its variant. */
const naming: AgentRuntime = {
  async *respond({ variant }) {
    yield { type: 'text', text: variant?.name ?? 'nobody' }
  },
}

async function setUp(options: Partial<PlatformOptions> = {}) {
  const store = createMemoryStore()
  const platform = createPlatform({
    ...{ store, clock: createFakeClock(), runtime: naming, rateLimits: null },
    ...options,
  })
  onTestFinished(platform.close)
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello' })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'work' })
  return { platform, agent, branch }
}

test('AG38 a name that is composed otherwise is the same name', async () => {
  const { platform, agent, branch } = await setUp()
  const { agents } = platform
  const made = await agents.createAttribute(agent.id, branch.id, { name: APART })
  expect(made.name).toBe(COMPOSED)
  const again = agents.createAttribute(agent.id, branch.id, { name: COMPOSED })
  await expect(again).rejects.toMatchObject({ code: 'ATTRIBUTE_ALREADY_EXISTS' })
  await agents.createTopic(agent.id, branch.id, { name: COMPOSED, content: 'Open.' })
  const other = await agents.createTopic(agent.id, branch.id, { name: 'Bar', content: 'Open.' })
  const renamed = agents.updateTopic(agent.id, branch.id, other.id, { name: APART })
  await expect(renamed).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS' })
  expect((await agents.createBranch(agent.id, { branchName: APART })).name).toBe(COMPOSED)
})

test('AG38 a name that looks like another one is refused', async () => {
  const { platform, agent, branch } = await setUp()
  const refused = { code: 'SCHEMA_VALIDATION_FAILED' }
  for (const name of ['Par\u200bking', 'Parking\ufeff', 'Par\u2060king', 'Par\u0000king', 'Par\nking']) {
    const topic = platform.agents.createTopic(agent.id, branch.id, { name, content: 'Open.' })
    await expect(topic).rejects.toMatchObject(refused)
    await expect(platform.agents.createBranch(agent.id, { branchName: name })).rejects.toMatchObject(refused)
  }
})

test('AG38 expansions find a name however it is composed, on either side', () => {
  for (const [kept, written] of [
    [COMPOSED, APART],
    [APART, COMPOSED],
  ] as const)
    expect(expandAttributes(`{{attr:${written}}}`, { [kept]: 'open' })).toEqual({ text: 'open', unknown: [] })
})

test.each(['conversation', 'turn'] as const)(
  'AG39 after a rollback to content without its variant a chat goes on, pinned by %s',
  async deploymentPinning => {
    const { platform, agent, branch } = await setUp({ deploymentPinning })
    const { agents, debugChat } = platform
    const { deployment: first } = await agents.merge(agent.id, branch.id)
    const gold = await agents.createVariant(agent.id, branch.id, { name: 'Gold' })
    await agents.merge(agent.id, branch.id)
    const sandbox = { environment: 'sandbox' } as const
    const { state, turn } = await debugChat.start(agent, { ...sandbox, variantId: gold.id })
    expect(turn.record.agent_response).toBe('Gold')
    await agents.rollback(agent.id, first.id)
    const said = await debugChat.send(agent, state.id, { ...sandbox, message: 'Hello' })
    expect(said.turn.record.agent_response).toBe(deploymentPinning === 'turn' ? 'default' : 'Gold')
    const begun = debugChat.start(agent, { ...sandbox, variantId: gold.id })
    await expect(begun).rejects.toMatchObject({ code: 'VARIANT_NOT_FOUND' })
    expect((await debugChat.start(agent, sandbox)).turn.record.agent_response).toBe('default')
  },
)
