import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { previewMerge } from '../../src/domain/agent/merge.ts'
import { treeOf } from '../../src/domain/agent/tree.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'

const VERBS = [
  ...(['behavior', 'greeting', 'topic', 'no topic', 'rename', 'attribute', 'no attribute'] as const),
  ...(['variant', 'value', 'default'] as const),
]

/** What is changed on a branch before it is merged. */
interface Change {
  readonly verb: (typeof VERBS)[number]
  readonly name: string
  readonly text: string
}

const aChange: fc.Arbitrary<Change> = fc.record({
  verb: fc.constantFrom(...VERBS),
  name: fc.constantFrom('one', 'two', 'three'),
  text: fc.constantFrom('red', 'green', 'blue'),
})

const histories = fc.array(fc.array(aChange, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })

async function open() {
  const store = createMemoryStore()
  const clock = createFakeClock()
  const runtime = createScriptedRuntime({}, clock)
  const platform = createPlatform({ store, runtime, clock, ids: createSequentialIds(), log: silentLog })
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello' })
  const { agents } = platform

  async function change(branchId: string, { verb, name, text }: Change): Promise<void> {
    const named = <One extends { readonly name: string }>(all: readonly One[]) =>
      all.find(one => one.name === name)
    const topics = await agents.topics(agentId, branchId)
    const topic = named(topics)
    const renamed = `${name} ${text}`
    const attribute = named(await agents.attributes(agentId, branchId))
    const variant = named(await agents.variants(agentId, branchId))
    if (verb === 'behavior') await agents.updateBehavior(agentId, branchId, text)
    else if (verb === 'greeting') await agents.updateResponseSettings(agentId, branchId, { greeting: text })
    else if (verb === 'topic' && topic)
      await agents.updateTopic(agentId, branchId, topic.id, { content: text })
    else if (verb === 'topic') await agents.createTopic(agentId, branchId, { name, content: text })
    else if (verb === 'no topic' && topic) await agents.deleteTopic(agentId, branchId, topic.id)
    else if (verb === 'rename' && topic && !topics.some(one => one.name === renamed))
      await agents.updateTopic(agentId, branchId, topic.id, { name: renamed })
    else if (verb === 'attribute' && !attribute) await agents.createAttribute(agentId, branchId, { name })
    else if (verb === 'no attribute' && attribute)
      await agents.deleteAttribute(agentId, branchId, attribute.id)
    else if (verb === 'variant' && !variant) await agents.createVariant(agentId, branchId, { name })
    else if (verb === 'value' && variant && attribute)
      await agents.updateVariant(agentId, branchId, variant.id, { attributeValues: { [attribute.id]: text } })
    else if (verb === 'default' && variant)
      await agents.updateVariant(agentId, branchId, variant.id, { isDefault: true })
  }

  return { store, agents, agentId, change }
}

describe('AG19 two deployments', () => {
  test('are compared by what main changed between them, as whole contents would be, and either way', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async history => {
        const { store, agents, agentId, change } = await open()
        const first = await agents.publish(agentId)
        const deployments = [first]
        for (const changes of history) {
          const { id: branchId } = await agents.createBranch(agentId, { branchName: 'work' })
          for (const one of changes) await change(branchId, one)
          const expected = (await agents.diff(agentId, branchId)).changes
          const { deployment } = await agents.merge(agentId, branchId)
          const before = deployments.at(-1) ?? first
          expect(await agents.compareDeployments(agentId, deployment.id, before.id)).toEqual(expected)
          deployments.push({ ...deployment, testRunIds: [] })
        }
        const whole = async (revision: number) =>
          treeOf(await store.agents.revisions.resourcesAt(agentId, revision))
        for (const one of deployments)
          for (const other of deployments) {
            const [ours, theirs] = [await whole(other.revision), await whole(one.revision)]
            const compared = await agents.compareDeployments(agentId, one.id, other.id)
            expect(new Set(compared)).toEqual(new Set(previewMerge({ base: ours, ours, theirs }).changes))
            if (one.version === other.version) expect(compared).toEqual([])
          }
      }),
      { numRuns: 60 },
    )
  })

  test('are those of the agent, and what is handed out is no part of them', async () => {
    const { agents, agentId, change } = await open()
    const [first, second] = [
      await agents.publish(agentId),
      await agents.createBranch(agentId, { branchName: 'b' }),
    ]
    await agents.createTopic(agentId, second.id, {
      ...{ name: 'one', content: 'red', exampleQueries: ['which?'] },
    })
    await change(second.id, { verb: 'behavior', name: 'one', text: 'red' })
    const { deployment } = await agents.merge(agentId, second.id)
    const read = () => agents.compareDeployments(agentId, deployment.id, first.id)
    const before = structuredClone(await read())
    expect(before.map(({ path, type }) => [path.join(' '), type])).toEqual(
      expect.arrayContaining([
        ['behavior', 'modify'],
        ['topics one content', 'add'],
      ]),
    )
    for (const { theirsValue } of await read()) if (Array.isArray(theirsValue)) theirsValue.push('spoilt')
    expect(await read()).toEqual(before)
    for (const [one, other] of [
      [deployment.id, 'none'],
      ['none', first.id],
    ] as const)
      await expect(agents.compareDeployments(agentId, one, other)).rejects.toMatchObject({
        code: 'DEPLOYMENT_NOT_FOUND',
      })
  })
})
