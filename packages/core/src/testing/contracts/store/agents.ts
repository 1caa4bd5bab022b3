import { describe, expect, it } from 'vitest'
import { type AccountId, type AgentId, asId, type BranchId } from '../../../domain/ids.ts'
import type { AgentStore } from '../../../ports/agent-store.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  aDeployment,
  anAgent,
  aRealTimeConfig,
  aTopic,
  START,
} from '../../fixtures.ts'
import { agentSnapshot, NO_AGENT } from './agent-snapshot.ts'
import { count, openForTest, RACERS, race, type StoreFactory, sortedBy } from './tools.ts'

/** An agent that has two revisions, a branch with changes, two deployments, and a real-time config. */
async function grownAgent(agents: AgentStore, id: string = AGENT): Promise<AgentId> {
  const agentId = asId<AgentId>(id)
  expect(await agents.createAgent(anAgent(id, { changes: [aTopic('a'), aTopic('b')] }))).toBe('created')
  const branch = aBranch('BRANCH-1', { agentId })
  expect(await agents.createBranch(branch)).toBe('created')
  expect(await agents.commit(aCommit(branch, { revision: 1, deployment: 0 }, [aTopic('c')]))).toBe(
    'committed',
  )
  expect(await agents.editBranch(2, { ...branch, baseRevision: 2, version: 3 }, [aTopic('d')])).toBe(
    'written',
  )
  expect(await agents.deploy(aDeployment(2, { agentId, environment: 'live' }), null)).toBe('deployed')
  expect(await agents.writeRealTimeConfig(0, aRealTimeConfig({ agentId }))).toBe('written')
  return agentId
}

