import { describe, expect, it } from 'vitest'
import { type Resource, type ResourceChange, resourceKey } from '../../../domain/agent/content.ts'
import type { AgentStore } from '../../../ports/store/agents.ts'
import type { ResourceFilter } from '../../../ports/store/revisions.ts'
import { AGENT, aBranch, aCommit, anAgent, aRemoval, aRevision, aTopic } from '../../fixtures.ts'
import { openForTest, type StoreFactory, sortedBy } from './tools.ts'

const behavior = (text: string) => ({ kind: 'behavior', id: '', value: { behavior: text } }) as const
const attribute = (id: string, name: string) => ({ kind: 'attributes', id, value: { name } }) as const
const variant = (id: string, name: string) =>
  ({
    kind: 'variants',
    id,
    value: { name, isDefault: id === 'v1', attributeValues: { a1: 'Ritz' } },
  }) as const

/** Appends revisions 2, 3, … with these changes. */
async function grow(agents: AgentStore, ...revisions: readonly (readonly ResourceChange[])[]): Promise<void> {
  let branch = aBranch('BRANCH-1')
  await agents.branches.create(branch)
  for (const [step, changes] of revisions.entries()) {
    const commit = aCommit(branch, { revision: step + 1, deployment: step }, changes)
    expect(await agents.revisions.commit(commit)).toBe('committed')
    branch = commit.branch.next
  }
}

