import { expect, onTestFinished, test } from 'vitest'
import type { ResourceChange } from '../../src/domain/agent/content.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createFakeClock } from '../../src/testing/index.ts'

const topic = (id: string, name: string): ResourceChange => ({
  ...{ kind: 'topics', id },
  value: { name, content: `About ${name}`, actions: '', exampleQueries: [], isActive: true },
})

async function setUp() {
  const runtime = { async *respond() {} }
  const platform = createPlatform({ store: createMemoryStore(), clock: createFakeClock(), runtime })
  onTestFinished(platform.close)
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello' })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'work' })
  const read = () => platform.agents.branchTree(agent.id, branch.id)
  const write = (changes: readonly ResourceChange[], expectedVersion: number) =>
    platform.agents.writeBranchTree(agent.id, branch.id, { expectedVersion, changes })
  return { agents: platform.agents, agent, branch, read, write }
}

test('AG79 many changes of a branch are written at once, and read with its version', async () => {
  const { agents, agent, branch, read, write } = await setUp()
  const before = await read()
  expect(before.changes).toEqual([])
  expect([...before.tree.keys()].sort()).toEqual(['behavior/', 'response_settings/', expect.any(String)])
  await write([topic('T-1', 'Bar'), topic('T-2', 'Pool'), topic('T-3', 'Cafe\u0301')], before.branch.version)
  const after = await read()
  expect(after).toMatchObject({ branch: { version: before.branch.version + 1 } })
  expect(after.changes).toHaveLength(3)
  expect(after.tree.get('topics/T-3')?.value).toMatchObject({ name: 'Caf\u00e9' })
  await write([{ kind: 'topics', id: 'T-1', value: null }], after.branch.version)
  const names = (await agents.topics(agent.id, branch.id)).map(({ name }) => name)
  expect(names).toEqual(['Caf\u00e9', 'Pool'])
})

test('AG79 a branch at another version, and main, are refused', async () => {
  const { agents, agent, read, write } = await setUp()
  const { branch } = await read()
  await write([topic('T-1', 'Bar')], branch.version)
  await expect(write([topic('T-2', 'Pool')], branch.version)).rejects.toMatchObject({
    code: 'WRITE_CONFLICT',
  })
  expect((await read()).tree.has('topics/T-2')).toBe(false)
  const main = await agents.branchTree(agent.id, 'main')
  const write2 = { expectedVersion: main.branch.version, changes: [topic('T-2', 'Pool')] }
  const refused = { code: 'MAIN_BRANCH_READ_ONLY' }
  await expect(agents.writeBranchTree(agent.id, 'main', write2)).rejects.toMatchObject(refused)
})

const variant = (id: string, isDefault: boolean, attributeValues = {}): ResourceChange => ({
  ...{ kind: 'variants', id },
  value: { name: id, isDefault, attributeValues },
})

test.each<[string, readonly ResourceChange[], RegExp]>([
  ['a shared name', [topic('T-1', 'Bar'), topic('T-2', 'Bar')], /"Bar" is taken/],
  ['a second default variant', [variant('V-1', true)], /is the default already/],
  ['a value for no attribute', [variant('V-1', false, { gone: 'x' })], /no attribute gone/],
  ['a removed behavior', [{ kind: 'behavior', id: '', value: null }], /behavior is missing/],
  ['an id with a slash', [topic('a/b', 'Bar')], /id "a\/b"/],
  ['a name with a zero-width space', [topic('T-1', 'B\u200bar')], /control characters/],
  ['a topic without a name', [topic('T-1', '')], /name/],
])('AG79 %s is refused, and nothing is written', async (_, changes, message) => {
  const { read, write } = await setUp()
  const before = await read()
  const written = write([topic('T-0', 'Spa'), ...changes], before.branch.version)
  await expect(written).rejects.toMatchObject({
    code: 'SCHEMA_VALIDATION_FAILED',
    message: expect.stringMatching(message),
  })
  expect(await read()).toEqual(before)
})
