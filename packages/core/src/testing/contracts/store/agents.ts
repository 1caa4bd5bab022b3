import { describe, expect, it } from 'vitest'
import { lastNumberOf } from '../../../domain/agent/deployment.ts'
import type { AgentId } from '../../../domain/ids.ts'
import type { AgentStore } from '../../../ports/store/agents.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  aDeployment,
  anAgent,
  aRealTimeConfig,
  aTestRun,
  aTopic,
  START,
} from '../../fixtures.ts'
import { agentSnapshot, NO_AGENT } from './agent-snapshot.ts'
import { count, openForTest, RACERS, race, type StoreFactory, sortedBy } from './tools.ts'

/** An agent that has two revisions, a branch with changes, two deployments, and a real-time config. */
async function grownAgent(agents: AgentStore, id: string = AGENT): Promise<AgentId> {
  const agentId = id
  expect(await agents.create(anAgent(id, { changes: [aTopic('a'), aTopic('b')] }))).toBe('created')
  const branch = aBranch('BRANCH-1', { agentId })
  expect(await agents.branches.create(branch)).toBe('created')
  expect(await agents.revisions.commit(aCommit(branch, { revision: 1, deployment: 0 }, [aTopic('c')]))).toBe(
    'committed',
  )
  expect(await agents.branches.edit(2, { ...branch, baseRevision: 2, version: 3 }, [aTopic('d')])).toBe(
    'written',
  )
  expect(await agents.deployments.create(aDeployment(2, { agentId, environment: 'live' }), null)).toBe(
    'deployed',
  )
  expect(await agents.realTimeConfigs.write(0, aRealTimeConfig({ agentId }))).toBe('written')
  return agentId
}