/** Rules SA20 to SA29 and SA132: what main held at each revision. */
export function describeRevisions(factory: StoreFactory): void {
  const open = async (...revisions: readonly (readonly ResourceChange[])[]) => {
    const { agents } = await openForTest(factory)
    await agents.create(anAgent(AGENT, { changes: revisions[0] ?? [] }))
    await grow(agents, ...revisions.slice(1))
    const at = async (revision: number, filter?: ResourceFilter): Promise<Resource[]> =>
      sortedBy(await agents.revisions.resourcesAt(AGENT, revision, filter), resourceKey)
    const keysAt = async (revision: number, filter: ResourceFilter) =>
      (await at(revision, filter)).map(resourceKey)
    const between = async (after: number, through: number): Promise<ResourceChange[]> =>
      sortedBy(await agents.revisions.changesBetween(AGENT, after, through), resourceKey)
    return { agents, at, keysAt, between }
  }
  const second = (id: string) => aTopic(id, { content: 'Second.' })
  const third = (id: string) => aTopic(id, { content: 'Third.' })
  const beginning = [behavior('One.'), aTopic('a'), aTopic('b'), aTopic('c')]
  const history = () =>
    open(
      beginning,
      [second('a'), aRemoval(aTopic('b')), aTopic('d')],
      [third('a'), aTopic('b', { name: 'b again' }), aRemoval(aTopic('d'))],
    )

  describe('revisions', () => {
    it('SA20 the head is the newest revision, and earlier ones stay as they were', async () => {
      const { agents } = await history()
      expect(await agents.revisions.head(AGENT)).toEqual(aRevision(3, { contentHash: 'hash-3-BRANCH-1' }))
      const numbers = [0, 1, 2, 3, 4, 2 ** 31, Number.MAX_SAFE_INTEGER]
      const found = await Promise.all(numbers.map(number => agents.revisions.find(AGENT, number)))
      expect(found.map(revision => revision?.number ?? null)).toEqual([null, 1, 2, 3, null, null, null])
      expect(await agents.revisions.find(AGENT, 1)).toEqual(anAgent(AGENT, { changes: beginning }).revision)
    })

    it('SA21 a revision holds, of each resource, the newest version not after it, without removed ones', async () => {
      const { at } = await history()
      expect(await at(0)).toEqual([])
      expect(await at(1)).toEqual([behavior('One.'), aTopic('a'), aTopic('b'), aTopic('c')])
      expect(await at(2)).toEqual([behavior('One.'), second('a'), aTopic('c'), aTopic('d')])
      const last = [behavior('One.'), third('a'), aTopic('b', { name: 'b again' }), aTopic('c')]
      expect(await at(3)).toEqual(last)
      expect(await at(99)).toEqual(last)
    })

    it('SA132 a resource that every one of many revisions changes is as the newest left it', async () => {
      const revised = (number: number) => aTopic('a', { content: `Revision ${number}.` })
      const { at } = await open(...Array.from({ length: 13 }, (_, before) => [revised(before + 1)]))
      for (let number = 1; number <= 13; number++) expect(await at(number)).toEqual([revised(number)])
    })

    it('SA22 a filter by kinds leaves the other kinds out', async () => {
      const resources = [
        attribute('a1', 'hotel'),
        behavior('Be kind.'),
        aTopic('t1'),
        variant('v1', 'default'),
      ]
      const { at, keysAt } = await open(resources)
      expect(await keysAt(1, { kinds: ['topics'] })).toEqual(['topics/t1'])
      expect(await keysAt(1, { kinds: ['behavior', 'variants'] })).toEqual(['behavior/', 'variants/v1'])
      expect(await at(1, { kinds: ['response_settings'] })).toEqual([])
      expect(await at(1, {})).toEqual(resources)
    })

    it('SA23 a filter by keys finds exactly the resources of these keys', async () => {
      const odd = ['a/b', 'a', 'A', '100%', '100_', '1000', `it's`, '"quoted"', '\u{1F600}', ' ']
      const { keysAt } = await open([behavior('Be kind.'), ...odd.map(id => aTopic(id)), attribute('a', 'a')])
      for (const id of odd) expect(await keysAt(1, { keys: [`topics/${id}`] })).toEqual([`topics/${id}`])
      expect(await keysAt(1, { keys: ['topics/a', 'attributes/a', 'behavior/'] })).toEqual([
        'attributes/a',
        'behavior/',
        'topics/a',
      ])
      const strangers = ['topics/none', 'topics/', 'behavior', 'topics', '', '/', 'topics/a/', 'nonsense/a']
      expect(await keysAt(1, { keys: strangers })).toEqual([])
      expect(await keysAt(1, { keys: [...strangers, 'topics/a', 'topics/a'] })).toEqual(['topics/a'])
    })

    it('SA24 a filter by names compares exactly, case-sensitively, and only kinds that have a name', async () => {
      const names = [
        'Pool',
        'pool',
        '100%',
        '100_',
        '1000',
        `it's "so"`,
        '\u00e9',
        'e\u0301',
        '\u{1F600}',
        ' Pool',
      ]
      const topics = names.map((name, index) => aTopic(`t${index}`, { name }))
      const { keysAt } = await open([
        behavior('Pool'),
        ...topics,
        attribute('a1', 'Pool'),
        variant('v1', 'Pool'),
      ])
      for (const [index, name] of names.entries()) {
        if (name !== 'Pool') expect(await keysAt(1, { names: [name] })).toEqual([`topics/t${index}`])
      }
      expect(await keysAt(1, { names: ['Pool'] })).toEqual(['attributes/a1', 'topics/t0', 'variants/v1'])
      expect(await keysAt(1, { names: ['1000', 'pool', 'none'] })).toEqual(['topics/t1', 'topics/t4'])
      expect(await keysAt(1, { names: ['Poo', 'P%', 'POOL', ''] })).toEqual([])
    })

    it('SA25 names and removals count as they are at the revision asked for', async () => {
      const { keysAt, at } = await open(
        [aTopic('t1', { name: 'Old' }), aTopic('t2', { name: 'Gone' }), aTopic('t3', { name: 'Later' })],
        [aTopic('t1', { name: 'New' }), aRemoval(aTopic('t2'))],
        [aTopic('t3', { name: 'Old' })],
      )
      expect(await keysAt(1, { names: ['Old', 'Gone'] })).toEqual(['topics/t1', 'topics/t2'])
      expect(await at(2, { names: ['Old', 'Gone'] })).toEqual([])
      expect(await keysAt(2, { names: ['New'] })).toEqual(['topics/t1'])
      expect(await keysAt(3, { names: ['Old', 'Later'] })).toEqual(['topics/t3'])
      expect(await keysAt(3, { keys: ['topics/t2', 'topics/t3'] })).toEqual(['topics/t3'])
    })

    it('SA26 all conditions of a filter hold at once; an empty list matches nothing', async () => {
      const { keysAt } = await open([aTopic('t1', { name: 'Pool' }), aTopic('t2'), attribute('a1', 'Pool')])
      expect(await keysAt(1, { kinds: ['topics'], names: ['Pool'] })).toEqual(['topics/t1'])
      expect(await keysAt(1, { keys: ['topics/t2', 'attributes/a1'], names: ['Pool'] })).toEqual([
        'attributes/a1',
      ])
      expect(await keysAt(1, { kinds: ['topics'], keys: ['attributes/a1', 'topics/t2'] })).toEqual([
        'topics/t2',
      ])
      expect(await keysAt(1, { kinds: ['variants'], keys: ['topics/t1'], names: ['Pool'] })).toEqual([])
      expect(await keysAt(1, { kinds: [] })).toEqual([])
      expect(await keysAt(1, { keys: [] })).toEqual([])
      expect(await keysAt(1, { names: [] })).toEqual([])
    })

    it('SA27 a filter may hold thousands of keys and names', async () => {
      const topics = Array.from({ length: 3_000 }, (_, index) => aTopic(`t${index}`))
      const { at } = await open(topics)
      expect(await at(1, { keys: topics.map(resourceKey) })).toHaveLength(topics.length)
      const names = topics.slice(1).map(topic => topic.value.name)
      expect(await at(1, { names, kinds: ['topics'] })).toHaveLength(topics.length - 1)
    })

    it('SA28 changes after one revision and not after another: each resource’s newest, removals included', async () => {
      const { between } = await history()
      const [one, two, three] = [
        [behavior('One.'), aTopic('a'), aTopic('b'), aTopic('c')],
        [second('a'), aRemoval(aTopic('b')), aTopic('d')],
        [third('a'), aTopic('b', { name: 'b again' }), aRemoval(aTopic('d'))],
      ]
      expect(await between(0, 1)).toEqual(one)
      expect(await between(1, 2)).toEqual(two)
      expect(await between(2, 3)).toEqual(three)
      expect(await between(1, 3)).toEqual(three)
      expect(await between(0, 2)).toEqual([
        behavior('One.'),
        second('a'),
        aRemoval(aTopic('b')),
        aTopic('c'),
        aTopic('d'),
      ])
    })

    it('SA29 between a revision and itself, or an earlier one, or beyond the head nothing changed', async () => {
      const { between } = await history()
      expect(await between(2, 2)).toEqual([])
      expect(await between(3, 1)).toEqual([])
      expect(await between(3, 99)).toEqual([])
      expect(await between(2, 99)).toEqual(await between(2, 3))
    })
  })
}
