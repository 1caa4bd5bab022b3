import { createPlatform } from '@colloquy/core'
import type { Resource } from '@colloquy/core/domain'
import type { Store } from '@colloquy/core/store'
import { createFakeClock, createScriptedRuntime, START } from '@colloquy/core/testing'
import { describe, expect, it, vi } from 'vitest'
import { openStore, temporaryFile } from './files.ts'

const TOPICS = 200

const aTopic = (number: number): Resource => ({
  kind: 'topics',
  id: `T-${number}`,
  value: {
    name: `Topic "${number}"`,
    content: `Said of ${number}:\n\u0000, [1], ',', 💶`,
    actions: '',
    exampleQueries: [],
    isActive: true,
  },
})

/** A store over a file in which an agent with many topics was written by another one, and the newest revision. */
async function openTopics(): Promise<{ store: Store; read: () => Promise<readonly Resource[]> }> {
  const filename = temporaryFile()
  const store = openStore({ filename })
  const platform = createPlatform({ store, runtime: createScriptedRuntime({}, createFakeClock(START)) })
  const account = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const { id } = await platform.agents.create({ accountId: account.id, name: 'Agent', greeting: 'Hello' })
  const branch = await platform.agents.createBranch(id, { branchName: 'work' })
  const topics = Array.from({ length: TOPICS }, (_, number) => aTopic(number))
  await store.agents.branches.edit(branch.version, { ...branch, version: branch.version + 1 }, topics)
  await platform.agents.merge(id, branch.id)
  const head = await store.agents.revisions.head(id)
  return {
    store,
    read: () => store.agents.revisions.resourcesAt(id, head?.number ?? 0, { kinds: ['topics'] }),
  }
}

const byNumber = (topics: readonly Resource[]): readonly Resource[] =>
  [...topics].sort((a, b) => Number(a.id.slice(2)) - Number(b.id.slice(2)))

const expected = Array.from({ length: TOPICS }, (_, number) => aTopic(number))

describe('the resources of a revision', () => {
  it('SQ58 no value is parsed before it is asked for, and those near it are parsed once', async () => {
    const { read } = await openTopics()
    const topics = await read()
    const parse = vi.spyOn(JSON, 'parse')
    const [one, other] = [topics[0]?.value, topics[0]?.value]
    const parsed = parse.mock.calls.length
    parse.mockRestore()
    expect(one).toBe(other)
    expect(parsed).toBe(1)
    expect(one).toEqual(expected.find(({ id }) => id === topics[0]?.id)?.value)
  })

  it('SQ58 a copy of any kind is whole, made before or after the values were asked for', async () => {
    const { read } = await openTopics()
    const copies = [
      (topics: readonly Resource[]) => topics.map(topic => ({ ...topic })),
      (topics: readonly Resource[]): readonly Resource[] => JSON.parse(JSON.stringify(topics)),
      (topics: readonly Resource[]) => structuredClone(topics),
      (topics: readonly Resource[]) => topics,
    ]
    for (const copy of copies) {
      const topics = await read()
      expect(byNumber(copy(topics))).toEqual(expected)
      expect(byNumber(copy(topics))).toEqual(expected)
    }
  })

  it('SQ58 what one reader does to a value, another one does not see', async () => {
    const { read } = await openTopics()
    const [one] = await read()
    if (one) Object.assign(one.value, { name: 'changed' })
    expect(byNumber(await read())).toEqual(expected)
  })
})
