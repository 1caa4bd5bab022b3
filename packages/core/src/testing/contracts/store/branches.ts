import { describe, expect, it } from 'vitest'
import { resourceKey } from '../../../domain/agent/content.ts'
import { MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import { AGENT, aBranch, aCommit, anAgent, aRemoval, aTopic, START } from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { count, openForTest, RACERS, race, type StoreFactory, sortedBy } from './tools.ts'

/** Rules SA10 to SA19: branches and their changes. */
export function describeBranches(factory: StoreFactory): void {
  /** A store with one agent and, on it, the branch `BRANCH-1` at version 1. */
  const open = async () => {
    const { agents } = await openForTest(factory)
    await agents.create(anAgent())
    const branch = aBranch('BRANCH-1')
    expect(await agents.branches.create(branch)).toBe('created')
    const changes = async () => sortedBy(await agents.branches.changes(AGENT, branch.id), resourceKey)
    return { agents, branch, changes }
  }

  describe('branches', () => {
    it('SA10 a branch is kept as given and begins without changes', async () => {
      const { agents, branch } = await open()
      expect(await agents.branches.find(AGENT, branch.id)).toEqual(branch)
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
      expect(await agents.branches.find(AGENT, 'BRANCH-2')).toBeNull()
    })

    it('SA11 a branch id is taken within its agent only; names may repeat', async () => {
      const { agents, branch } = await open()
      const otherAgent = 'PROJECT-TWO'
      await agents.create(anAgent(otherAgent))
      const before = await agentSnapshot(agents, AGENT)
      expect(await agents.branches.create({ ...branch, name: 'Another' })).toBe('taken')
      expect(await agents.branches.create(aBranch(MAIN_BRANCH_ID))).toBe('taken')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.branches.create({ ...branch, id: 'BRANCH-2' })).toBe('created')
      expect(await agents.branches.create({ ...branch, agentId: otherAgent, name: 'Theirs' })).toBe('created')
      expect((await agents.branches.find(AGENT, branch.id))?.name).toBe(branch.name)
      expect((await agents.branches.find(otherAgent, branch.id))?.name).toBe('Theirs')
    })

    it('SA12 of racing creations of one branch exactly one wins, and it is the one that is kept', async () => {
      const { agents } = await open()
      const candidate = (racer: number) => aBranch('BRANCH-R', { name: `Racer ${racer}` })
      const results = await race(racer => agents.branches.create(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      const winner = candidate(results.indexOf('created'))
      expect(await agents.branches.find(AGENT, winner.id)).toEqual(winner)
    })

    it('SA13 branches are listed with main, oldest first, then by the code points of the id', async () => {
      const { agents } = await open()
      for (const id of ['B-\u{1F600}', 'B-a', 'B-\uFF5E', 'B-Z', 'B-10', 'B-9'])
        await agents.branches.create(aBranch(id))
      await agents.branches.create(aBranch('B-old', { createdAt: START - 1 }))
      await agents.branches.create(aBranch('B-new', { createdAt: START + 1 }))
      expect((await agents.branches.list(AGENT)).map(branch => branch.id)).toEqual([
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
      expect(await agents.branches.edit(1, second, [aTopic('a'), aTopic('b'), aTopic('c')])).toBe('written')
      expect(await agents.branches.find(AGENT, branch.id)).toEqual(second)
      const rewritten = aTopic('b', { content: 'Rewritten.' })
      const third = { ...second, version: 3 }
      expect(await agents.branches.edit(2, third, [rewritten, aRemoval(aTopic('c')), aTopic('d')])).toBe(
        'written',
      )
      expect(await changes()).toEqual([aTopic('a'), rewritten, aRemoval(aTopic('c')), aTopic('d')])
      expect(await agents.branches.edit(3, { ...third, version: 4 }, [aTopic('c')])).toBe('written')
      expect(await changes()).toEqual([aTopic('a'), rewritten, aTopic('c'), aTopic('d')])
    })

    it('SA15 changes of different kinds with one id stay apart, and so do branches and agents', async () => {
      const { agents, branch, changes } = await open()
      const otherAgent = 'PROJECT-TWO'
      await agents.create(anAgent(otherAgent))
      const beside = aBranch('BRANCH-2')
      const theirs = aBranch('BRANCH-1', { agentId: otherAgent })
      await agents.branches.create(beside)
      await agents.branches.create(theirs)
      const attribute = { kind: 'attributes', id: 'same', value: { name: 'An attribute' } } as const
      await agents.branches.edit(1, { ...branch, version: 2 }, [attribute, aTopic('same')])
      await agents.branches.edit(1, { ...beside, version: 2 }, [aTopic('same', { content: 'Beside.' })])
      await agents.branches.edit(1, { ...theirs, version: 2 }, [aTopic('same', { content: 'Theirs.' })])
      expect(await changes()).toEqual([attribute, aTopic('same')])
      expect(await agents.branches.changes(AGENT, beside.id)).toEqual([
        aTopic('same', { content: 'Beside.' }),
      ])
      expect(await agents.branches.changes(otherAgent, theirs.id)).toEqual([
        aTopic('same', { content: 'Theirs.' }),
      ])
      expect(await agents.revisions.resourcesAt(AGENT, 1)).toEqual(anAgent().changes)
    })

    it('SA16 an edit with another version than the branch’s is stale and writes nothing', async () => {
      const { agents, branch } = await open()
      await agents.branches.edit(1, { ...branch, version: 2 }, [aTopic('a')])
      const before = await agentSnapshot(agents, AGENT)
      for (const expected of [0, 1, 3]) {
        const next = { ...branch, version: expected + 1, name: 'Stale' }
        expect(
          await agents.branches.edit(expected, next, [aTopic('a', { content: 'Stale.' }), aTopic('b')]),
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
      const results = await race(racer => agents.branches.edit(1, next(racer), edits(racer)))
      expect(count(results, 'written')).toBe(1)
      expect(count(results, 'stale')).toBe(RACERS - 1)
      const winner = results.indexOf('written')
      expect(await agents.branches.find(AGENT, branch.id)).toEqual(next(winner))
      expect(await changes()).toEqual(edits(winner))
    })

    it('SA18 deleting a branch removes it with its changes, and nothing else', async () => {
      const { agents, branch } = await open()
      const kept = aBranch('BRANCH-2')
      await agents.branches.create(kept)
      await agents.branches.edit(1, { ...kept, version: 2 }, [aTopic('kept')])
      await agents.branches.edit(1, { ...branch, version: 2 }, [aTopic('gone')])
      expect(await agents.branches.delete(AGENT, branch.id)).toBe(true)
      expect(await agents.branches.find(AGENT, branch.id)).toBeNull()
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
      expect((await agents.branches.list(AGENT)).map(({ id }) => id)).toEqual(['BRANCH-2', 'main'])
      expect(await agents.branches.changes(AGENT, kept.id)).toEqual([aTopic('kept')])
      expect(await agents.branches.delete(AGENT, branch.id)).toBe(false)
      expect(await agents.branches.create(branch)).toBe('created')
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
    })

    it('SA19 a branch that is gone takes no edit and no merge', async () => {
      const { agents, branch } = await open()
      expect(count(await race(() => agents.branches.delete(AGENT, branch.id)), true)).toBe(1)
      const before = await agentSnapshot(agents, AGENT)
      expect(await agents.branches.edit(1, { ...branch, version: 2 }, [aTopic('a')])).toBe('stale')
      expect(await agents.revisions.commit(aCommit(branch, { revision: 1, deployment: 0 }))).toBe('stale')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
    })
  })
}
