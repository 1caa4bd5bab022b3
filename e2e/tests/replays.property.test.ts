import { createPlatform, type Platform, type ReplayReport, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** Topics that have no word in common. */
const TOPICS: Readonly<Record<string, { readonly content: string; readonly query: string }>> = {
  Breakfast: { content: 'Breakfast is from seven to ten.', query: 'When is breakfast served?' },
  Parking: { content: 'Cars stand in the garage.', query: 'Where can I park my car?' },
  Pets: { content: 'Dogs stay free of charge.', query: 'Are dogs welcome?' },
  Sauna: { content: 'The sauna opens at noon.', query: 'Is there a sauna?' },
}
const NAMES = Object.keys(TOPICS)

/** An agent in live with these topics. */
async function hotel() {
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime: createRetrievalRuntime(), log: silentLog },
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'Hotel' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  const branch = await platform.agents.createBranch(agentId, { branchName: 'topics' })
  const ids = new Map<string, string>()
  for (const [name, { content, query }] of Object.entries(TOPICS)) {
    const topic = { name, content, exampleQueries: [query] }
    ids.set(name, (await platform.agents.createTopic(agentId, branch.id, topic)).id)
  }
  await platform.agents.merge(agentId, branch.id)
  const deployment = await platform.agents.publish(agentId, { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: [] },
  })
  const without = async (name: string): Promise<string> => {
    await platform.agents.deleteTopic(agentId, branch.id, ids.get(name) ?? '')
    return (await platform.agents.merge(agentId, branch.id)).deployment.id
  }
  return { platform, agentId, connector, deployment, without }
}

type Hotel = Awaited<ReturnType<typeof hotel>>

async function talk({ platform, connector }: Hotel, said: readonly string[]): Promise<void> {
  const { conversationId } = await platform.chat.create(connector, {})
  for (const message of said) await platform.chat.respond(connector, { conversationId, message })
  await platform.chat.close(connector, conversationId)
}

async function replay(platform: Platform, agentId: string, deploymentId: string) {
  const { id } = await platform.agents.startReplay(agentId, { deploymentId, last: 200 })
  await platform.idle()
  const report: ReplayReport = await platform.agents.replay(agentId, id)
  const { turns } = await platform.agents.replayTurns(agentId, id, { limit: 200 })
  return { report, turns }
}

const anything = fc.oneof(
  fc.constantFrom(...Object.values(TOPICS).map(({ query }) => query)),
  fc.constantFrom('Hello', 'yes', 'no', 'and on Sundays?', 'A person, please', 'When?', 'dogs or sauna?'),
  fc.string({ minLength: 1, maxLength: 40 }),
)

test('TE41 whatever visitors said, with its own deployment every turn of a replay is the same', async () => {
  const conversations = fc.array(fc.array(anything, { maxLength: 5 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(conversations, async all => {
      const one = await hotel()
      for (const said of all) await talk(one, said).catch(() => undefined)
      const { report } = await replay(one.platform, one.agentId, one.deployment.id)
      const { same, not_replayable: left, ...others } = report.verdicts
      expect(others).toEqual({ worse: 0, errored: 0, changed: 0, off_script: 0, better: 0, reworded: 0 })
      expect(same).toBeGreaterThanOrEqual(report.conversations)
      // Only what follows a handoff is not asked again.
      expect(report.groups.every(({ reason }) => reason === 'after_handoff')).toBe(true)
      expect(report.groups.reduce((sum, { turns }) => sum + turns, 0)).toBe(left)
      await one.platform.close()
    }),
    { numRuns: runs(10, 60) },
  )
})

test('TE41 without one of its topics the turns that rested on it are worse, and no others are otherwise', async () => {
  const conversations = fc.array(fc.subarray(NAMES, { minLength: 1 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(conversations, fc.constantFrom(...NAMES), async (all, removed) => {
      const one = await hotel()
      for (const names of all)
        await talk(
          one,
          names.map(name => TOPICS[name]?.query ?? ''),
        )
      const { report, turns } = await replay(one.platform, one.agentId, await one.without(removed))
      const asked = all.flat().filter(name => name === removed).length
      const otherwise = turns.filter(({ verdict }) => verdict !== 'same')
      expect(otherwise.map(({ from }) => from)).toEqual(Array(asked).fill(removed))
      expect(otherwise.every(({ verdict, to }) => verdict === 'worse' && to === '')).toBe(true)
      expect(report.verdicts.same).toBe(all.flat().length + all.length - asked)
      await one.platform.close()
    }),
    { numRuns: runs(8, 40) },
  )
})
