import { describe, expect, test } from 'vitest'
import type { Resolution } from '../../src/domain/agent/conflict.ts'
import type { ContentTree, ResourceChange, Topic } from '../../src/domain/agent/content.ts'
import { type MergeResult, merge, previewMerge } from '../../src/domain/agent/merge.ts'
import { applyChanges, parseResource, removal } from '../../src/domain/agent/tree.ts'
import { SOME_CONTENT } from '../../src/testing/arbitraries/index.ts'
import { faultsOf } from '../support/contents.ts'

const topic = (id: string, value: Partial<Topic>) =>
  parseResource('topics', id, {
    name: id,
    content: `About ${id}`,
    actions: '',
    exampleQueries: [],
    isActive: true,
    ...value,
  })

const variant = (id: string, name: string, isDefault: boolean, attributeValues = {}) =>
  parseResource('variants', id, { name, isDefault, attributeValues })

const north = (value: Partial<Topic>) => topic('T1', { name: 'north', content: 'About north', ...value })

const mergeOf = (
  ours: readonly ResourceChange[],
  theirs: readonly ResourceChange[],
  resolutions: readonly Resolution[] = [],
): MergeResult =>
  merge(
    {
      base: SOME_CONTENT,
      ours: applyChanges(SOME_CONTENT, ours),
      theirs: applyChanges(SOME_CONTENT, theirs),
    },
    resolutions,
  )

const treeOf = (result: MergeResult): ContentTree => {
  if (result.status !== 'merged') throw new Error(JSON.stringify(result))
  expect(faultsOf(result.tree)).toEqual([])
  return result.tree
}

const conflictsOf = (result: MergeResult) => (result.status === 'conflicts' ? result.conflicts : [])
const reasonOf = (result: MergeResult) => (result.status === 'invalid' ? result.reason : '')
const valueAt = (result: MergeResult, key: string): unknown => treeOf(result).get(key)?.value

describe('previews', () => {
  const previewOf = (ours: readonly ResourceChange[], theirs: readonly ResourceChange[]) =>
    previewMerge({
      base: SOME_CONTENT,
      ours: applyChanges(SOME_CONTENT, ours),
      theirs: applyChanges(SOME_CONTENT, theirs),
    })

  test('AG19 values of an attribute that main removed are no change of the branch', () => {
    const withoutIt = [
      removal({ kind: 'attributes', id: 'A1' }),
      variant('V0', 'default', true),
      variant('V1', 'north', false, { A2: 'x' }),
    ]
    const { changes, mainChanges } = previewOf(withoutIt, [removal({ kind: 'variants', id: 'V1' })])
    expect(changes.map(({ path }) => path.join('/'))).toEqual([
      'variants/north/name',
      'variants/north/attributeValues/south',
    ])
    expect(mainChanges.map(({ path, type }) => [...path, type])).toEqual([
      ['attributes', 'north', 'name', 'delete'],
    ])
  })

  test('AG19 a value is told where main gave the old name of its attribute to another one', () => {
    const attribute = (id: string, name: string) => parseResource('attributes', id, { name })
    const base = applyChanges(SOME_CONTENT, [attribute('A9', 'pier'), variant('V0', 'default', true)])
    const ours = applyChanges(base, [
      attribute('A9', 'home'),
      attribute('o9', 'pier'),
      variant('V0', 'default', true, { o9: 'north' }),
    ])
    const theirs = applyChanges(base, [variant('V0', 'default', true, { A9: 'north' })])
    expect(previewMerge({ base, ours, theirs }).changes).toEqual([
      expect.objectContaining({
        path: ['variants', 'default', 'attributeValues', 'pier'],
        theirsValue: 'north',
      }),
    ])
  })

  test('AG19 additions of both sides under one name are one difference', () => {
    const { changes, mainChanges, conflicts } = previewOf(
      [topic('T8', { name: 'east', content: 'ours' })],
      [topic('T9', { name: 'east', content: 'theirs' })],
    )
    const added = { baseValue: null, oursValue: 'ours', theirsValue: 'theirs', type: 'add' }
    expect(conflicts).toEqual([{ path: ['topics', 'east', 'content'], ...added }])
    expect(changes).toEqual(conflicts)
    expect(mainChanges).toContainEqual(conflicts[0])
  })

  test('AG19 a topic that was removed and added again is told as both', () => {
    const again = [removal({ kind: 'topics', id: 'T1' }), topic('T9', { name: 'north', content: 'new' })]
    const told = previewOf([], again).changes.filter(({ path }) => path[2] === 'content')
    expect(told.map(({ oursValue, theirsValue, type }) => [oursValue, theirsValue, type])).toEqual([
      ['About north', null, 'delete'],
      [null, 'new', 'add'],
    ])
  })
})

