import { describe, expect, it } from 'vitest'
import { resourceKey } from '../../../domain/agent/content.ts'
import { type AgentId, asId, type BranchId, MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import { AGENT, aBranch, aCommit, anAgent, aRemoval, aTopic, START } from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { count, openForTest, RACERS, race, type StoreFactory, sortedBy } from './tools.ts'

/** Rules SA10 to SA19: branches and their changes. */
export function describeBranches(factory: StoreFactory): void {
  /** A store with one agent and, on it, the branch `BRANCH-1` at version 1. */
  const open = async () => {
    const { agents } = await openForTest(factory)
    await agents.createAgent(anAgent())
    const branch = aBranch('BRANCH-1')
    expect(await agents.createBranch(branch)).toBe('created')
    const changes = async () => sortedBy(await agents.branchChanges(AGENT, branch.id), resourceKey)
    return { agents, branch, changes }
  }

  describe('branches', () => {
    it('SA10 a branch is kept as given and begins without changes', async () => {
      const { agents, branch } = await open()
      expect(await agents.branch(AGENT, branch.id)).toEqual(branch)
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
      expect(await agents.branch(AGENT, asId<BranchId>('BRANCH-2'))).toBeNull()
    })

    it('SA11 a branch id is taken within its agent only; names may repeat', async () => {
      const { agents, branch } = await open()
      const otherAgent = asId<AgentId>('PROJECT-TWO')
      await agents.createAgent(anAgent(otherAgent))
      const before = await agentSnapshot(agents, AGENT)
      expect(await agents.createBranch({ ...branch, name: 'Another' })).toBe('taken')
      expect(await agents.createBranch(aBranch(MAIN_BRANCH_ID))).toBe('taken')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.createBranch({ ...branch, id: asId<BranchId>('BRANCH-2') })).toBe('created')
      expect(await agents.createBranch({ ...branch, agentId: otherAgent, name: 'Theirs' })).toBe('created')
      expect((await agents.branch(AGENT, branch.id))?.name).toBe(branch.name)
      expect((await agents.branch(otherAgent, branch.id))?.name).toBe('Theirs')
    })

    it('SA12 of racing creations of one branch exactly one wins, and it is the one that is kept', async () => {
      const { agents } = await open()
      const candidate = (racer: number) => aBranch('BRANCH-R', { name: `Racer ${racer}` })
      const results = await race(racer => agents.createBranch(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      const winner = candidate(results.indexOf('created'))
      expect(await agents.branch(AGENT, winner.id)).toEqual(winner)
    })

    it('SA13 branches are listed with main, oldest first, then by the code points of the id', async () => {
      const { agents } = await open()
      for (const id of ['B-\u{1F600}', 'B-a', 'B-\uFF5E', 'B-Z', 'B-10', 'B-9'])
        await agents.createBranch(aBranch(id))
      await agents.createBranch(aBranch('B-old', { createdAt: START - 1 }))
      await agents.createBranch(aBranch('B-new', { createdAt: START + 1 }))
      expect((await agents.branches(AGENT)).map(branch => branch.id)).toEqual([
        'B-old',
        'B-10',
        'B-9',
        'B-Z',
        'B-a',
        'B-\uFF5E',
        'B-\u{1F600}',
        'BRANCH-1',
        'main',
        'B-new',
      ])
    })

    it('SA14 an edit lays its changes over the branch’s earlier ones and replaces the branch', async () => {
      const { agents, branch, changes } = await open()
      const second = { ...branch, version: 2, name: 'Renamed', updatedAt: START + 9 }
      expect(await agents.editBranch(1, second, [aTopic('a'), aTopic('b'), aTopic('c')])).toBe('written')
      expect(await agents.branch(AGENT, branch.id)).toEqual(second)
      const rewritten = aTopic('b', { content: 'Rewritten.' })
      const third = { ...second, version: 3 }
      expect(await agents.editBranch(2, third, [rewritten, aRemoval(aTopic('c')), aTopic('d')])).toBe(
        'written',
      )
      expect(await changes()).toEqual([aTopic('a'), rewritten, aRemoval(aTopic('c')), aTopic('d')])
      expect(await agents.editBranch(3, { ...third, version: 4 }, [aTopic('c')])).toBe('written')
      expect(await changes()).toEqual([aTopic('a'), rewritten, aTopic('c'), aTopic('d')])
    })

    it('SA15 changes of different kinds with one id stay apart, and so do branches and agents', async () => {
      const { agents, branch, changes } = await open()
      const otherAgent = asId<AgentId>('PROJECT-TWO')
      await agents.createAgent(anAgent(otherAgent))
      const beside = aBranch('BRANCH-2')
      const theirs = aBranch('BRANCH-1', { agentId: otherAgent })
      await agents.createBranch(beside)
      await agents.createBranch(theirs)
      const attribute = { kind: 'attributes', id: 'same', value: { name: 'An attribute' } } as const
      await agents.editBranch(1, { ...branch, version: 2 }, [attribute, aTopic('same')])
      await agents.editBranch(1, { ...beside, version: 2 }, [aTopic('same', { content: 'Beside.' })])
      await agents.editBranch(1, { ...theirs, version: 2 }, [aTopic('same', { content: 'Theirs.' })])
      expect(await changes()).toEqual([attribute, aTopic('same')])
      expect(await agents.branchChanges(AGENT, beside.id)).toEqual([aTopic('same', { content: 'Beside.' })])
      expect(await agents.branchChanges(otherAgent, theirs.id)).toEqual([
        aTopic('same', { content: 'Theirs.' }),
      ])
      expect(await agents.resourcesAt(AGENT, 1)).toEqual(anAgent().changes)
    })

    it('SA16 an edit with another version than the branch’s is stale and writes nothing', async () => {
      const { agents, branch } = await open()
      await agents.editBranch(1, { ...branch, version: 2 }, [aTopic('a')])
      const before = await agentSnapshot(agents, AGENT)
      for (const expected of [0, 1, 3]) {
        const next = { ...branch, version: expected + 1, name: 'Stale' }
        expect(
          await agents.editBranch(expected, next, [aTopic('a', { content: 'Stale.' }), aTopic('b')]),
        ).toBe('stale')
      }
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    })

    it('SA17 of racing edits with one expected version exactly one is written, whole', async () => {
      const { agents, branch, changes } = await open()
      const next = (racer: number) => ({ ...branch, version: 2, name: `Racer ${racer}` })
      const edits = (racer: number) => [
        aTopic('a', { content: `Racer ${racer}.` }),
        aTopic('b', { content: `Racer ${racer}.` }),
      ]
      const results = await race(racer => agents.editBranch(1, next(racer), edits(racer)))
      expect(count(results, 'written')).toBe(1)
      expect(count(results, 'stale')).toBe(RACERS - 1)
      const winner = results.indexOf('written')
      expect(await agents.branch(AGENT, branch.id)).toEqual(next(winner))
      expect(await changes()).toEqual(edits(winner))
    })

    it('SA18 deleting a branch removes it with its changes, and nothing else', async () => {
      const { agents, branch } = await open()
      const kept = aBranch('BRANCH-2')
      await agents.createBranch(kept)
      await agents.editBranch(1, { ...kept, version: 2 }, [aTopic('kept')])
      await agents.editBranch(1, { ...branch, version: 2 }, [aTopic('gone')])
      expect(await agents.deleteBranch(AGENT, branch.id)).toBe(true)
      expect(await agents.branch(AGENT, branch.id)).toBeNull()
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
      expect((await agents.branches(AGENT)).map(({ id }) => id)).toEqual(['BRANCH-2', 'main'])
      expect(await agents.branchChanges(AGENT, kept.id)).toEqual([aTopic('kept')])
      expect(await agents.deleteBranch(AGENT, branch.id)).toBe(false)
      expect(await agents.createBranch(branch)).toBe('created')
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
    })

    it('SA19 a branch that is gone takes no edit and no merge', async () => {
      const { agents, branch } = await open()
      expect(count(await race(() => agents.deleteBranch(AGENT, branch.id)), true)).toBe(1)
      const before = await agentSnapshot(agents, AGENT)
      expect(await agents.editBranch(1, { ...branch, version: 2 }, [aTopic('a')])).toBe('stale')
      expect(await agents.commit(aCommit(branch, { revision: 1, deployment: 0 }))).toBe('stale')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.branchChanges(AGENT, branch.id)).toEqual([])
    })
  })
}
