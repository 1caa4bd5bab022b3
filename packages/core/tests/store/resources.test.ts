import { expect, test } from 'vitest'
import { resourceKey } from '../../src/domain/agent/content.ts'
import { createMemoryDocuments } from '../../src/memory/index.ts'
import type { ResourceFilter } from '../../src/ports/store/revisions.ts'
import type { Documents } from '../../src/store/documents.ts'
import { storeOver } from '../../src/store/groups.ts'
import { AGENT, anAgent, aTopic } from '../../src/testing/fixtures.ts'

/** The most lists that one filter may read: a database has few connections, and its callers wait for them. */
const MOST = 150

test('SA26 a filter reads few lists, however many keys and names it holds', async () => {
  const documents = createMemoryDocuments()
  let lists = 0
  const counting: Documents = {
    ...documents,
    scan(kind, index, range) {
      lists++
      return documents.scan(kind, index, range)
    },
  }
  const { agents } = storeOver(counting, { nextSequence: () => 1, random: Math.random }, async () => {})
  const topics = Array.from({ length: 300 }, (_, at) => aTopic(`t${at}`))
  const namesakes = Array.from({ length: 300 }, (_, at) => aTopic(`n${at}`, { name: 'Pool' }))
  await agents.create(anAgent(AGENT, { changes: [...topics, ...namesakes] }))
  const names = topics.map(({ value }) => value.name)
  const filters: readonly (readonly [ResourceFilter, number])[] = [
    [{ names }, 300],
    [{ names: names.slice(0, 40) }, 40],
    [{ names: ['Pool'] }, 300],
    [{ names: ['Pool'], kinds: ['topics'] }, 300],
    [{ keys: topics.map(resourceKey) }, 300],
    [{ keys: topics.map(resourceKey), names: names.slice(1) }, 299],
  ]
  for (const [filter, count] of filters) {
    lists = 0
    expect(await agents.revisions.resourcesAt(AGENT, 1, filter)).toHaveLength(count)
    expect(lists).toBeLessThanOrEqual(MOST)
  }
})
