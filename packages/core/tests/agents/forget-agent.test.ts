import { part } from '@colloquy/test-support/library-calls'
import { expect, test } from 'vitest'
import { LIBRARY } from '../../src/domain/audit/audit.ts'
import { createPlatform } from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { contextOf } from '../../src/platform-context.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { readTurnContent } from '../../src/usecases/agents/content/turn-content.ts'
import { createAgentsMemory } from '../../src/usecases/agents/deps.ts'

test('FZ5 nothing of a deleted agent stays in the caches, and all of the others does', async () => {
  const clock = createFakeClock()
  const platform = createPlatform({ store: createMemoryStore(), clock, runtime: { async *respond() {} } })
  const memory = createAgentsMemory()
  const hooks = { withdraw: async () => undefined, testRunsDue: () => undefined }
  const agents = part(
    'agents',
    { ...memory, context: contextOf(platform), hooks, prepare: () => undefined },
    (deps, caller) => ({ ...deps, context: { ...deps.context, caller } }),
  )(LIBRARY)
  const { id: accountId } = await platform.access.createAccount({ slug: 'test', name: 'Test' })
  for (const agentId of ['gone', 'gone-not']) {
    await agents.create({ accountId, agentId, name: agentId, greeting: 'Hello' })
    const [first, second] = ['one', 'two'].map(name => agents.createBranch(agentId, { branchName: name }))
    for (const branch of await Promise.all([first, second]))
      if (branch) await agents.createTopic(branch.agentId, branch.id, { name: 'a', content: 'b' })
    await agents.content(agentId, 1)
    const deployment = await agents.publish(agentId, { environment: 'sandbox' })
    const context = contextOf(platform)
    await readTurnContent({ ...memory, context }, { kind: 'messaging', agentId }, deployment.id)
  }
  const deployed = () => [...memory.deployments.values()].map(({ agentId }) => agentId)
  expect(deployed().sort()).toEqual(['gone', 'gone-not'])
  const kept = () => [...memory.branches.keys(), ...memory.contents.keys()]
  expect(kept()).toHaveLength(6)
  await agents.delete('gone')
  expect(kept().filter(key => key.startsWith('gone-not'))).toHaveLength(3)
  expect(kept()).toHaveLength(3)
  expect(deployed()).toEqual(['gone-not'])
  await platform.close()
})
