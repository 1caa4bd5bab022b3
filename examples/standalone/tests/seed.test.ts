import type { Platform } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { DEMO_AGENT } from '../src/demo/demo-agent.ts'
import { DEMO_TEST_CASES } from '../src/demo/test-cases.ts'
import { createDemoPlatform } from '../src/demo-platform.ts'
import { DEMO_AGENT_ID, seedDemo } from '../src/seed.ts'
import { openPlatform } from './support.ts'

const MAIN = 'main'

/** The demo data as far as people see it: no ids, no times. */
async function demoData({ access, agents }: Platform) {
  const topics = await agents.topics(DEMO_AGENT_ID, MAIN)
  const attributes = await agents.attributes(DEMO_AGENT_ID, MAIN)
  const variants = await agents.variants(DEMO_AGENT_ID, MAIN)
  const active = await agents.activeDeployments(DEMO_AGENT_ID)
  const nameOf = new Map(attributes.map(({ id, name }) => [id, name]))
  return {
    accounts: (await access.accounts()).accounts.map(({ id, slug }) => ({ id, slug })),
    branches: (await agents.branches(DEMO_AGENT_ID)).map(({ id }) => id),
    behavior: await agents.behavior(DEMO_AGENT_ID, MAIN),
    topics: topics.map(({ id: _, ...topic }) => topic),
    attributes: attributes.map(({ name }) => name),
    variants: variants.map(({ name, isDefault, attributeValues }) => ({
      name,
      isDefault,
      attributes: Object.fromEntries(
        Object.entries(attributeValues).map(([id, value]) => [nameOf.get(id), value]),
      ),
    })),
    revisions: Object.values(active).map(deployment => deployment?.revision),
    deployments: (await agents.deployments(DEMO_AGENT_ID, 'live')).length,
  }
}

test('SS7 the demo data is what it was written to be, live in all environments', async () => {
  const platform = openPlatform()
  await seedDemo(platform)
  const data = await demoData(platform)
  const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
    one.name < other.name ? -1 : 1
  expect(data).toEqual({
    accounts: [{ id: 'ws-demo', slug: 'demo' }],
    branches: ['main'],
    behavior: DEMO_AGENT.behavior,
    topics: DEMO_AGENT.topics
      .map(({ exampleQueries, ...topic }) => ({ ...topic, exampleQueries: exampleQueries.queries }))
      .sort(byName),
    attributes: [...DEMO_AGENT.attributes].sort(),
    variants: [...DEMO_AGENT.variants].sort(byName),
    revisions: [2, 2, 2],
    deployments: 1,
  })
})

test('SS7 a further start changes nothing, also not what people have changed meanwhile', async () => {
  const platform = openPlatform()
  await seedDemo(platform)
  const { agents } = platform
  const branch = await agents.createBranch(DEMO_AGENT_ID, { branchName: 'theirs' })
  await agents.updateBehavior(DEMO_AGENT_ID, branch.id, 'Another behavior.')
  const [topic] = await agents.topics(DEMO_AGENT_ID, branch.id)
  await agents.deleteTopic(DEMO_AGENT_ID, branch.id, topic?.id ?? '')
  await agents.merge(DEMO_AGENT_ID, branch.id)
  const changed = await demoData(platform)
  await seedDemo(platform)
  expect(await demoData(platform)).toEqual(changed)
})

test('the demo agent passes its test cases in every environment', async () => {
  const platform = createDemoPlatform(':memory:')
  onTestFinished(() => platform.close())
  await seedDemo(platform)
  await platform.idle()
  const { testRuns } = await platform.agents.testRuns.list(DEMO_AGENT_ID)
  expect(testRuns).toHaveLength(3)
  for (const { id } of testRuns) {
    const { run, results } = await platform.agents.testRuns.read(DEMO_AGENT_ID, id)
    const amiss = results.flatMap(({ name, turns }) =>
      turns.flatMap(({ verdicts }) =>
        verdicts.filter(({ passed }) => !passed).map(verdict => [name, verdict]),
      ),
    )
    expect(amiss).toEqual([])
    const total = DEMO_TEST_CASES.length
    expect(run).toMatchObject({ status: 'passed', counts: { total, passed: total } })
  }
  expect(DEMO_TEST_CASES.length).toBeGreaterThan(3)
})

test('SS2 where passing tests are required, the demo agent waits for them; without, it goes no further', async () => {
  const platform = createDemoPlatform(':memory:', { requirePassingTests: ['live'] })
  onTestFinished(() => platform.close())
  await expect(seedDemo(platform, { tested: false })).rejects.toMatchObject({
    code: 'DEPLOYMENTS_TESTS_NOT_PASSED',
  })
  const active = await platform.agents.activeDeployments(DEMO_AGENT_ID)
  expect([active['pre-release']?.type, active.live]).toEqual(['promotion', null])
  const other = createDemoPlatform(':memory:', { requirePassingTests: ['pre-release', 'live'] })
  onTestFinished(() => other.close())
  await seedDemo(other, { awaitTests: other.idle })
  expect((await other.agents.activeDeployments(DEMO_AGENT_ID)).live?.type).toBe('promotion')
})
