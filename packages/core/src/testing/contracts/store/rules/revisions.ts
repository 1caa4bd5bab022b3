import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Resource,
  type ResourceChange,
  type ResourceKind,
  resourceKey,
} from '../../../../domain/agent/content.ts'
import type { ResourceFilter } from '../../../../ports/store/revisions.ts'
import { AGENT, aBranch, aCommit, anAgent, aRemoval, aRevision, aTopic } from '../../../fixtures.ts'
import { openForTest, type StoreFactory, sortedBy } from '../tools.ts'

/** Ids and names that are easily taken for each other, few, so that they meet. */
const IDS = ['a', 'A', 'a/b', '100%', '1000', '\u{1F600}', ' '] as const
const NAMES = ['Pool', 'pool', ' Pool', '100_', '1000', '\u00e9', 'e\u0301', `it's "so"`] as const

const id = fc.constantFrom(...IDS)
const name = fc.constantFrom(...NAMES)
/** The last of which has no name. */
const resource: fc.Arbitrary<Resource> = fc.oneof(
  fc.tuple(id, name).map(([id, name]) => aTopic(id, { name })),
  fc.tuple(id, name).map(([id, name]) => ({ kind: 'attributes' as const, id, value: { name } })),
  name.map(behavior => ({ kind: 'behavior' as const, id: '', value: { behavior } })),
)
const change: fc.Arbitrary<ResourceChange> = fc.oneof(
  { weight: 3, arbitrary: resource },
  resource.map(aRemoval),
)
const changes = fc.uniqueArray(change, { selector: resourceKey, maxLength: 6 })
const key = fc.oneof(
  resource.map(resourceKey),
  fc.constantFrom('topics/none', 'behavior', '', '/', 'nonsense/a'),
)
const filter: fc.Arbitrary<ResourceFilter> = fc.record(
  {
    kinds: fc.array(fc.constantFrom<ResourceKind>('topics', 'attributes', 'behavior', 'variants'), {
      maxLength: 3,
    }),
    keys: fc.array(key, { maxLength: 8 }),
    names: fc.array(fc.oneof(name, fc.constantFrom('P%', 'POOL', '')), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const question = fc.record({ revision: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 99), after: fc.nat(7), filter })

/** Returns the newest change of each resource in the revisions up to one, removals included. */
function newest(history: readonly (readonly ResourceChange[])[]): readonly ResourceChange[] {
  const changes = history.flat().map(change => [resourceKey(change), change] as const)
  return sortedBy([...new Map(changes).values()], resourceKey)
}

const isThere = (change: ResourceChange): change is Resource => change.value !== null

const matches = (resource: Resource, { keys, kinds, names }: ResourceFilter): boolean =>
  (kinds?.includes(resource.kind) ?? true) &&
  (keys?.includes(resourceKey(resource)) ?? true) &&
  (names === undefined || ('name' in resource.value && names.includes(resource.value.name)))

/** Tests of what main held at each revision (SA80 and SA26). */
export function describeRevisions(factory: StoreFactory): void {
  describe('revisions', () => {
    it('SA80 and SA26 each is as its changes have left it, whichever part is asked for', async () => {
      const { agents } = await openForTest(factory)
      let histories = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(changes, { minLength: 2, maxLength: 6 }),
          fc.array(question, { minLength: 8, maxLength: 12 }),
          async (history, questions) => {
            const agentId = `P-${histories++}`
            let branch = aBranch('BRANCH-1', { agentId })
            await agents.create(anAgent(agentId, { changes: history[0]?.filter(isThere) ?? [] }))
            await agents.branches.create(branch)
            for (const [step, changes] of history.slice(1).entries()) {
              const commit = aCommit(branch, { revision: step + 1, deployment: step }, changes)
              expect(await agents.revisions.commit(commit)).toBe('committed')
              branch = commit.branch.next
            }
            const written = [history[0]?.filter(isThere) ?? [], ...history.slice(1)]
            for (const { after, filter, revision } of questions) {
              const expected = newest(written.slice(0, revision))
                .filter(isThere)
                .filter(one => matches(one, filter))
              const found = await agents.revisions.resourcesAt(agentId, revision, filter)
              expect(sortedBy(found, resourceKey), JSON.stringify([filter, revision])).toEqual(expected)
              const between = await agents.revisions.changesBetween(agentId, after, revision)
              expect(sortedBy(between, resourceKey)).toEqual(newest(written.slice(after, revision)))
            }
            const numbers = [0, 1, history.length, history.length + 1, 2 ** 31, Number.MAX_SAFE_INTEGER]
            const found = await Promise.all(numbers.map(number => agents.revisions.find(agentId, number)))
            const last = aRevision(history.length, { contentHash: `hash-${history.length}-BRANCH-1` })
            expect(found.map(one => one?.number ?? null)).toEqual([null, 1, history.length, null, null, null])
            expect([found[2], (await agents.revisions.main(agentId))?.head]).toEqual([last, last])
          },
        ),
        { numRuns: 20 },
      )
    })

    it('SA26 a filter may hold thousands of keys and names', async () => {
      const { agents } = await openForTest(factory)
      const topics = Array.from({ length: 3_000 }, (_, index) => aTopic(`t${index}`))
      await agents.create(anAgent(AGENT, { changes: topics }))
      const at = (filter: ResourceFilter) => agents.revisions.resourcesAt(AGENT, 1, filter)
      expect(await at({ keys: topics.map(resourceKey) })).toHaveLength(topics.length)
      const names = topics.slice(1).map(topic => topic.value.name)
      expect(await at({ names, kinds: ['topics'] })).toHaveLength(topics.length - 1)
    })
  })
}
