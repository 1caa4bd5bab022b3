import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestPlatform } from '../../../../test-support/src/platform.ts'

async function open() {
  const { platform } = createTestPlatform()
  const { agents } = platform
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const { id } = await agents.create({ accountId, name: 'Desk', greeting: 'Hello' })
  const first = await agents.createBranch(id, { branchName: 'first' })
  const topic = await agents.createTopic(id, first.id, {
    ...{ name: 'Pool', content: 'Closed.', exampleQueries: ['Is there a pool?'] },
  })
  await agents.createAttribute(id, first.id, { name: 'city' })
  await agents.merge(id, first.id)
  const { id: branch } = await agents.createBranch(id, { branchName: 'second' })
  return { agents, id, branch, topic }
}

describe('AG121 a change that says what its author has seen', () => {
  test('is refused where somebody else has changed that, and writes nothing', async () => {
    const { agents, id, branch, topic } = await open()
    const update = (content: string, expected: object) =>
      agents.updateTopic(id, branch, topic.id, { content, expected })
    await update('Open.', { content: 'Closed.' })
    await expect(update('Heated.', { content: 'Closed.', name: 'Pool' })).rejects.toMatchObject({
      code: 'CONTENT_CHANGED',
      details: { body: { changed: ['content'] } },
    })
    expect((await agents.topic(id, branch, topic.id)).content).toBe('Open.')
    // Another field than the one that was changed.
    await agents.updateTopic(id, branch, topic.id, { name: 'The pool', expected: { name: 'Pool' } })
    expect(await agents.topic(id, branch, topic.id)).toMatchObject({ name: 'The pool', content: 'Open.' })
    await expect(
      agents.updateTopic(id, branch, topic.id, {
        exampleQueries: [],
        expected: { exampleQueries: ['Is there a bar?'] },
      }),
    ).rejects.toMatchObject({ code: 'CONTENT_CHANGED' })
  })

  test('holds for behavior, response settings, attributes, variants and test cases', async () => {
    const { agents, id, branch } = await open()
    const changed = { code: 'CONTENT_CHANGED' }
    await agents.updateBehavior(id, branch, 'Brief.', '')
    await expect(agents.updateBehavior(id, branch, 'Long.', '')).rejects.toMatchObject(changed)
    await agents.updateResponseSettings(id, branch, {
      greeting: 'Hi',
      expected: { greeting: 'Hello', avatarUrl: null },
    })
    const settings = agents.updateResponseSettings(id, branch, {
      greeting: 'Hey',
      expected: { greeting: 'Hello' },
    })
    await expect(settings).rejects.toMatchObject(changed)
    const [attribute] = await agents.attributes(id, branch)
    const [variant] = await agents.variants(id, branch)
    if (attribute === undefined || variant === undefined) throw new Error('There is one of each.')
    const name = agents.updateAttribute(id, branch, attribute.id, {
      name: 'town',
      expected: { name: 'place' },
    })
    await expect(name).rejects.toMatchObject(changed)
    const values = { attributeValues: { [attribute.id]: 'Linz' }, expected: { attributeValues: {} } }
    await agents.updateVariant(id, branch, variant.id, values)
    await expect(agents.updateVariant(id, branch, variant.id, values)).rejects.toMatchObject(changed)
    const { id: caseId } = await agents.testCases.create(id, branch, {
      ...{ name: 'Pool', turns: [{ text: 'Is there a pool?', expectations: { contains: ['Open'] } }] },
    })
    const off = agents.testCases.update(id, branch, caseId, { isActive: false, expected: { name: 'Bar' } })
    await expect(off).rejects.toMatchObject(changed)
  })

  test('lets one of two authors through who change the same at once', async () => {
    const { agents, id, branch, topic } = await open()
    const outcomes = await Promise.allSettled(
      ['one', 'two', 'three'].map(content =>
        agents.updateTopic(id, branch, topic.id, { content, expected: { content: 'Closed.' } }),
      ),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })
})

describe('AG76 what was removed from a branch', () => {
  test('comes back as itself, and the branch has no change then', async () => {
    const { agents, id, branch, topic } = await open()
    await agents.deleteTopic(id, branch, topic.id)
    expect((await agents.branch(id, branch)).changes).toHaveLength(1)
    expect(await agents.createTopic(id, branch, topic)).toEqual(topic)
    expect((await agents.branch(id, branch)).changes).toEqual([])
  })

  test('is a topic, attribute, variant or test case, also one that was new on the branch', async () => {
    const { agents, id, branch } = await open()
    const variant = await agents.createVariant(id, branch, { name: 'Linz' })
    await agents.deleteVariant(id, branch, variant.id)
    expect(await agents.createVariant(id, branch, variant)).toEqual(variant)
    const [attribute] = await agents.attributes(id, branch)
    if (attribute === undefined) throw new Error('There is one.')
    await agents.deleteAttribute(id, branch, attribute.id)
    expect(await agents.createAttribute(id, branch, attribute)).toEqual(attribute)
    const made = await agents.testCases.create(id, branch, {
      ...{ name: 'Pool', turns: [{ text: 'Is there a pool?', expectations: { contains: ['Open'] } }] },
    })
    await agents.testCases.delete(id, branch, made.id)
    expect(await agents.testCases.create(id, branch, made)).toEqual(made)
  })

  test('is nothing else: ids are given by the platform', async () => {
    const { agents, id, branch, topic } = await open()
    const again = agents.createTopic(id, branch, { ...topic, name: 'Another' })
    await expect(again).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS' })
    const made = agents.createTopic(id, branch, { ...topic, id: 'TOPIC-MINE', name: 'Another' })
    await expect(made).rejects.toMatchObject({ code: 'TOPIC_NOT_FOUND' })
    await agents.deleteTopic(id, branch, topic.id)
    await agents.createTopic(id, branch, { name: topic.name, content: 'Another one of that name.' })
    await expect(agents.createTopic(id, branch, topic)).rejects.toMatchObject({
      code: 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS',
    })
  })
})

const FIELDS = ['name', 'content', 'actions', 'gone', 'behavior', 'greeting'] as const
const edits = fc.array(
  fc.record({ field: fc.constantFrom(...FIELDS), text: fc.constantFrom('red', 'green', 'blue') }),
  { minLength: 1, maxLength: 4 },
)
const strategies = fc.array(fc.constantFrom('ours', 'theirs', 'base'), { minLength: 12, maxLength: 12 })

test('AG19 the preview of a merge is what the merge makes of main, with whatever resolutions', async () => {
  await fc.assert(
    fc.asyncProperty(edits, edits, strategies, async (mine, others, chosen) => {
      const { agents, id, branch, topic } = await open()
      const { id: other } = await agents.createBranch(id, { branchName: 'other' })
      const edit = async (on: string, all: typeof mine): Promise<void> => {
        for (const { field, text } of all) {
          const isThere = (await agents.topics(id, on)).length > 0
          if (field === 'behavior') await agents.updateBehavior(id, on, text)
          else if (field === 'greeting') await agents.updateResponseSettings(id, on, { greeting: text })
          else if (field === 'gone' && isThere) await agents.deleteTopic(id, on, topic.id)
          else if (field !== 'gone' && isThere) await agents.updateTopic(id, on, topic.id, { [field]: text })
        }
      }
      await edit(branch, mine)
      await edit(other, others)
      await agents.merge(id, other)
      const before = await agents.publish(id, { environment: 'live' })
      const settled: { path: readonly string[]; strategy: 'ours' | 'theirs' | 'base' }[] = []
      const preview = () => agents.previewMerge(id, branch, { conflictResolutions: settled })
      let shown = await preview()
      for (const [conflict] of [shown.conflicts])
        if (conflict) expect(shown.conflicts).toEqual((await agents.diff(id, branch)).conflicts)
      while (shown.conflicts[0] !== undefined) {
        settled.push({ path: shown.conflicts[0].path, strategy: chosen[settled.length] ?? 'ours' })
        shown = await preview()
      }
      const { deployment } = await agents.merge(id, branch, { conflictResolutions: settled })
      const made = await agents.compareDeployments(id, deployment.id, before.id)
      expect(new Set(shown.changes)).toEqual(new Set(made))
    }),
    { numRuns: 60 },
  )
})

test('AG19 refuses what the merge refuses, and writes nothing', async () => {
  const { agents, id, branch } = await open()
  const stray = { conflictResolutions: [{ path: ['behavior'], strategy: 'ours' as const }] }
  await expect(agents.previewMerge(id, branch, stray)).rejects.toMatchObject({
    code: 'MERGE_INVALID_RESOLUTION',
  })
  await agents.updateBehavior(id, branch, 'Brief.')
  const before = await agents.branches(id)
  expect((await agents.previewMerge(id, branch)).changes).toMatchObject([
    { path: ['behavior'], oursValue: '', theirsValue: 'Brief.' },
  ])
  expect(await agents.branches(id)).toEqual(before)
})