describe('merge', () => {
  test('AG1 different fields of one topic merge', () => {
    const result = mergeOf([north({ content: 'ours' })], [north({ actions: 'theirs' })])
    expect(valueAt(result, 'topics/T1')).toMatchObject({ content: 'ours', actions: 'theirs' })
  })

  test('AG1 values of different attributes of one variant merge', () => {
    const result = mergeOf(
      [variant('V1', 'north', false, { A1: 'ours', A2: 'x' })],
      [variant('V1', 'north', false, { A1: 'two', A2: 'theirs' })],
    )
    expect(valueAt(result, 'variants/V1')).toMatchObject({ attributeValues: { A1: 'ours', A2: 'theirs' } })
  })

  test('AG9 two changes of one field are a conflict in exactly this shape', () => {
    const result = mergeOf([north({ content: 'ours' })], [north({ content: 'theirs' })])
    expect(result).toMatchObject({
      status: 'conflicts',
      conflicts: [
        {
          path: ['topics', 'north', 'content'],
          baseValue: 'About north',
          oursValue: 'ours',
          theirsValue: 'theirs',
          type: 'modify',
        },
      ],
    })
  })

  test('AG9 the paths of what exists once, and of variant values', () => {
    const result = mergeOf(
      [
        parseResource('behavior', '', { behavior: 'ours' }),
        parseResource('response_settings', '', { ...SETTINGS, greeting: 'ours' }),
        variant('V0', 'default', true, { A1: 'ours' }),
      ],
      [
        parseResource('behavior', '', { behavior: 'theirs' }),
        parseResource('response_settings', '', { ...SETTINGS, greeting: 'theirs' }),
        variant('V0', 'default', true, { A1: 'theirs' }),
      ],
    )
    expect(conflictsOf(result).map(({ path }) => path)).toEqual([
      ['variants', 'default', 'attributeValues', 'north'],
      ['behavior'],
      ['response_settings', 'greeting'],
    ])
  })

  test('AG9 a change against a removal is a conflict of type delete', () => {
    const result = mergeOf([removal({ kind: 'topics', id: 'T1' })], [north({ content: 'theirs' })])
    expect(conflictsOf(result)).toEqual([
      {
        path: ['topics', 'north', 'content'],
        baseValue: 'About north',
        oursValue: null,
        theirsValue: 'theirs',
        type: 'delete',
      },
    ])
    const turned = mergeOf([north({ content: 'ours' })], [removal({ kind: 'topics', id: 'T1' })])
    expect(conflictsOf(turned)).toMatchObject([{ oursValue: 'ours', theirsValue: null, type: 'delete' }])
  })

  test.each([
    ['ours', undefined],
    ['theirs', 'theirs'],
    ['base', 'About north'],
  ] as const)('AG9 settled for %s', (strategy, content) => {
    const path = ['topics', 'north', 'content']
    const sides = [[removal({ kind: 'topics', id: 'T1' })], [north({ content: 'theirs' })]] as const
    const found = treeOf(mergeOf(...sides, [{ path, strategy }])).get('topics/T1')
    expect(found?.kind === 'topics' ? found.value.content : undefined).toBe(content)
  })

  test('AG9 a removal of what the other side left alone is no conflict', () => {
    const result = mergeOf(
      [removal({ kind: 'topics', id: 'T1' })],
      [topic('T2', { name: 'south', content: 'new' })],
    )
    expect(treeOf(result).has('topics/T1')).toBe(false)
  })

  const added = [
    [topic('O', { name: 'bar', content: 'ours' })],
    [topic('T', { name: 'bar', content: 'theirs' })],
  ] as const

  test('AG11 two topics added under one name are a conflict of type add', () => {
    expect(conflictsOf(mergeOf(...added))).toEqual([
      {
        path: ['topics', 'bar', 'content'],
        baseValue: null,
        oursValue: 'ours',
        theirsValue: 'theirs',
        type: 'add',
      },
    ])
  })

  test.each([
    ['ours', 'ours'],
    ['theirs', 'theirs'],
  ] as const)('AG11 settled for %s, one stays with the id of main', (strategy, content) => {
    const result = mergeOf(...added, [{ path: ['topics', 'bar', 'content'], strategy }])
    expect(valueAt(result, 'topics/O')).toMatchObject({ name: 'bar', content })
    expect(treeOf(result).has('topics/T')).toBe(false)
  })

  test('AG11 settled for base, neither stays', () => {
    const tree = treeOf(mergeOf(...added, [{ path: ['topics', 'bar'], strategy: 'base' }]))
    expect(tree.has('topics/O') || tree.has('topics/T')).toBe(false)
  })

  test('AG1 and AG11 settled for base, a renamed topic goes back to its name and keeps what nobody disputed', () => {
    const ours = [north({ name: 'bar', content: 'new', actions: 'ours' })]
    const theirs = [topic('T', { name: 'bar', content: 'new', actions: 'theirs' })]
    expect(conflictsOf(mergeOf(ours, theirs)).map(({ path }) => path)).toEqual([['topics', 'bar', 'actions']])
    const result = mergeOf(ours, theirs, [{ path: ['topics', 'bar', 'actions'], strategy: 'base' }])
    expect(valueAt(result, 'topics/T1')).toMatchObject({ name: 'north', content: 'new', actions: '' })
    expect(treeOf(result).has('topics/T')).toBe(false)
  })

  test('AG5, AG14 an answer to a conflict that another answer of its round made go away is no stray one', () => {
    const ours = [
      removal({ kind: 'attributes', id: 'A2' }),
      parseResource('attributes', 'A1', { name: 'east' }),
      variant('V1', 'north', false, { A1: 'y' }),
    ]
    const theirs = [parseResource('attributes', 'A2', { name: 'east' })]
    const resolutions: Resolution[] = []
    const rounds: string[][] = []
    for (;;) {
      const result = mergeOf(ours, theirs, resolutions)
      if (result.status !== 'conflicts') break
      rounds.push(result.conflicts.map(({ path }) => path.join('/')))
      resolutions.push(...result.conflicts.map(({ path }) => ({ path, strategy: 'theirs' }) as const))
    }
    expect(rounds).toEqual([
      ['attributes/south/name'],
      ['attributes/east/name', 'variants/north/attributeValues/north'],
    ])
    const result = mergeOf(ours, theirs, resolutions)
    expect(valueAt(result, 'attributes/A1')).toEqual({ name: 'north' })
    expect(valueAt(result, 'attributes/A2')).toEqual({ name: 'east' })
    const nowhere = { path: ['variants', 'default', 'attributeValues', 'north'], strategy: 'theirs' } as const
    expect(reasonOf(mergeOf(ours, theirs, [...resolutions, nowhere]))).toMatch(/no conflict at .*"default"/)
  })

  test('AG11 two equal additions under one name conflict in the name', () => {
    const equal = (id: string) => [parseResource('attributes', id, { name: 'bar' })]
    expect(conflictsOf(mergeOf(equal('O'), equal('T')))).toEqual([
      {
        path: ['attributes', 'bar', 'name'],
        baseValue: null,
        oursValue: 'bar',
        theirsValue: 'bar',
        type: 'add',
      },
    ])
  })

  test('AG11 values of united attributes stand under the one that stays', () => {
    const add = (id: string, variantId: string, name: string, value: string) => [
      parseResource('attributes', id, { name: 'bar' }),
      variant(variantId, name, false, { [id]: value }),
    ]
    const resolutions = [{ path: ['attributes', 'bar', 'name'], strategy: 'theirs' }] as const
    const result = mergeOf(add('O', 'VO', 'left', '1'), add('T', 'VT', 'right', '2'), resolutions)
    expect(valueAt(result, 'variants/VO')).toMatchObject({ attributeValues: { O: '1' } })
    expect(valueAt(result, 'variants/VT')).toMatchObject({ attributeValues: { O: '2' } })
  })

  test('AG11 values follow where an attribute is united with one that is then united with a third', () => {
    const ours = [
      parseResource('attributes', 'A2', { name: 'bar' }),
      parseResource('attributes', 'P', { name: 'baz' }),
    ]
    const theirs = [
      parseResource('attributes', 'A2', { name: 'baz' }),
      parseResource('attributes', 'T', { name: 'bar' }),
      variant('VT', 'right', false, { T: 'kept' }),
    ]
    const resolutions = [
      { path: ['attributes', 'south', 'name'], strategy: 'ours' },
      { path: ['attributes', 'bar', 'name'], strategy: 'theirs', value: 'baz' },
      { path: ['attributes', 'baz', 'name'], strategy: 'theirs' },
    ] as const
    const result = mergeOf(ours, theirs, resolutions)
    expect(valueAt(result, 'attributes/P')).toEqual({ name: 'baz' })
    expect(valueAt(result, 'variants/VT')).toMatchObject({ attributeValues: { P: 'kept' } })
  })

  test('AG11 main keeps a topic whose new name on the branch was settled for main', () => {
    const ours = [topic('O', { name: 'bar', content: 'ours' })]
    const result = mergeOf(ours, [north({ name: 'bar' })], [{ path: ['topics', 'bar'], strategy: 'ours' }])
    expect(valueAt(result, 'topics/T1')).toMatchObject({ name: 'north' })
    expect(valueAt(result, 'topics/O')).toMatchObject({ name: 'bar', content: 'ours' })
  })

  test.each([[['bar', 'baz']], [['baz', 'bar']]])(
    'AG11 names shared at once, in the order %s, are settled before one of them is given away',
    names => {
      const add = (side: string) =>
        names.map(name => topic(`${side}-${name}`, { name, content: name === 'bar' ? side : 'same' }))
      const resolutions = [
        { path: ['topics', 'bar', 'content'], strategy: 'base' },
        { path: ['topics', 'baz', 'name'], strategy: 'theirs', value: 'bar' },
      ] as const
      const result = mergeOf(add('O'), add('T'), resolutions)
      expect(valueAt(result, 'topics/O-baz')).toMatchObject({ name: 'bar', content: 'same' })
      for (const gone of ['O-bar', 'T-bar', 'T-baz']) expect(treeOf(result).has(`topics/${gone}`)).toBe(false)
    },
  )

  test('AG9 a value that main took away stays away when that is settled for main, although the branch removed the variant', () => {
    const ours = [variant('V1', 'north', false, { A2: 'x' })]
    const path = ['variants', 'north', 'attributeValues', 'north']
    const result = mergeOf(ours, [removal({ kind: 'variants', id: 'V1' })], [{ path, strategy: 'ours' }])
    const kept = { name: 'north', isDefault: false, attributeValues: { A2: 'x' } }
    expect(valueAt(result, 'variants/V1')).toEqual(kept)
  })

  const moved = (id: 'V1' | 'V2') => [
    variant('V0', 'default', false, { A1: 'one' }),
    variant('V1', 'north', id === 'V1', { A1: 'two', A2: 'x' }),
    variant('V2', 'west', id === 'V2'),
  ]

  test('AG9 a default moved by both sides to different variants is a conflict', () => {
    const base = applyChanges(SOME_CONTENT, [variant('V2', 'west', false)])
    const sides = { base, ours: applyChanges(base, moved('V1')), theirs: applyChanges(base, moved('V2')) }
    const path = ['variants', 'west', 'isDefault']
    expect(conflictsOf(merge(sides))).toEqual([
      { path, baseValue: false, oursValue: false, theirsValue: true, type: 'modify' },
    ])
    const defaultAfter = (strategy: Resolution['strategy']) =>
      [...treeOf(merge(sides, [{ path, strategy }])).values()].find(
        ({ kind, value }) => kind === 'variants' && 'isDefault' in value && value.isDefault,
      )?.id
    expect([defaultAfter('ours'), defaultAfter('theirs'), defaultAfter('base')]).toEqual(['V1', 'V2', 'V0'])
  })

  test('AG9 a default moved by one side holds', () => {
    const result = mergeOf([], [variant('V0', 'default', false, { A1: 'one' }), variant('V1', 'north', true)])
    expect(valueAt(result, 'variants/V1')).toMatchObject({ isDefault: true })
  })

  const defaultMovedToV1 = [
    variant('V0', 'default', false, { A1: 'one' }),
    variant('V1', 'north', true, { A1: 'two', A2: 'x' }),
  ]
  const defaultReplaced = [removal({ kind: 'variants', id: 'V0' }), ...defaultMovedToV1.slice(1)]
  const withoutV1 = [removal({ kind: 'variants', id: 'V1' })]
  const isDefaultOfV1 = ['variants', 'north', 'isDefault']

  test.each([
    ['main', withoutV1, defaultReplaced, 'ours'],
    ['the branch', defaultReplaced, withoutV1, 'theirs'],
  ] as const)('AG9 the old default stays when what took its place is settled to go, by %s', (...given) => {
    const [, ours, theirs, strategy] = given
    expect(conflictsOf(mergeOf(ours, theirs)).map(({ path }) => path)).toEqual([isDefaultOfV1])
    const result = mergeOf(ours, theirs, [{ path: isDefaultOfV1, strategy }])
    expect(valueAt(result, 'variants/V0')).toMatchObject({ isDefault: true })
    expect(treeOf(result).has('variants/V1')).toBe(false)
  })

  test('AG9 a variant that is settled to stay, but not as the default, is not the default', () => {
    const result = mergeOf(defaultMovedToV1, withoutV1, [{ path: isDefaultOfV1, strategy: 'base' }])
    expect(valueAt(result, 'variants/V0')).toMatchObject({ isDefault: true })
    expect(valueAt(result, 'variants/V1')).toMatchObject({ isDefault: false })
  })

  const withoutA1 = [
    removal({ kind: 'attributes', id: 'A1' }),
    variant('V0', 'default', true),
    variant('V1', 'north', false, { A2: 'x' }),
  ]

  test('AG9 a removed attribute that got a value meanwhile is a conflict; kept, it has all its values', () => {
    const given = [variant('V0', 'default', true, { A1: 'theirs' })]
    expect(conflictsOf(mergeOf(withoutA1, given))).toEqual([
      {
        path: ['attributes', 'north', 'name'],
        baseValue: 'north',
        oursValue: null,
        theirsValue: 'north',
        type: 'delete',
      },
    ])
    const path = ['attributes', 'north', 'name']
    const kept = mergeOf(withoutA1, given, [{ path, strategy: 'theirs' }])
    expect(valueAt(kept, 'variants/V0')).toMatchObject({ attributeValues: { A1: 'theirs' } })
    expect(valueAt(kept, 'variants/V1')).toMatchObject({ attributeValues: { A1: 'two', A2: 'x' } })
    const gone = mergeOf(withoutA1, given, [{ path, strategy: 'ours' }])
    expect(valueAt(gone, 'variants/V0')).toMatchObject({ attributeValues: {} })
  })

  test('AG9 a removed attribute that nobody touched takes its values along', () => {
    const result = mergeOf([north({ content: 'ours' })], withoutA1)
    expect(valueAt(result, 'variants/V1')).toMatchObject({ attributeValues: { A2: 'x' } })
  })

  const bothContent = [[north({ content: 'ours' })], [north({ content: 'theirs' })]] as const
  const content = ['topics', 'north', 'content']

  test('AG14 a value replaces the text of the branch', () => {
    const result = mergeOf(...bothContent, [{ path: content, strategy: 'theirs', value: 'agreed' }])
    expect(valueAt(result, 'topics/T1')).toMatchObject({ content: 'agreed' })
  })

  test('AG14 a longer path wins over a shorter one', () => {
    const ours = [north({ content: 'ours', actions: 'ours' })]
    const theirs = [north({ content: 'theirs', actions: 'theirs' })]
    const result = mergeOf(ours, theirs, [
      { path: ['topics', 'north'], strategy: 'ours' },
      { path: content, strategy: 'theirs' },
    ])
    expect(valueAt(result, 'topics/T1')).toMatchObject({ content: 'theirs', actions: 'ours' })
  })

  test.each<[string, Resolution[], RegExp]>([
    ['no conflict', [{ path: ['topics', 'south', 'content'], strategy: 'ours' }], /no conflict at .*south/],
    ['a longer path', [{ path: [...content, 'x'], strategy: 'ours' }], /no conflict at/],
    [
      'the same path twice',
      [
        { path: content, strategy: 'ours' },
        { path: content, strategy: 'theirs' },
      ],
      /same path/,
    ],
    ['a value for main', [{ path: content, strategy: 'ours', value: 'x' }], /"theirs" alone/],
    ['a value of a wrong type', [{ path: content, strategy: 'theirs', value: 7 }], /does not fit/],
    ['an empty value', [{ path: content, strategy: 'theirs', value: '' }], /does not fit/],
    ['a value for several', [{ path: ['topics', 'north'], strategy: 'theirs', value: 'x' }], /does not fit/],
  ])('AG14 refused: %s', (_, resolutions, reason) => {
    expect(reasonOf(mergeOf(...bothContent, resolutions))).toMatch(reason)
  })

  test('AG5 a value that gives a name which another topic has is refused', () => {
    const path = ['topics', 'north', 'name']
    const value = 'south'
    const result = mergeOf(
      [north({ name: 'a' })],
      [north({ name: 'b' })],
      [{ path, strategy: 'theirs', value }],
    )
    expect(reasonOf(result)).toMatch(/two topics under the name "south"/)
  })
})

const SETTINGS = { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null }
