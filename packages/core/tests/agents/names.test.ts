import { expect, onTestFinished, test } from 'vitest'
import { PROPER_NAME } from '../../src/domain/agent/proper-name.ts'
import { v3ListQuery } from '../../src/http/routes/conversation-query.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { expandAttributes } from '../../src/runtime/expansions.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { checkedFilter } from '../../src/usecases/records/refuse-filter.ts'

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

const CRASHES = { metric: 'call_crashes', operator: '>', threshold: 0, window: '5m' } as const

const INVISIBLE = [
  ' ',
  '\u00a0\u3000',
  '\u00ad',
  'A\u00adB',
  '\u202eevil',
  'a\u2066b',
  '\u200d',
  '\u3164',
  '\u2800',
  '\ufe0f',
]

test('AG38 no name is blank, invisible, or turns the direction of text, whatever it names', async () => {
  const { platform, agent, branch } = await setUp()
  const { access, agents, alerts, voices, webhooks } = platform
  const { accountId } = agent
  const topic = await agents.createTopic(agent.id, branch.id, { name: 'Bar', content: 'Open.' })
  const message = expect.stringContaining(PROPER_NAME)
  const refused = { code: 'SCHEMA_VALIDATION_FAILED', message }
  for (const name of INVISIBLE) {
    const writes = [
      agents.createTopic(agent.id, branch.id, { name, content: 'Open.' }),
      agents.updateTopic(agent.id, branch.id, topic.id, { name }),
      agents.createAttribute(agent.id, branch.id, { name }),
      agents.createVariant(agent.id, branch.id, { name }),
      agents.createBranch(agent.id, { branchName: name }),
      agents.create({ accountId, name, greeting: 'Hello' }),
      access.createAccount({ slug: 'two', name }),
      access.createApiKey({ kind: 'workspace', accountId, name }),
      access.createConnector({
        accountId,
        agentId: agent.id,
        environment: 'live',
        hosts: ['a.example'],
        name,
      }),
      voices.create(accountId, { name, provider: 'p', providerVoiceId: 'v', config: {} }),
      alerts.createRule(accountId, { ...CRASHES, name }),
      webhooks.createEndpoint(accountId, {
        name,
        url: 'https://a.example/',
        eventTypes: ['conversation.completed'],
      }),
    ]
    for (const write of await Promise.allSettled(writes))
      expect(write, JSON.stringify(name)).toMatchObject({ status: 'rejected', reason: refused })
  }
  const fine = ['नमस्ते', 'עברית\u200f', '👩\u200d🚒', 'می\u200cخواهم', 'A B']
  for (const name of fine)
    expect(await agents.createTopic(agent.id, branch.id, { name, content: 'Open.' })).toMatchObject({ name })
  expect(await agents.create({ accountId, name: APART, greeting: 'Hello' })).toMatchObject({ name: COMPOSED })
})

test('AG38 a variant is found by its name however that is composed', () => {
  expect(checkedFilter({ variantName: APART })).toEqual({ variantName: COMPOSED })
  expect(v3ListQuery.parse({ variant_name: APART })).toMatchObject({ variant_name: COMPOSED })
})

test('AG14 the value of a resolution for a name is read as a name, and none is given twice', async () => {
  const mergeWith = async (value: string) => {
    const { platform, agent, branch } = await setUp()
    const { agents } = platform
    for (const name of ['A', COMPOSED])
      await agents.createTopic(agent.id, branch.id, { name, content: 'Open.' })
    await agents.merge(agent.id, branch.id)
    const [one, two] = [
      await agents.createBranch(agent.id, { branchName: 'one' }),
      await agents.createBranch(agent.id, { branchName: 'two' }),
    ]
    const topics = await agents.topics(agent.id, one.id)
    const id = topics.find(({ name }) => name === 'A')?.id ?? ''
    await agents.updateTopic(agent.id, one.id, id, { name: 'C' })
    await agents.updateTopic(agent.id, two.id, id, { name: 'D' })
    await agents.merge(agent.id, one.id)
    const resolutions = [{ path: ['topics', 'A', 'name'], strategy: 'theirs', value }] as const
    await agents.merge(agent.id, two.id, { conflictResolutions: resolutions })
    return (await agents.topics(agent.id, 'main')).map(({ name }) => name)
  }
  const refused = { code: 'MERGE_INVALID_RESOLUTION' }
  for (const value of ['B\u200b', 'tab\there', '\u0000', ' ', '\u202ea', APART, COMPOSED])
    await expect(mergeWith(value), JSON.stringify(value)).rejects.toMatchObject(refused)
  expect(await mergeWith('Neu\u0301')).toContain('Ne\u00fa')
})

test('AG38 expansions find a name however it is composed, on either side', () => {
  for (const [kept, written] of [
    [COMPOSED, APART],
    [APART, COMPOSED],
  ] as const)
    expect(expandAttributes(`{{attr:${written}}}`, { [kept]: 'open' })).toEqual({ text: 'open', unknown: [] })
})

test.each(['conversation', 'turn'] as const)(
  'AC16 after a rollback to content without its variant a chat goes on, pinned by %s',
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
