import { describe, expect, test } from 'vitest'
import { contentHash } from '../../src/domain/agent/content-hash.ts'
import { merge } from '../../src/domain/agent/merge.ts'
import { parseResource, treeOf } from '../../src/domain/agent/tree.ts'
import { MAIN_BRANCH_ID } from '../../src/domain/ids.ts'
import { contextOf } from '../../src/platform-context.ts'
import { AGENT, aCase, createBench, mergeCases } from './support.ts'

const refusal = (code: string) => expect.objectContaining({ code })

describe('test cases', () => {
  test('TE1 are content: merged field by field, told in the diff, copied with the agent', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    await mergeCases(platform, aCase('Opening hours'))
    const [one, two] = [
      await agents.createBranch(AGENT, { branchName: 'one' }),
      await agents.createBranch(AGENT, { branchName: 'two' }),
    ]
    const [known] = await agents.testCases.list(AGENT, MAIN_BRANCH_ID)
    const id = known?.id ?? ''
    const turns = [{ text: 'When?', expectations: { topic: 'Hours' } }]
    await agents.testCases.update(AGENT, one.id, id, { turns })
    await agents.testCases.update(AGENT, two.id, id, { name: 'Hours', isActive: false })
    expect((await agents.branch(AGENT, two.id)).changes).toEqual([
      { kind: 'test_cases', id, name: 'Hours', type: 'modify' },
    ])
    const { changes } = await agents.diff(AGENT, one.id)
    expect(changes).toEqual([
      {
        path: ['test_cases', 'Opening hours', 'turns'],
        baseValue: known?.turns,
        oursValue: known?.turns,
        theirsValue: turns,
        type: 'modify',
      },
    ])
    await agents.merge(AGENT, one.id)
    await agents.merge(AGENT, two.id)
    const merged = { id, name: 'Hours', turns, functionResults: {}, variantId: null, isActive: false }
    expect(await agents.testCases.read(AGENT, MAIN_BRANCH_ID, id)).toEqual(merged)
    const copy = await agents.duplicate(AGENT, { newAgentName: 'Copy' })
    expect(await agents.testCases.list(copy.id, MAIN_BRANCH_ID)).toEqual([merged])
  })

  test('TE1 two sides that changed the turns of one are a conflict at its turns', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    await mergeCases(platform, aCase('Opening hours'))
    const id = (await agents.testCases.list(AGENT, MAIN_BRANCH_ID))[0]?.id ?? ''
    const branches = [
      await agents.createBranch(AGENT, { branchName: 'a' }),
      await agents.createBranch(AGENT, { branchName: 'b' }),
    ]
    for (const [at, branch] of branches.entries()) {
      const turns = [{ text: `Turn ${at}`, expectations: {} }]
      await agents.testCases.update(AGENT, branch.id, id, { turns })
    }
    const [first, second] = branches.map(branch => branch.id)
    await agents.merge(AGENT, first ?? MAIN_BRANCH_ID)
    const path = ['test_cases', 'Opening hours', 'turns']
    await expect(agents.merge(AGENT, second ?? MAIN_BRANCH_ID)).rejects.toMatchObject({
      code: 'MERGE_CONFLICTS',
      details: { body: { conflicts: [{ path, type: 'modify' }] } },
    })
    const settled = [{ text: 'Both', expectations: { ends: true } }]
    const misfit = { conflictResolutions: [{ path, strategy: 'theirs' as const, value: [{ text: '' }] }] }
    await expect(agents.merge(AGENT, second ?? MAIN_BRANCH_ID, misfit)).rejects.toEqual(
      refusal('MERGE_INVALID_RESOLUTION'),
    )
    const fitting = { conflictResolutions: [{ path, strategy: 'theirs' as const, value: settled }] }
    await agents.merge(AGENT, second ?? MAIN_BRANCH_ID, fitting)
    expect((await agents.testCases.read(AGENT, MAIN_BRANCH_ID, id)).turns).toEqual(settled)
  })

  test('TE1 they enter the version, and content without any has the version that it had', async () => {
    const settings = { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null }
    const bare = treeOf([
      parseResource('behavior', '', { behavior: 'Be kind.' }),
      parseResource('response_settings', '', settings),
    ])
    expect(contentHash(bare)).toBe('87415ef18446af095fbcd184cb3f8be2cf12a9186bddc54daae9e27de6080693')
    const { platform } = await createBench()
    const { agents } = platform
    const branch = await agents.createBranch(AGENT, { branchName: 'work' })
    const before = (await agents.merge(AGENT, branch.id)).deployment.version
    const { id } = await agents.testCases.create(AGENT, branch.id, aCase('Opening hours'))
    const tested = (await agents.merge(AGENT, branch.id)).deployment.version
    expect(tested).not.toBe(before)
    await agents.testCases.delete(AGENT, branch.id, id)
    expect((await agents.merge(AGENT, branch.id)).deployment.version).toBe(before)
  })

  test('TE2 a branch has room for 500', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const context = contextOf(platform)
    const branch = await agents.createBranch(AGENT, { branchName: 'many' })
    const many = Array.from({ length: 499 }, (_, at) =>
      parseResource('test_cases', `C${at}`, {
        ...aCase(`case ${at}`),
        functionResults: {},
        variantId: null,
        isActive: true,
      }),
    )
    await context.store.agents.branches.edit(1, { ...branch, version: 2 }, many)
    await agents.testCases.create(AGENT, branch.id, aCase('the last'))
    await expect(agents.testCases.create(AGENT, branch.id, aCase('one more'))).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: expect.stringContaining('500 test_cases'),
    })
  })

  test('TE2 an expectation that nobody knows is refused, so that no slip of the pen passes', async () => {
    const { platform } = await createBench()
    const branch = await platform.agents.createBranch(AGENT, { branchName: 'work' })
    const turns = JSON.parse('[{"text":"When?","expectations":{"contain":["yes"]}}]')
    const input = aCase('Opening hours', { turns })
    await expect(platform.agents.testCases.create(AGENT, branch.id, input)).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: expect.stringMatching(/expectations.*contain/),
    })
  })

  test('TE1 are active, for the default variant and without results; names are unique and free again', async () => {
    const { platform } = await createBench()
    const { testCases, createBranch } = platform.agents
    const branch = await createBranch(AGENT, { branchName: 'work' })
    const made = await testCases.create(AGENT, branch.id, aCase('b'))
    expect(made).toEqual({
      id: expect.stringMatching(/^TESTCASE-/),
      ...aCase('b'),
      functionResults: {},
      variantId: null,
      isActive: true,
    })
    await expect(testCases.create(AGENT, branch.id, aCase('b'))).rejects.toEqual(
      refusal('TEST_CASE_ALREADY_EXISTS'),
    )
    await testCases.create(AGENT, branch.id, aCase('a'))
    expect((await testCases.list(AGENT, branch.id)).map(({ name }) => name)).toEqual(['a', 'b'])
    await testCases.update(AGENT, branch.id, made.id, { name: 'c' })
    await testCases.create(AGENT, branch.id, aCase('b'))
    await testCases.delete(AGENT, branch.id, made.id)
    await expect(testCases.read(AGENT, branch.id, made.id)).rejects.toEqual(refusal('TEST_CASE_NOT_FOUND'))
    await expect(testCases.create(AGENT, MAIN_BRANCH_ID, aCase('d'))).rejects.toEqual(
      refusal('MAIN_BRANCH_READ_ONLY'),
    )
  })

  test('TE1 what a caller changes afterwards in what it has given changes nothing', async () => {
    const { platform } = await createBench()
    const branch = await platform.agents.createBranch(AGENT, { branchName: 'work' })
    const result = { nested: ['as it was'] }
    const input = aCase('a', { functionResults: { f: { result } } })
    const { id } = await platform.agents.testCases.create(AGENT, branch.id, input)
    result.nested[0] = 'changed'
    const read = await platform.agents.testCases.read(AGENT, branch.id, id)
    expect(read.functionResults).toEqual({ f: { result: { nested: ['as it was'] } } })
  })

  test('TE1 name a variant of the branch; one that goes leaves them as they are', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const branch = await agents.createBranch(AGENT, { branchName: 'work' })
    const other = await agents.createVariant(AGENT, branch.id, { name: 'other' })
    const unknown = agents.testCases.create(AGENT, branch.id, aCase('a', { variantId: 'VARIANT-none' }))
    await expect(unknown).rejects.toEqual(refusal('VARIANT_NOT_FOUND'))
    const { id } = await agents.testCases.create(AGENT, branch.id, aCase('a', { variantId: other.id }))
    await agents.deleteVariant(AGENT, branch.id, other.id)
    await agents.testCases.update(AGENT, branch.id, id, { name: 'b' })
    expect(await agents.testCases.read(AGENT, branch.id, id)).toMatchObject({
      variantId: other.id,
      name: 'b',
    })
  })

  test('TE1 where two variants become one, they name the one that stays', () => {
    const variant = (id: string, name: string, isDefault = false) =>
      parseResource('variants', id, { name, isDefault, attributeValues: {} })
    const base = [variant('V0', 'default', true)]
    const testCase = parseResource('test_cases', 'C1', {
      ...aCase('a'),
      functionResults: {},
      variantId: 'V-theirs',
      isActive: true,
    })
    const sides = {
      base: treeOf(base),
      ours: treeOf([...base, variant('V-ours', 'new')]),
      theirs: treeOf([...base, variant('V-theirs', 'new'), testCase]),
    }
    const resolutions = [{ path: ['variants', 'new'], strategy: 'theirs' as const }]
    const result = merge(sides, resolutions)
    expect(result.status).toBe('merged')
    if (result.status !== 'merged') return
    expect([...result.tree.keys()].sort()).toEqual(['test_cases/C1', 'variants/V-ours', 'variants/V0'])
    expect(result.tree.get('test_cases/C1')?.value).toMatchObject({ variantId: 'V-ours' })
  })

  test('TE1 also those that neither side changed', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const first = await agents.createBranch(AGENT, { branchName: 'first' })
    const { id: renamed } = await agents.createVariant(AGENT, first.id, { name: 'old' })
    const { id: testCase } = await agents.testCases.create(
      AGENT,
      first.id,
      aCase('a', { variantId: renamed }),
    )
    await agents.merge(AGENT, first.id)
    const second = await agents.createBranch(AGENT, { branchName: 'second' })
    await agents.updateVariant(AGENT, second.id, renamed, { name: 'new' })
    const { id: added } = await agents.createVariant(AGENT, first.id, { name: 'new' })
    await agents.merge(AGENT, first.id)
    const resolutions = [{ path: ['variants', 'new'], strategy: 'theirs' as const }]
    await agents.merge(AGENT, second.id, { conflictResolutions: resolutions })
    expect((await agents.variants(AGENT, MAIN_BRANCH_ID)).map(({ id }) => id)).not.toContain(renamed)
    expect((await agents.testCases.read(AGENT, MAIN_BRANCH_ID, testCase)).variantId).toBe(added)
  })
})
