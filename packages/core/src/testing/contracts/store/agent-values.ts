import { describe, expect, it } from 'vitest'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  aDeployment,
  anAgent,
  aRealTimeConfig,
  aTopic,
} from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import {
  EXTREME_TIMES,
  frozen,
  HARD_STRINGS,
  openForTest,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

/** Rules SA50 to SA59: values come back as they went in, and are not shared. */
export function describeAgentValues(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).agents

  describe('values', () => {
    it('SA50 every string is kept as it is, in ids, names and content', async () => {
      const agents = await open()
      for (const text of HARD_STRINGS) {
        const agentId = text
        const accountId = text
        const resources = [
          aTopic(text, { name: text, content: text, actions: text, exampleQueries: [text, text] }),
          {
            kind: 'variants',
            id: text,
            value: { name: text, isDefault: true, attributeValues: { a: text } },
          },
        ] as const
        const agent = anAgent(text, { accountId, name: text, changes: resources })
        const branch = aBranch(`b${text}`, { agentId, name: text })
        const id = text
        const deployment = aDeployment(1, {
          id,
          agentId,
          accountId,
          message: text,
          version: text,
          createdBy: text,
        })
        expect(await agents.create(agent)).toBe('created')
        expect(await agents.branches.create(branch)).toBe('created')
        expect(await agents.branches.edit(1, { ...branch, version: 2 }, [resources[0]])).toBe('written')
        expect(await agents.deployments.create(deployment, null)).toBe('deployed')
        expect(await agents.list(accountId)).toEqual([agent.agent])
        expect(await agents.branches.find(agentId, branch.id)).toEqual({ ...branch, version: 2 })
        expect(await agents.branches.changes(agentId, branch.id)).toEqual([resources[0]])
        expect(await agents.revisions.resourcesAt(agentId, 1, { names: [text], kinds: ['topics'] })).toEqual([
          resources[0],
        ])
        expect(await agents.revisions.resourcesAt(agentId, 1, { keys: [`variants/${text}`] })).toEqual([
          resources[1],
        ])
        expect(await agents.deployments.find(agentId, id)).toEqual(deployment)
      }
    })

    it('SA51 every moment is kept to the millisecond', async () => {
      const agents = await open()
      for (const at of EXTREME_TIMES) {
        const agent = anAgent(`PROJECT-${at}`, { createdAt: at })
        const branch = aBranch('BRANCH-1', { agentId: agent.agent.id, createdAt: at, updatedAt: at })
        const deployment = aDeployment(1, { agentId: agent.agent.id, createdAt: at })
        await agents.create(agent)
        await agents.branches.create(branch)
        await agents.deployments.create(deployment, null)
        await agents.realTimeConfigs.write(0, aRealTimeConfig({ agentId: agent.agent.id, updatedAt: at }))
        expect((await agents.realTimeConfigs.find(agent.agent.id, 'sandbox'))?.updatedAt).toBe(at)
        expect(await agents.find(agent.agent.id)).toEqual(agent.agent)
        expect(await agents.revisions.head(agent.agent.id)).toEqual(agent.revision)
        expect(await agents.branches.find(agent.agent.id, branch.id)).toEqual(branch)
        expect(await agents.deployments.active(agent.agent.id)).toEqual([deployment])
      }
      expect((await agents.list(ACCOUNT)).map(agent => agent.createdAt)).toEqual(EXTREME_TIMES)
    })

    it('SA52 a topic of 100,000 characters is kept whole', async () => {
      const agents = await open()
      const topic = aTopic('long', { content: 'é\u{1F600}x'.repeat(25_000) })
      await agents.create(anAgent(AGENT, { changes: [topic] }))
      expect(await agents.revisions.resourcesAt(AGENT, 1)).toEqual([topic])
    })

    it('SA53 values are copied in: changing an argument afterwards changes nothing', async () => {
      const agents = await open()
      const branch = aBranch('BRANCH-1')
      const second = { ...branch, version: 2 }
      const commit = aCommit(second, { revision: 1, deployment: 1 })
      const changes = [aTopic('b')]
      await scribbling(anAgent(AGENT, { changes: [aTopic('a')] }), value => agents.create(value))
      await scribbling(branch, value => agents.branches.create(value))
      await scribbling({ second, changes }, value => agents.branches.edit(1, value.second, value.changes))
      await scribbling(aDeployment(1), value => agents.deployments.create(value, null))
      await scribbling(commit, value => agents.revisions.commit(value))
      await scribbling(aRealTimeConfig(), value => agents.realTimeConfigs.write(0, value))
      await scribbling(aRealTimeConfig({ version: 2 }), value => agents.realTimeConfigs.write(1, value))
      const original = anAgent(AGENT, { changes: [aTopic('a')] })
      const merge = aCommit(aBranch('BRANCH-1', { version: 2 }), { revision: 1, deployment: 1 })
      expect(await agents.find(AGENT)).toEqual(original.agent)
      expect(await agents.branches.list(AGENT)).toEqual([merge.branch.next, original.main])
      expect(await agents.revisions.find(AGENT, 1)).toEqual(original.revision)
      expect(await agents.revisions.head(AGENT)).toEqual(merge.revision)
      expect(await agents.revisions.resourcesAt(AGENT, 1)).toEqual(original.changes)
      expect(await agents.revisions.changesBetween(AGENT, 1, 2)).toEqual(merge.changes)
      expect(await agents.deployments.list(AGENT, 'sandbox', 9)).toEqual([merge.deployment, aDeployment(1)])
      expect(await agents.realTimeConfigs.list(AGENT)).toEqual([aRealTimeConfig({ version: 2 })])
    })

    it('SA54 values are copied out: changing a result changes nothing, and arguments are never written to', async () => {
      const agents = await open()
      const branch = frozen(aBranch('BRANCH-1'))
      await agents.create(frozen(anAgent(AGENT, { changes: [aTopic('a')] })))
      await agents.branches.create(branch)
      await agents.branches.edit(1, frozen({ ...branch, version: 2 }), frozen([aTopic('b')]))
      await agents.deployments.create(frozen(aDeployment(1)), null)
      const commit = frozen(aCommit({ ...branch, version: 2 }, { revision: 1, deployment: 1 }))
      expect(await agents.revisions.commit(commit)).toBe('committed')
      await agents.branches.edit(3, frozen({ ...branch, version: 4 }), frozen([aTopic('c')]))
      await agents.realTimeConfigs.write(0, frozen(aRealTimeConfig()))
      const before = await agentSnapshot(agents, AGENT)
      scribble(await agents.realTimeConfigs.find(AGENT, 'sandbox'))
      scribble(await agentSnapshot(agents, AGENT))
      scribble(await agents.branches.find(AGENT, 'BRANCH-1'))
      scribble(await agents.list(ACCOUNT))
      scribble(
        await agents.revisions.resourcesAt(
          AGENT,
          1,
          frozen({ kinds: ['topics'], keys: ['topics/a'], names: ['a'] }),
        ),
      )
      scribble(await agents.deployments.find(AGENT, aDeployment(1).id))
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SA55 all of it is there when the store is opened again', async () => {
        const store = await factory.open()
        const branch = aBranch('BRANCH-1')
        await store.agents.create(anAgent(AGENT, { changes: [aTopic('a'), aTopic('b')] }))
        await store.agents.branches.create(branch)
        await store.agents.revisions.commit(aCommit(branch, { revision: 1, deployment: 0 }))
        await store.agents.branches.edit(2, { ...branch, baseRevision: 2, version: 3 }, [aTopic('c')])
        await store.agents.deployments.create(aDeployment(2, { environment: 'live' }), null)
        await store.agents.realTimeConfigs.write(0, aRealTimeConfig({ schema: null }))
        const before = await agentSnapshot(store.agents, AGENT)
        const again = (await reopenForTest(reopen, store)).agents
        expect(await agentSnapshot(again, AGENT)).toEqual(before)
        expect(await again.create(anAgent())).toBe('taken')
        expect(await again.deployments.create(aDeployment(2), null)).toBe('stale')
        expect(await again.deployments.create(aDeployment(3), null)).toBe('deployed')
      })
    }
  })
}