/** Rules SA1 to SA9, SA60, SA61, SA130 and SA131: agents as a whole. */
export function describeAgents(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).agents

  describe('agents', () => {
    it('SA1 a new agent is written with its main branch, its first revision and its content', async () => {
      const agents = await open()
      const { agent, main, revision, changes } = anAgent(AGENT, { changes: [aTopic('a'), aTopic('b')] })
      expect(await agents.create({ agent, main, revision, changes })).toBe('created')
      expect(await agents.find(AGENT)).toEqual(agent)
      expect(await agents.branches.find(AGENT, main.id)).toEqual(main)
      expect(await agents.branches.list(AGENT)).toEqual([main])
      expect(await agents.branches.changes(AGENT, main.id)).toEqual([])
      expect(await agents.revisions.head(AGENT)).toEqual(revision)
      expect(await agents.revisions.find(AGENT, 1)).toEqual(revision)
      expect(sortedBy(await agents.revisions.resourcesAt(AGENT, 1), resource => resource.id)).toEqual(changes)
      expect(await agents.deployments.active(AGENT)).toEqual([])
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(0)
    })

    it('SA2 an id that exists is taken, whatever the account, and nothing is written', async () => {
      const agents = await open()
      await grownAgent(agents)
      const before = await agentSnapshot(agents, AGENT)
      const other = 'ws-other'
      const again = anAgent(AGENT, { accountId: other, name: 'Another', changes: [aTopic('z')] })
      expect(await agents.create(again)).toBe('taken')
      expect(await agents.create(anAgent(AGENT))).toBe('taken')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.list(other)).toEqual([])
    })

    it('SA3 of racing creations of one id exactly one wins, and it is the one that is kept', async () => {
      const agents = await open()
      const candidate = (racer: number) =>
        anAgent(AGENT, { name: `Racer ${racer}`, changes: [aTopic(`t${racer}`)] })
      const results = await race(racer => agents.create(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      const winner = candidate(results.indexOf('created'))
      expect(await agents.find(AGENT)).toEqual(winner.agent)
      expect(await agents.revisions.resourcesAt(AGENT, 1)).toEqual(winner.changes)
    })

    it('SA4 of an unknown agent there is nothing to read, and nothing can be written to it', async () => {
      const agents = await open()
      const branch = aBranch('BRANCH-1')
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
      expect(await agents.branches.find(AGENT, branch.id)).toBeNull()
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
      expect(await agents.deployments.find(AGENT, aDeployment(1).id)).toBeNull()
      expect(await agents.rename(AGENT, { before: anAgent().agent.name, after: 'Night' }, START)).toBe(false)
      expect(await agents.delete(AGENT, START)).toBe(false)
      expect(await agents.branches.delete(AGENT, branch.id)).toBe(false)
      expect(await agents.branches.create(branch)).toBe('missing')
      expect(await agents.branches.edit(1, { ...branch, version: 2 }, [aTopic('a')])).toBe('stale')
      expect(await agents.revisions.commit(aCommit(branch, { revision: 0, deployment: 0 }))).toBe('stale')
      expect(await agents.deployments.create(aDeployment(1), null)).toBe('stale')
      expect(await agents.realTimeConfigs.write(0, aRealTimeConfig())).toBe('stale')
      expect(await agents.realTimeConfigs.find(AGENT, 'sandbox')).toBeNull()
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
    })

    it('SA5 an account lists its own agents, oldest first, then by the code points of the id', async () => {
      const agents = await open()
      const other = 'ws-one%'
      await agents.create(anAgent('P-late', { createdAt: START + 5 }))
      for (const id of ['P-\u{1F600}', 'P-a', 'P-\uFF5E', 'P-B', 'P-10', 'P-9'])
        await agents.create(anAgent(id))
      await agents.create(anAgent('P-early', { createdAt: 0 }))
      await agents.create(anAgent('P-foreign', { accountId: other }))
      expect((await agents.list(ACCOUNT)).map(agent => agent.id)).toEqual([
        'P-early',
        'P-10',
        'P-9',
        'P-B',
        'P-a',
        'P-\uFF5E',
        'P-\u{1F600}',
        'P-late',
      ])
      expect((await agents.list(other)).map(agent => agent.id)).toEqual(['P-foreign'])
      expect(await agents.list('ws-none')).toEqual([])
    })

    it('SA130 a rename changes the name and the time of one agent, and nothing else', async () => {
      const { agents } = await openForTest(factory)
      const other = anAgent('PROJECT-TWO')
      await agents.create(anAgent())
      await agents.create(other)
      await agents.branches.create(aBranch('BRANCH-1'))
      const before = await agentSnapshot(agents, AGENT)
      const name = { before: anAgent().agent.name, after: 'Nacht\u{1F319}' }
      expect(await agents.rename(AGENT, { ...name, before: name.after }, START + 7)).toBe(false)
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.rename(AGENT, name, START + 7)).toBe(true)
      const renamed = { ...anAgent().agent, name: name.after, updatedAt: START + 7 }
      expect(await agents.find(AGENT)).toEqual(renamed)
      expect(await agents.findRecord(AGENT)).toMatchObject({ name: renamed.name, branchCount: 2 })
      expect(await agents.list(ACCOUNT)).toEqual([renamed, other.agent])
      expect(await agentSnapshot(agents, AGENT)).toEqual({ ...before, agent: renamed })
    })

    it('SA89 an agent’s record counts its branches, and says when they or main were written last', async () => {
      const { agents } = await openForTest(factory)
      const other = 'PROJECT-TWO'
      expect(await agents.findRecord(AGENT)).toBeNull()
      const { agent } = anAgent()
      await agents.create(anAgent())
      await agents.create(anAgent(other))
      expect(await agents.findRecord(AGENT)).toEqual({ ...agent, branchCount: 1 })
      const branch = aBranch('BRANCH-1', { updatedAt: START + 5 })
      await agents.branches.create(branch)
      await agents.branches.create(aBranch('BRANCH-1', { agentId: other, updatedAt: START + 99 }))
      expect(await agents.findRecord(AGENT)).toEqual({ ...agent, updatedAt: START + 5, branchCount: 2 })
      const merge = aCommit(branch, { revision: 1, deployment: 0 })
      const revision = { ...merge.revision, createdAt: START + 9 }
      expect(await agents.revisions.commit({ ...merge, revision })).toBe('committed')
      await agents.branches.delete(AGENT, branch.id)
      expect(await agents.findRecord(AGENT)).toEqual({ ...agent, updatedAt: START + 9, branchCount: 1 })
      await agents.delete(AGENT, START + 10)
      expect(await agents.findRecord(AGENT)).toBeNull()
    })

    it('SA6 deleting an agent removes all that belongs to it and nothing else', async () => {
      const agents = await open()
      const kept = await grownAgent(agents, 'PROJECT-KEPT')
      await grownAgent(agents)
      const before = await agentSnapshot(agents, kept)
      expect(await agents.delete(AGENT, START)).toBe(true)
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
      const branchId = 'BRANCH-1'
      expect(await agents.branches.find(AGENT, branchId)).toBeNull()
      expect(await agents.branches.changes(AGENT, branchId)).toEqual([])
      expect(await agents.deployments.find(AGENT, aDeployment(2).id)).toBeNull()
      expect((await agents.list(ACCOUNT)).map(agent => agent.id)).toEqual([kept])
      expect(await agentSnapshot(agents, kept)).toEqual(before)
      expect(await agents.delete(AGENT, START)).toBe(false)
    })

    it('SA7 an agent that takes a deleted one’s id begins with nothing of it', async () => {
      const agents = await open()
      await grownAgent(agents)
      await agents.delete(AGENT, START)
      const fresh = anAgent(AGENT, { name: 'Fresh', changes: [aTopic('only')] })
      expect(await agents.create(fresh)).toBe('created')
      expect(await agentSnapshot(agents, AGENT)).toEqual({
        ...NO_AGENT,
        agent: fresh.agent,
        head: fresh.revision,
        branches: [fresh.main],
        branchChanges: [[]],
        revisions: [null, fresh.revision, null],
        resources: fresh.changes,
        changes: fresh.changes,
      })
      const branch = aBranch('BRANCH-1')
      expect(await agents.branches.create(branch)).toBe('created')
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
      expect(await agents.deployments.create(aDeployment(1), null)).toBe('deployed')
    })

    it('SA8 of racing deletions exactly one finds the agent', async () => {
      const agents = await open()
      await grownAgent(agents)
      const results = await race(() => agents.delete(AGENT, START))
      expect(count(results, true)).toBe(1)
    })

    it('SA9 a write that races a deletion leaves nothing of the agent behind', async () => {
      const agents = await open()
      await grownAgent(agents)
      const branch = aBranch('BRANCH-1', { baseRevision: 2, version: 3 })
      await Promise.all([
        agents.branches.create(aBranch('BRANCH-2')),
        agents.branches.edit(3, { ...branch, version: 4 }, [aTopic('e')]),
        agents.delete(AGENT, START),
        agents.deployments.create(aDeployment(3), null),
        agents.realTimeConfigs.write(0, aRealTimeConfig({ environment: 'live' })),
        agents.realTimeConfigs.write(1, aRealTimeConfig({ version: 2 })),
        agents.revisions.commit(aCommit(branch, { revision: 2, deployment: 2 })),
      ])
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
    })

    it('SA131 a write that comes while an agent is being deleted leaves nothing of it behind, whenever it comes', async () => {
      const writes: readonly ((agents: AgentStore) => Promise<unknown>)[] = [
        agents => agents.branches.create(aBranch('BRANCH-2')),
        agents => agents.branches.edit(3, aBranch('BRANCH-1', { version: 4 }), [aTopic('e')]),
        agents => agents.deployments.create(aDeployment(3), null),
        agents => agents.realTimeConfigs.write(0, aRealTimeConfig({ environment: 'live' })),
        agents => agents.testRuns.create(aTestRun(2, { id: 'T-late' })),
      ]
      for (const write of writes)
        for (const deleter of [1, 4]) {
          const agents = await open()
          await grownAgent(agents)
          await race(racer => (racer === deleter ? agents.delete(AGENT, START) : write(agents)))
          expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
          expect(await agents.branches.changes(AGENT, 'BRANCH-1')).toEqual([])
          expect(await agents.testRuns.find(AGENT, 'T-late')).toBeNull()
        }
    })

    it('SA60 a deletion is remembered with its account and moment, the newest of several', async () => {
      const agents = await open()
      const none = 'ws-none'
      expect(await agents.findDeleted(ACCOUNT, AGENT)).toBeNull()
      expect(await agents.delete(AGENT, START)).toBe(false)
      expect(await agents.findDeleted(ACCOUNT, AGENT)).toBeNull()
      await agents.create(anAgent())
      expect(await agents.findDeleted(ACCOUNT, AGENT)).toBeNull()
      for (const deletedAt of [START + 1, START + 2]) {
        expect(await agents.delete(AGENT, deletedAt)).toBe(true)
        const deletion = { id: AGENT, accountId: ACCOUNT, deletedAt }
        expect(await agents.findDeleted(ACCOUNT, AGENT)).toEqual(deletion)
        await agents.create(anAgent())
      }
      expect(await agents.findDeleted(none, AGENT)).toBeNull()
      expect(await agents.findDeleted(ACCOUNT, 'PROJECT-NONE')).toBeNull()
    })

    it('SA61 the id of a deleted agent is taken for every other account, for good', async () => {
      const agents = await open()
      const elsewhere = anAgent(AGENT, { accountId: 'ws-other' })
      await agents.create(anAgent())
      for (const deletedAt of [START + 1, START + 2]) {
        await agents.delete(AGENT, deletedAt)
        expect(await agents.create(elsewhere)).toBe('taken')
        expect(await agents.find(AGENT)).toBeNull()
        expect(await agents.create(anAgent())).toBe('created')
        expect(await agents.create(elsewhere)).toBe('taken')
        expect((await agents.find(AGENT))?.accountId).toBe(ACCOUNT)
      }
      const deletion = { id: AGENT, accountId: ACCOUNT, deletedAt: START + 2 }
      expect(await agents.findDeleted(ACCOUNT, AGENT)).toEqual(deletion)
      expect(await agents.findDeleted(elsewhere.agent.accountId, AGENT)).toBeNull()
    })

    it('SA61 no other account gets the id of an agent while that is being deleted', async () => {
      for (const deleter of [0, 2, 4, 6]) {
        const agents = await open()
        await agents.create(anAgent())
        const elsewhere = anAgent(AGENT, { accountId: 'ws-other' })
        const results = await race<unknown>(racer =>
          racer === deleter ? agents.delete(AGENT, START) : agents.create(elsewhere),
        )
        expect(results.map((_, racer) => (racer === deleter ? true : 'taken'))).toEqual(results)
      }
    })
  })
}
