import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { chunksOf, replies } from '@colloquy/test-support/replies'
import { CONNECTOR_TOKEN, openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { createFakeClock } from '../../src/testing/index.ts'

const SENTENCE =
  'Room {n} has a view of the old harbour, a desk by the window, and a bed that is two metres wide.'
const sentences = Array.from({ length: 10 }, (_, n) => SENTENCE.replace('{n}', String(n)))
const MANY = sentences.join(' ')
const ONE = `${Array.from({ length: 220 }, (_, n) => `word${n}`).join(' ')}.`

/** An agent with one topic in live, behind the connector of the tests' visitors. */
async function publish(platform: Platform, content: string): Promise<void> {
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'rooms' })
  const exampleQueries = ['What do the rooms look like?']
  await platform.agents.createTopic(agent.id, branch.id, { name: 'Rooms', content, exampleQueries })
  await platform.agents.merge(agent.id, branch.id, {})
  await platform.agents.publish(agent.id, { environment: 'live' })
  await platform.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['example.com'],
    token: CONNECTOR_TOKEN,
  })
}

test.each([
  ['ten sentences', MANY, 10],
  ['one long sentence', ONE, 9],
])(
  'MS30 a topic of 220 words in %s streams as many chunks, which are its text',
  async (_, content, least) => {
    expect(content.split(' ').length).toBeGreaterThanOrEqual(200)
    const clock = createFakeClock()
    const runtime = createRetrievalRuntime({ answerLength: 10_000 })
    const platform = createPlatform({ store: createMemoryStore(), clock, runtime, rateLimits: null })
    await publish(platform, content)
    const visitor = await openVisitor(platform, clock, true)
    await visitor.join()
    const before = chunksOf(visitor).length
    await visitor.say('What do the rooms look like?')
    const chunks = chunksOf(visitor).slice(before)
    expect(replies(visitor)).toEqual(['Welcome.', content])
    expect(chunks.length).toBeGreaterThanOrEqual(least)
    for (const { payload } of chunks) expect(String(payload.text).length).toBeLessThanOrEqual(160)
    expect(chunks.map(({ payload }) => payload.is_complete)).toEqual(
      chunks.map((_, at) => at === chunks.length - 1),
    )
  },
)
