import { createPlatform, type Platform, REPLAY_MODES, type ReplayInput, silentLog } from '@colloquy/core'
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

/** An agent in live with some of the topics. */
async function hotel(names: readonly string[] = NAMES) {
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime: createRetrievalRuntime(), log: silentLog },
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'Hotel' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  const branch = await platform.agents.createBranch(agentId, { branchName: 'topics' })
  const ids = new Map<string, string>()
  for (const name of names) {
    const { content = '', query = '' } = TOPICS[name] ?? {}
    const topic = { name, content, exampleQueries: [query] }
    ids.set(name, (await platform.agents.createTopic(agentId, branch.id, topic)).id)
  }
  await platform.agents.merge(agentId, branch.id)
  const deployment = await platform.agents.publish(agentId, { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: [] },
  })
  /** A branch without a topic, before its merge. */
  const without = async (name: string): Promise<string> => {
    await platform.agents.deleteTopic(agentId, branch.id, ids.get(name) ?? '')
    return branch.id
  }
  return { platform, agentId, connector, deployment, without }
}

type Hotel = Awaited<ReturnType<typeof hotel>>

async function talk({ platform, connector }: Hotel, said: readonly string[]): Promise<void> {
  const { conversationId } = await platform.chat.create(connector, {})
  for (const message of said) await platform.chat.respond(connector, { conversationId, message })
  await platform.chat.close(connector, conversationId)
}

async function replay(platform: Platform, agentId: string, input: ReplayInput) {
  const { id } = await platform.agents.startReplay(agentId, { last: 200, ...input })
  await platform.idle()
  const report = await platform.agents.replay(agentId, id)
  const { turns } = await platform.agents.replayTurns(agentId, id, { limit: 200 })
  return { report, turns }
}

const modes = fc.constantFrom(...REPLAY_MODES)

const anything = fc.oneof(
  fc.constantFrom(...Object.values(TOPICS).map(({ query }) => query)),
  fc.constantFrom('Hello', 'yes', 'no', 'and on Sundays?', 'A person, please', 'When?', 'dogs or sauna?'),
  fc.string({ minLength: 1, maxLength: 40 }),
)

test('TE41 and TE67 whatever an agent knows and visitors said, with its own deployment every turn is the same', async () => {
  const conversations = fc.array(fc.array(anything, { maxLength: 5 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(conversations, fc.subarray(NAMES), modes, async (all, names, mode) => {
      const one = await hotel(names)
      for (const said of all) await talk(one, said).catch(() => undefined)
      const input = { deploymentId: one.deployment.id, mode }
      const { report } = await replay(one.platform, one.agentId, input)
      expect(report.noise.different).toBe(0)
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

test('TE41 and TE60 on a branch without one topic exactly the turns that cited it are worse', async () => {
  const conversations = fc.array(fc.subarray(NAMES, { minLength: 1 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(conversations, fc.constantFrom(...NAMES), modes, async (all, removed, mode) => {
      const one = await hotel()
      for (const names of all)
        await talk(
          one,
          names.map(name => TOPICS[name]?.query ?? ''),
        )
      const { report, turns } = await replay(one.platform, one.agentId, {
        ...{ branchId: await one.without(removed), mode },
      })
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
