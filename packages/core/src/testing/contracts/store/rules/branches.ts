import { describe, expect, it } from 'vitest'
import { resourceKey } from '../../../../domain/agent/content.ts'
import { MAIN_BRANCH_ID } from '../../../../domain/ids.ts'
import { AGENT, aBranch, aCommit, aDeployment, anAgent, aRemoval, aTopic, START } from '../../../fixtures.ts'
import { agentSnapshot } from '../agent-snapshot.ts'
import { count, openForTest, type StoreFactory, sortedBy } from '../tools.ts'

const OTHER = 'PROJECT-TWO'
const mine = aTopic('a', { content: 'Mine.' })

/** Tests of branches, their changes, and steps of main (ST7). */
export function describeBranches(factory: StoreFactory): void {
  /**
   * Returns a store with two agents; the first has the branches `BRANCH-1`, at version 2 with a change, and `BRANCH-2`.
   */
  const open = async () => {
    const { agents } = await openForTest(factory)
    await agents.create(anAgent(AGENT, { changes: [aTopic('a'), aTopic('b')] }))
    await agents.create(anAgent(OTHER))
    const [branch, beside] = [aBranch('BRANCH-1', { version: 2 }), aBranch('BRANCH-2')]
    expect(await agents.branches.create({ ...branch, version: 1 })).toBe('created')
    expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
    await agents.branches.create(beside)
    await agents.branches.edit(1, branch, [mine])
    const changes = async (id = branch.id, agentId = AGENT) =>
      sortedBy(await agents.branches.changes(agentId, id), resourceKey)
    return { agents, branch, beside, changes }
  }

  describe('branches', () => {
    it('a branch id is found, and taken, within its agent only; names may repeat', async () => {
      const { agents, branch } = await open()
      const before = await agentSnapshot(agents, AGENT)
      for (const id of [branch.id, MAIN_BRANCH_ID])
        expect(await agents.branches.create(aBranch(id, { name: 'Another' }))).toBe('taken')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect([
        await agents.branches.find(AGENT, 'branch-1'),
        await agents.branches.find(OTHER, branch.id),
      ]).toEqual([null, null])
      expect(await agents.branches.create(aBranch('BRANCH-3', { name: branch.name }))).toBe('created')
      expect(await agents.branches.create(aBranch(branch.id, { agentId: OTHER, name: 'Theirs' }))).toBe(
        'created',
      )
      expect((await agents.branches.find(AGENT, branch.id))?.name).toBe(branch.name)
      expect((await agents.branches.find(OTHER, branch.id))?.name).toBe('Theirs')
    })

    it('ST7 an edit lays its changes over the branch’s earlier ones and replaces the branch', async () => {
      const { agents, branch, changes } = await open()
      const third = { ...branch, version: 3, name: 'Renamed', updatedAt: START + 9 }
      const rewritten = aTopic('b', { content: 'Rewritten.' })
      await agents.branches.edit(2, third, [aTopic('b'), aTopic('c')])
      expect(await agents.branches.find(AGENT, branch.id)).toEqual(third)
      await agents.branches.edit(3, { ...third, version: 4 }, [rewritten, aRemoval(aTopic('c')), aTopic('d')])
      expect(await changes()).toEqual([mine, rewritten, aRemoval(aTopic('c')), aTopic('d')])
      await agents.branches.edit(4, { ...third, version: 5 }, [aTopic('c')])
      expect(await changes()).toEqual([mine, rewritten, aTopic('c'), aTopic('d')])
    })

    it('ST7 changes of different kinds with one id stay apart, and so do branches and agents', async () => {
      const { agents, beside, branch, changes } = await open()
      const theirs = aBranch('BRANCH-1', { agentId: OTHER })
      await agents.branches.create(theirs)
      const attribute = { kind: 'attributes', id: 'a', value: { name: 'An attribute' } } as const
      await agents.branches.edit(2, { ...branch, version: 3 }, [attribute])
      await agents.branches.edit(1, { ...beside, version: 2 }, [aTopic('a', { content: 'Beside.' })])
      await agents.branches.edit(1, { ...theirs, version: 2 }, [aTopic('a', { content: 'Theirs.' })])
      expect(await changes()).toEqual([attribute, mine])
      expect(await changes(beside.id)).toEqual([aTopic('a', { content: 'Beside.' })])
      expect(await changes(theirs.id, OTHER)).toEqual([aTopic('a', { content: 'Theirs.' })])
      expect(await agents.revisions.resourcesAt(AGENT, 1)).toEqual([aTopic('a'), aTopic('b')])
    })

    it('ST7 an edit with another version than the branch’s is stale and writes nothing', async () => {
      const { agents, branch } = await open()
      const before = await agentSnapshot(agents, AGENT)
      for (const expected of [0, 1, 3])
        expect(
          await agents.branches.edit(expected, { ...branch, version: expected + 1, name: 'Stale' }, [
            aTopic('z'),
          ]),
        ).toBe('stale')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    })

    it('ST7 a branch that is deleted goes with its changes, and takes no edit and no merge; others stay', async () => {
      const { agents, beside, branch, changes } = await open()
      await agents.branches.edit(1, { ...beside, version: 2 }, [aTopic('kept')])
      expect(await agents.branches.delete(AGENT, branch.id)).toBe(true)
      expect(await agents.branches.delete(AGENT, branch.id)).toBe(false)
      expect([await agents.branches.find(AGENT, branch.id), await changes()]).toEqual([null, []])
      expect((await agents.branches.list(AGENT)).map(({ id }) => id)).toEqual(['BRANCH-2', 'main'])
      expect(await changes(beside.id)).toEqual([aTopic('kept')])
      const before = await agentSnapshot(agents, AGENT)
      expect(await agents.branches.edit(2, { ...branch, version: 3 }, [aTopic('a')])).toBe('stale')
      expect(await agents.revisions.commit(aCommit(branch, { revision: 1, deployment: 0 }))).toBe('stale')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      await agents.branches.create({ ...branch, version: 1 })
      expect(await changes()).toEqual([])
    })
  })

  describe('commits', () => {
    it('ST7 a commit writes revision, content, branch and deployment; the merged branch loses its changes, others keep theirs', async () => {
      const { agents, beside, branch, changes } = await open()
      await agents.branches.edit(1, { ...beside, version: 2 }, [aTopic('theirs')])
      const edited = aTopic('a', { content: 'Merged.' })
      const commit = aCommit(branch, { revision: 1, deployment: 0 }, [
        edited,
        aRemoval(aTopic('b')),
        aTopic('c'),
      ])
      expect(await agents.revisions.commit(commit)).toBe('committed')
      expect((await agents.revisions.main(AGENT))?.head).toEqual(commit.revision)
      expect(await agents.revisions.find(AGENT, 2)).toEqual(commit.revision)
      expect(await agents.revisions.resourcesAt(AGENT, 2)).toEqual([edited, aTopic('c')])
      expect(await agents.branches.find(AGENT, branch.id)).toEqual(commit.branch.next)
      expect(await agents.deployments.find(AGENT, commit.deployment.id)).toEqual(commit.deployment)
      expect((await agents.revisions.main(AGENT))?.lastDeployment).toBe(1)
      expect([await changes(), await changes(beside.id)]).toEqual([[], [aTopic('theirs')]])
      await agents.branches.edit(3, { ...branch, baseRevision: 2, version: 4 }, [aTopic('anew')])
      expect(await changes()).toEqual([aTopic('anew')])
    })

    it('ST7 a commit without changes is a revision of the same content', async () => {
      const { agents, beside } = await open()
      await agents.revisions.commit(aCommit(beside, { revision: 1, deployment: 0 }, []))
      expect(await agents.revisions.resourcesAt(AGENT, 2)).toEqual([aTopic('a'), aTopic('b')])
      expect(await agents.revisions.changesBetween(AGENT, 1, 2)).toEqual([])
    })

    it('ST7 a commit that expects an older or later revision, deployment or version is stale and writes nothing', async () => {
      const { agents, beside, branch } = await open()
      await agents.revisions.commit(aCommit(beside, { revision: 1, deployment: 0 }, [aTopic('theirs')]))
      const before = await agentSnapshot(agents, AGENT)
      const right = { revision: 2, deployment: 1, version: 2 }
      const wrong = [
        { revision: 1 },
        { revision: 3 },
        { deployment: 0 },
        { deployment: 2 },
        { version: 1 },
        { version: 3 },
      ]
      for (const one of wrong) {
        const { version, ...expected } = { ...right, ...one }
        const commit = aCommit({ ...branch, version }, expected, [aTopic('a', { content: 'Stale.' })])
        expect(await agents.revisions.commit(commit), JSON.stringify(one)).toBe('stale')
        expect(await agents.deployments.find(AGENT, commit.deployment.id)).toBeNull()
      }
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
      expect(await agents.revisions.commit(aCommit(branch, right))).toBe('committed')
    })

    it('ST7 of a commit, others of its revision, edits of its branch, and deployments of its number one wins', async () => {
      const rivals = ['commits', 'edits', 'deployments'] as const
      for (const rival of rivals) {
        const { agents, beside, branch, changes } = await open()
        const commit = aCommit(branch, { revision: 1, deployment: 0 })
        const other = (): Promise<string> => {
          if (rival === 'edits') return agents.branches.edit(2, { ...branch, version: 3 }, [aTopic('late')])
          if (rival === 'deployments') return agents.deployments.create(aDeployment(1), null)
          return agents.revisions.commit(aCommit(beside, { revision: 1, deployment: 0 }, [aTopic('late')]))
        }
        const results = await Promise.all([other(), agents.revisions.commit(commit), other()])
        expect(count(results, 'stale'), rival).toBe(2)
        const isMerged = results[1] === 'committed'
        const late = rival === 'edits' && !isMerged ? [aTopic('late')] : []
        expect(await changes()).toEqual(isMerged ? [] : [mine, ...late])
        const head = (await agents.revisions.main(AGENT))?.head
        expect(head?.number).toBe(isMerged || rival === 'commits' ? 2 : 1)
        expect(await agents.branches.find(AGENT, branch.id)).toMatchObject({
          version: isMerged || late.length > 0 ? 3 : 2,
        })
      }
    })
  })
}