/** Rules SA1 to SA9, SA60 and SA61: agents as a whole. */
export function describeAgents(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).agents

  describe('agents', () => {
    it('SA1 a new agent is written with its main branch, its first revision and its content', async () => {
      const agents = await open()
      const { agent, main, revision, changes } = anAgent(AGENT, { changes: [aTopic('a'), aTopic('b')] })
      expect(await agents.createAgent({ agent, main, revision, changes })).toBe('created')
      expect(await agents.agent(AGENT)).toEqual(agent)
      expect(await agents.branch(AGENT, main.id)).toEqual(main)
      expect(await agents.branches(AGENT)).toEqual([main])
      expect(await agents.branchChanges(AGENT, main.id)).toEqual([])
      expect(await agents.head(AGENT)).toEqual(revision)
      expect(await agents.revision(AGENT, 1)).toEqual(revision)
      expect(sortedBy(await agents.resourcesAt(AGENT, 1), resource => resource.id)).toEqual(changes)
      expect(await agents.activeDeployments(AGENT)).toEqual([])
      expect(await agents.lastDeploymentNumber(AGENT)).toBe(0)
    })

    it('SA2 an id that exists is taken, whatever the account, and nothing is written', async () => {
      const agents = await open()
      await grownAgent(agents)
      const before = await agentSnapshot(agents, AGENT)
      const other = asId<AccountId>('ws-other')
      const again = anAgent(AGENT, { accountId: other, name: 'Another', changes: [aTopic('z')] })
      expect(await agents.createAgent(again)).toBe('taken')
      expect(await agents.createAgent(anAgent(AGENT))).toBe('taken')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.agents(other)).toEqual([])
    })

    it('SA3 of racing creations of one id exactly one wins, and it is the one that is kept', async () => {
      const agents = await open()
      const candidate = (racer: number) =>
        anAgent(AGENT, { name: `Racer ${racer}`, changes: [aTopic(`t${racer}`)] })
      const results = await race(racer => agents.createAgent(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      const winner = candidate(results.indexOf('created'))
      expect(await agents.agent(AGENT)).toEqual(winner.agent)
      expect(await agents.resourcesAt(AGENT, 1)).toEqual(winner.changes)
    })

    it('SA4 of an unknown agent there is nothing to read, and nothing can be written to it', async () => {
      const agents = await open()
      const branch = aBranch('BRANCH-1')
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
      expect(await agents.branch(AGENT, branch.id)).toBeNull()
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
      expect(await agents.deployment(AGENT, aDeployment(1).id)).toBeNull()
      expect(await agents.deleteAgent(AGENT, START)).toBe(false)
      expect(await agents.deleteBranch(AGENT, branch.id)).toBe(false)
      expect(await agents.createBranch(branch)).toBe('missing')
      expect(await agents.editBranch(1, { ...branch, version: 2 }, [aTopic('a')])).toBe('stale')
      expect(await agents.commit(aCommit(branch, { revision: 0, deployment: 0 }))).toBe('stale')
      expect(await agents.deploy(aDeployment(1), null)).toBe('stale')
      expect(await agents.writeRealTimeConfig(0, aRealTimeConfig())).toBe('stale')
      expect(await agents.realTimeConfig(AGENT, 'sandbox')).toBeNull()
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
    })

    it('SA5 an account lists its own agents, oldest first, then by the code points of the id', async () => {
      const agents = await open()
      const other = asId<AccountId>('ws-one%')
      await agents.createAgent(anAgent('P-late', { createdAt: START + 5 }))
      for (const id of ['P-\u{1F600}', 'P-a', 'P-\uFF5E', 'P-B', 'P-10', 'P-9'])
        await agents.createAgent(anAgent(id))
      await agents.createAgent(anAgent('P-early', { createdAt: 0 }))
      await agents.createAgent(anAgent('P-foreign', { accountId: other }))
      expect((await agents.agents(ACCOUNT)).map(agent => agent.id)).toEqual([
        'P-early',
        'P-10',
        'P-9',
        'P-B',
        'P-a',
        'P-\uFF5E',
        'P-\u{1F600}',
        'P-late',
      ])
      expect((await agents.agents(other)).map(agent => agent.id)).toEqual(['P-foreign'])
      expect(await agents.agents(asId<AccountId>('ws-none'))).toEqual([])
    })

    it('SA6 deleting an agent removes all that belongs to it and nothing else', async () => {
      const agents = await open()
      const kept = await grownAgent(agents, 'PROJECT-KEPT')
      await grownAgent(agents)
      const before = await agentSnapshot(agents, kept)
      expect(await agents.deleteAgent(AGENT, START)).toBe(true)
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
      const branchId = asId<BranchId>('BRANCH-1')
      expect(await agents.branch(AGENT, branchId)).toBeNull()
      expect(await agents.branchChanges(AGENT, branchId)).toEqual([])
      expect(await agents.deployment(AGENT, aDeployment(2).id)).toBeNull()
      expect((await agents.agents(ACCOUNT)).map(agent => agent.id)).toEqual([kept])
      expect(await agentSnapshot(agents, kept)).toEqual(before)
      expect(await agents.deleteAgent(AGENT, START)).toBe(false)
    })

    it('SA7 an agent that takes a deleted one’s id begins with nothing of it', async () => {
      const agents = await open()
      await grownAgent(agents)
      await agents.deleteAgent(AGENT, START)
      const fresh = anAgent(AGENT, { name: 'Fresh', changes: [aTopic('only')] })
      expect(await agents.createAgent(fresh)).toBe('created')
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
      expect(await agents.createBranch(branch)).toBe('created')
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
      expect(await agents.deploy(aDeployment(1), null)).toBe('deployed')
    })

    it('SA8 of racing deletions exactly one finds the agent', async () => {
      const agents = await open()
      await grownAgent(agents)
      const results = await race(() => agents.deleteAgent(AGENT, START))
      expect(count(results, true)).toBe(1)
    })

    it('SA9 a write that races a deletion leaves nothing of the agent behind', async () => {
      const agents = await open()
      await grownAgent(agents)
      const branch = aBranch('BRANCH-1', { baseRevision: 2, version: 3 })
      await Promise.all([
        agents.createBranch(aBranch('BRANCH-2')),
        agents.editBranch(3, { ...branch, version: 4 }, [aTopic('e')]),
        agents.deleteAgent(AGENT, START),
        agents.deploy(aDeployment(3), null),
        agents.writeRealTimeConfig(0, aRealTimeConfig({ environment: 'live' })),
        agents.writeRealTimeConfig(1, aRealTimeConfig({ version: 2 })),
        agents.commit(aCommit(branch, { revision: 2, deployment: 2 })),
      ])
      expect(await agentSnapshot(agents, AGENT)).toEqual(NO_AGENT)
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
    })

    it('SA60 a deletion is remembered with its account and moment, the newest of several', async () => {
      const agents = await open()
      const none = asId<AccountId>('ws-none')
      expect(await agents.deletedAgent(ACCOUNT, AGENT)).toBeNull()
      expect(await agents.deleteAgent(AGENT, START)).toBe(false)
      expect(await agents.deletedAgent(ACCOUNT, AGENT)).toBeNull()
      await agents.createAgent(anAgent())
      expect(await agents.deletedAgent(ACCOUNT, AGENT)).toBeNull()
      for (const deletedAt of [START + 1, START + 2]) {
        expect(await agents.deleteAgent(AGENT, deletedAt)).toBe(true)
        const deletion = { id: AGENT, accountId: ACCOUNT, deletedAt }
        expect(await agents.deletedAgent(ACCOUNT, AGENT)).toEqual(deletion)
        await agents.createAgent(anAgent())
      }
      expect(await agents.deletedAgent(none, AGENT)).toBeNull()
      expect(await agents.deletedAgent(ACCOUNT, asId<AgentId>('PROJECT-NONE'))).toBeNull()
    })

    it('SA61 the id of a deleted agent is taken for every other account, for good', async () => {
      const agents = await open()
      const elsewhere = anAgent(AGENT, { accountId: asId<AccountId>('ws-other') })
      await agents.createAgent(anAgent())
      for (const deletedAt of [START + 1, START + 2]) {
        await agents.deleteAgent(AGENT, deletedAt)
        expect(await agents.createAgent(elsewhere)).toBe('taken')
        expect(await agents.agent(AGENT)).toBeNull()
        expect(await agents.createAgent(anAgent())).toBe('created')
        expect(await agents.createAgent(elsewhere)).toBe('taken')
        expect((await agents.agent(AGENT))?.accountId).toBe(ACCOUNT)
      }
      const deletion = { id: AGENT, accountId: ACCOUNT, deletedAt: START + 2 }
      expect(await agents.deletedAgent(ACCOUNT, AGENT)).toEqual(deletion)
      expect(await agents.deletedAgent(elsewhere.agent.accountId, AGENT)).toBeNull()
    })
  })
}
