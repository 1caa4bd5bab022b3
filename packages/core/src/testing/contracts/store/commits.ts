import { describe, expect, it } from 'vitest'
import { resourceKey } from '../../../domain/agent/content.ts'
import { lastNumberOf } from '../../../domain/agent/deployment.ts'
import { AGENT, aBranch, aCommit, aDeployment, anAgent, aRemoval, aTopic } from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { count, openForTest, RACERS, race, type StoreFactory, sortedBy, untilWon } from './tools.ts'

/** Rules SA30 to SA39: steps of main. */
export function describeCommits(factory: StoreFactory): void {
  /** A store with one agent and two branches, the first of which has changes and stands at version 2. */
  const open = async () => {
    const { agents } = await openForTest(factory)
    await agents.create(anAgent(AGENT, { changes: [aTopic('a'), aTopic('b')] }))
    const branch = aBranch('BRANCH-1', { version: 2 })
    const beside = aBranch('BRANCH-2')
    await agents.branches.create({ ...branch, version: 1 })
    await agents.branches.create(beside)
    await agents.branches.edit(1, branch, [aTopic('a', { content: 'Mine.' }), aTopic('mine')])
    return { agents, branch, beside }
  }

  describe('commits', () => {
    it('SA30 a commit writes revision, content, branch and deployment at once', async () => {
      const { agents, branch } = await open()
      const edited = aTopic('a', { content: 'Merged.' })
      const commit = aCommit(branch, { revision: 1, deployment: 0 }, [
        edited,
        aRemoval(aTopic('b')),
        aTopic('c'),
      ])
      expect(await agents.revisions.commit(commit)).toBe('committed')
      expect(await agents.revisions.head(AGENT)).toEqual(commit.revision)
      expect(await agents.revisions.find(AGENT, 2)).toEqual(commit.revision)
      expect(sortedBy(await agents.revisions.resourcesAt(AGENT, 2), resourceKey)).toEqual([
        edited,
        aTopic('c'),
      ])
      expect(await agents.branches.find(AGENT, branch.id)).toEqual(commit.branch.next)
      expect(await agents.deployments.find(AGENT, commit.deployment.id)).toEqual(commit.deployment)
      expect(await agents.deployments.active(AGENT)).toEqual([commit.deployment])
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(1)
    })

    it('SA31 the merged branch loses its own changes, other branches keep theirs', async () => {
      const { agents, branch, beside } = await open()
      await agents.branches.edit(1, { ...beside, version: 2 }, [aTopic('theirs')])
      expect(await agents.revisions.commit(aCommit(branch, { revision: 1, deployment: 0 }))).toBe('committed')
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([])
      expect(await agents.branches.changes(AGENT, beside.id)).toEqual([aTopic('theirs')])
      const next = { ...branch, baseRevision: 2, version: 4 }
      expect(await agents.branches.edit(3, next, [aTopic('anew')])).toBe('written')
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([aTopic('anew')])
    })

    it('SA32 a commit without changes is a revision of the same content', async () => {
      const { agents, beside } = await open()
      const before = sortedBy(await agents.revisions.resourcesAt(AGENT, 1), resourceKey)
      expect(await agents.revisions.commit(aCommit(beside, { revision: 1, deployment: 0 }, []))).toBe(
        'committed',
      )
      expect(sortedBy(await agents.revisions.resourcesAt(AGENT, 2), resourceKey)).toEqual(before)
      expect(await agents.revisions.changesBetween(AGENT, 1, 2)).toEqual([])
    })

    it.each([
      { what: 'an older revision', revision: 1, deployment: 1, version: 2 },
      { what: 'a revision that is not there yet', revision: 3, deployment: 1, version: 2 },
      { what: 'an older deployment', revision: 2, deployment: 0, version: 2 },
      { what: 'a deployment that is not there yet', revision: 2, deployment: 2, version: 2 },
      { what: 'an older version of the branch', revision: 2, deployment: 1, version: 1 },
      { what: 'a version that the branch does not have yet', revision: 2, deployment: 1, version: 3 },
    ])(
      'SA33 a commit that expects $what is stale and writes nothing',
      async ({ revision, deployment, version }) => {
        const { agents, branch, beside } = await open()
        await agents.revisions.commit(aCommit(beside, { revision: 1, deployment: 0 }, [aTopic('theirs')]))
        const before = await agentSnapshot(agents, AGENT)
        const commit = aCommit({ ...branch, version }, { revision, deployment }, [
          aTopic('a', { content: 'Stale.' }),
        ])
        expect(await agents.revisions.commit(commit)).toBe('stale')
        expect(await agentSnapshot(agents, AGENT)).toEqual(before)
        expect(await agents.deployments.find(AGENT, commit.deployment.id)).toBeNull()
        expect(await agents.revisions.commit(aCommit(branch, { revision: 2, deployment: 1 }))).toBe(
          'committed',
        )
      },
    )

    it('SA34 of racing commits with the same expectations exactly one wins, whole', async () => {
      const { agents } = await open()
      const branches = Array.from({ length: RACERS }, (_, racer) => aBranch(`BRANCH-R${racer}`))
      for (const branch of branches) {
        await agents.branches.create(branch)
        await agents.branches.edit(1, { ...branch, version: 2 }, [aTopic(`of-${branch.id}`)])
      }
      const commits = branches.map(branch =>
        aCommit({ ...branch, version: 2 }, { revision: 1, deployment: 0 }),
      )
      const results = await Promise.all(commits.map(commit => agents.revisions.commit(commit)))
      expect(count(results, 'committed')).toBe(1)
      expect(count(results, 'stale')).toBe(RACERS - 1)
      const winner = results.indexOf('committed')
      expect(await agents.revisions.head(AGENT)).toEqual(commits[winner]?.revision)
      expect(await agents.revisions.changesBetween(AGENT, 1, 2)).toEqual(commits[winner]?.changes)
      expect(await agents.deployments.active(AGENT)).toEqual([commits[winner]?.deployment])
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(1)
      for (const [racer, branch] of branches.entries()) {
        const expected = racer === winner ? commits[racer]?.branch.next : { ...branch, version: 2 }
        expect(await agents.branches.find(AGENT, branch.id)).toEqual(expected)
        const changes = racer === winner ? [] : [aTopic(`of-${branch.id}`)]
        expect(await agents.branches.changes(AGENT, branch.id)).toEqual(changes)
      }
    })

    it('SA35 of a commit and edits of the branch that it merges exactly one wins', async () => {
      const { agents, branch } = await open()
      const commit = aCommit(branch, { revision: 1, deployment: 0 })
      const edit = () => agents.branches.edit(2, { ...branch, version: 3 }, [aTopic('late')])
      const [first, merged, last] = await Promise.all([edit(), agents.revisions.commit(commit), edit()])
      expect(count<string>([first, merged, last], 'stale')).toBe(2)
      const changes = sortedBy(await agents.branches.changes(AGENT, branch.id), resourceKey)
      const kept = [aTopic('a', { content: 'Mine.' }), aTopic('late'), aTopic('mine')]
      expect(changes).toEqual(merged === 'committed' ? [] : kept)
      expect((await agents.revisions.head(AGENT))?.number).toBe(merged === 'committed' ? 2 : 1)
    })

    it('SA36 of a commit and deployments with the same number exactly one wins', async () => {
      const { agents, branch } = await open()
      const before = await agentSnapshot(agents, AGENT)
      const commit = aCommit(branch, { revision: 1, deployment: 0 })
      const [first, merged, last] = await Promise.all([
        agents.deployments.create(aDeployment(1), null),
        agents.revisions.commit(commit),
        agents.deployments.create(aDeployment(1), null),
      ])
      expect(count<string>([first, merged, last], 'stale')).toBe(2)
      expect(lastNumberOf(await agents.deployments.active(AGENT))).toBe(1)
      if (merged === 'committed') expect(await agents.revisions.head(AGENT)).toEqual(commit.revision)
      else expect((await agentSnapshot(agents, AGENT)).branchChanges).toEqual(before.branchChanges)
    })

    it('SA37 losers who look again and try again all get their turn, without a gap', async () => {
      const { agents } = await open()
      await race(async racer => {
        const branch = aBranch(`BRANCH-R${racer}`)
        await agents.branches.create(branch)
        await untilWon(async () => {
          const revision = (await agents.revisions.head(AGENT))?.number ?? 0
          const deployment = lastNumberOf(await agents.deployments.active(AGENT))
          return (await agents.revisions.commit(aCommit(branch, { revision, deployment }))) === 'committed'
        })
      })
      const snapshot = await agentSnapshot(agents, AGENT)
      const wanted = Array.from({ length: RACERS + 1 }, (_, index) => index + 1)
      expect(snapshot.revisions.map(revision => revision?.number ?? null)).toEqual([null, ...wanted, null])
      expect(snapshot.lastDeploymentNumber).toBe(RACERS)
      expect(snapshot.resources).toHaveLength(2 + RACERS)
    })
  })
}
