import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Conflict, Difference, Resolution } from '../../src/domain/agent/conflict.ts'
import { type ContentTree, type ResourceKind, resourceKey } from '../../src/domain/agent/content.ts'
import { advanceContentHash, contentHash } from '../../src/domain/agent/content-hash.ts'
import { attributeOf, fieldsOf } from '../../src/domain/agent/fields.ts'
import {
  type MergeResult,
  type MergeSides,
  merge,
  previewMerge,
  RELATED_KINDS,
} from '../../src/domain/agent/merge.ts'
import {
  applyChanges,
  diff,
  isKind,
  isWrite,
  nameOf,
  parseResource,
  removal,
  sameResource,
  treeOf,
} from '../../src/domain/agent/tree.ts'
import {
  type ContentEdit,
  contentEdits,
  editContent,
  mergeSides,
  SOME_CONTENT,
} from '../../src/testing/arbitraries/index.ts'
import { faultsOf, plain } from '../support/contents.ts'
import { editsOf, lostEdits } from '../support/lost-edits.ts'

const RUNS = runs(150, 2_400)

const strategy = fc.constantFrom('ours', 'theirs', 'base')

/** Answers every conflict until none is left; later rounds see what earlier resolutions brought about. */
function answersTo(
  sides: MergeSides,
  choose: (conflict: Conflict) => Resolution['strategy'],
): readonly Resolution[] {
  const resolutions: Resolution[] = []
  for (let round = 0; round < 10; round++) {
    const result = merge(sides, resolutions)
    if (result.status !== 'conflicts') return resolutions
    resolutions.push(
      ...result.conflicts.map(conflict => ({ path: conflict.path, strategy: choose(conflict) })),
    )
  }
  throw new Error(`still conflicts after ten rounds: ${JSON.stringify(resolutions)}`)
}

const resolveAll = (sides: MergeSides, choose: (conflict: Conflict) => Resolution['strategy']): MergeResult =>
  merge(sides, answersTo(sides, choose))

const mergedTree = (result: MergeResult): ContentTree => {
  if (result.status !== 'merged') throw new Error(JSON.stringify(result))
  return result.tree
}

/** The sparse trees that a merge is given in earnest: what changed, and the related kinds when one of them was. */
function sparse({ base, ours, theirs }: MergeSides): MergeSides {
  const [main, branch] = [diff(base, ours), diff(base, theirs)]
  const keys = new Set([...main, ...branch].map(resourceKey))
  const isRelated = ({ kind }: { readonly kind: ResourceKind }) => RELATED_KINDS.includes(kind)
  const touched = [...main, ...branch].some(isRelated)
  const kept = [...base.values()].filter(one => keys.has(resourceKey(one)) || (touched && isRelated(one)))
  const tree = treeOf(kept)
  return { base: tree, ours: applyChanges(tree, main), theirs: applyChanges(tree, branch) }
}

const defaultOf = (tree: ContentTree) =>
  [...tree.values()].filter(isKind('variants')).find(one => one.value.isDefault)

/** What a merge did to main, a field at a time: the path and the new value, null where the field went. */
function doneTo({ base, ours, theirs }: MergeSides, merged: ContentTree): readonly string[] {
  const named = (key: string) => base.get(key) ?? ours.get(key) ?? theirs.get(key)
  const baseNames = new Set([...base.values()].filter(isKind('attributes')).map(({ value }) => value.name))
  const pathOf = (kind: string, name: string | null, field: string): readonly string[] => {
    if (kind === 'behavior') return [kind]
    if (name === null) return [kind, field]
    const attribute = attributeOf(field)
    if (attribute === null) return [kind, name, field]
    const known = named(`attributes/${attribute}`)
    const isTaken = known !== undefined && !base.has(resourceKey(known)) && baseNames.has(nameOf(known) ?? '')
    return [kind, name, 'attributeValues', (isTaken ? null : known && nameOf(known)) ?? attribute]
  }
  const fields = [...new Set([...ours.keys(), ...merged.keys()])].flatMap(key => {
    const [before, after, known] = [ours.get(key), merged.get(key), named(key)]
    const [old, now] = [before && fieldsOf(before), after && fieldsOf(after)]
    return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].flatMap(field => {
      const attribute = attributeOf(field)
      // A value that went with its attribute is told with the attribute.
      if (attribute !== null && !merged.has(`attributes/${attribute}`)) return []
      const value = now?.get(field) ?? null
      if (!known || JSON.stringify(old?.get(field) ?? null) === JSON.stringify(value)) return []
      return [JSON.stringify([pathOf(known.kind, nameOf(known), field), value])]
    })
  })
  const [before, after] = [defaultOf(ours), defaultOf(merged)]
  const name = after && nameOf(base.get(resourceKey(after)) ?? after)
  const moved = before?.id === after?.id ? [] : [JSON.stringify([['variants', name, 'isDefault'], true])]
  return [...fields, ...moved].sort()
}

const asText = (list: readonly unknown[]) => list.map(one => JSON.stringify(one)).sort()

describe('merges of random histories', () => {
  test('AG19 a preview without conflicts tells exactly what the merge then does to main', () => {
    let told = 0
    fc.assert(
      fc.property(mergeSides, sides => {
        const [preview, result] = [previewMerge(sides), merge(sides)]
        expect(preview.conflicts).toEqual(result.status === 'conflicts' ? result.conflicts : [])
        if (result.status !== 'merged') return
        told += preview.changes.length
        const changes = preview.changes.map(({ path, theirsValue }) => [path, theirsValue])
        expect(asText(changes)).toEqual(doneTo(sides, result.tree))
      }),
      { numRuns: RUNS },
    )
    expect(told).toBeGreaterThan(RUNS)
  })

  test('AG19 what main changed is told as it would be of a branch', () => {
    fc.assert(
      fc.property(mergeSides, sides => {
        // A value that goes with an attribute is told with the attribute, and the branch may have removed that.
        const removed = [...sides.base.values()].filter(one => !sides.theirs.has(resourceKey(one)))
        const names = new Set(removed.filter(isKind('attributes')).map(one => one.value.name))
        const kept = ({ path }: Difference) => path[2] !== 'attributeValues' || !names.has(path[3] ?? '')
        const main = previewMerge(sides).mainChanges.filter(kept)
        const turned = previewMerge({ base: sides.base, ours: sides.base, theirs: sides.ours })
        expect(asText(main.map(({ path, baseValue, oursValue }) => [path, baseValue, oursValue]))).toEqual(
          asText(
            turned.changes
              .filter(kept)
              .map(({ path, baseValue, theirsValue }) => [path, baseValue, theirsValue]),
          ),
        )
      }),
      { numRuns: RUNS },
    )
  })

  test('AG1 the histories keep the rules of content, or the properties below would mean little', () => {
    fc.assert(
      fc.property(mergeSides, ({ base, ours, theirs }) => {
        expect([base, ours, theirs].flatMap(faultsOf)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('AG1 two identical sides merge to either without a conflict', () => {
    fc.assert(
      fc.property(mergeSides, ({ base, ours }) => {
        expect(plain(mergedTree(merge({ base, ours, theirs: ours })))).toEqual(plain(ours))
      }),
      { numRuns: RUNS },
    )
  })

  test('AG1 a side that changed nothing merges to the other side', () => {
    fc.assert(
      fc.property(mergeSides, ({ base, ours, theirs }) => {
        expect(plain(mergedTree(merge({ base, ours, theirs: base })))).toEqual(plain(ours))
        expect(plain(mergedTree(merge({ base, ours: base, theirs })))).toEqual(plain(theirs))
      }),
      { numRuns: RUNS },
    )
  })

  test('AG1 sides that changed different things merge to the union without a conflict', () => {
    fc.assert(
      fc.property(contentEdits, contentEdits, contentEdits, (before, main, branch) => {
        const base = editContent(SOME_CONTENT, 'b', before)
        const ours = editContent(
          base,
          'o',
          main.filter(
            ({ verb, kind }) =>
              verb === 'behavior' || (kind === 'topics' && !/value|default|greeting/.test(verb)),
          ),
        )
        const theirs = editContent(
          base,
          't',
          branch.filter(
            ({ verb, kind }) =>
              /value|default|greeting/.test(verb) || (kind !== 'topics' && verb !== 'behavior'),
          ),
        )
        const union = applyChanges(ours, diff(base, theirs))
        expect(plain(mergedTree(merge({ base, ours, theirs })))).toEqual(plain(union))
      }),
      { numRuns: RUNS },
    )
  })

  /** What a merge loses when every conflict is settled like that; null when it is refused (AG5). */
  function lostBy(sides: MergeSides, choose: (conflict: Conflict) => Resolution['strategy']) {
    // Settling the first conflicts may bring up others: an edit may be in any of them.
    const conflicts: Conflict[] = []
    const result = resolveAll(sides, conflict => {
      conflicts.push(conflict)
      return choose(conflict)
    })
    return result.status === 'invalid' ? null : lostEdits(sides, mergedTree(result), conflicts)
  }

  test('AG1 every edit of either side is in the result or in a conflict', () => {
    let edited = 0
    fc.assert(
      fc.property(mergeSides, fc.infiniteStream(strategy), (sides, strategies) => {
        expect(lostBy(sides, () => 'ours')).toEqual([])
        expect(lostBy(sides, () => strategies.next().value ?? 'ours') ?? []).toEqual([])
        edited += editsOf(sides, 'ours').length + editsOf(sides, 'theirs').length
      }),
      { numRuns: RUNS },
    )
    expect(edited).toBeGreaterThan(RUNS)
  })

  test('AG1 the variant of a test case that became one with another is in the result as that one', () => {
    const edit = (verb: ContentEdit['verb'], kind: ContentEdit['kind'], pick: number, text: string) => ({
      ...{ verb, kind, pick, text },
    })
    const sides = {
      base: SOME_CONTENT,
      ours: editContent(SOME_CONTENT, 'o', [edit('add', 'variants', 0, 'home')]),
      theirs: editContent(SOME_CONTENT, 't', [
        edit('add', 'variants', 0, 'home'),
        edit('actions', 'test_cases', 2, 'home'),
      ]),
    }
    expect(sides.theirs.get('test_cases/C1')?.value).toMatchObject({ variantId: 't0' })
    const result = mergedTree(resolveAll(sides, () => 'ours'))
    expect(result.get('test_cases/C1')?.value).toMatchObject({ variantId: 'o0' })
    expect(lostBy(sides, () => 'ours')).toEqual([])
  })

  test('AG1 so it is where another variant has come to a disputed name that the first one had', () => {
    const variant = (id: string, name: string, attributeValues = {}) =>
      parseResource('variants', id, { name, isDefault: id === 'V0', attributeValues })
    const testCase = SOME_CONTENT.get('test_cases/C1')
    const sides = {
      base: SOME_CONTENT,
      ours: applyChanges(SOME_CONTENT, [variant('V0', 'default', { A1: 'ours' }), variant('O', 'south')]),
      theirs: applyChanges(SOME_CONTENT, [
        variant('V0', 'south', { A1: 'theirs' }),
        variant('V1', 'default', { A1: 'two', A2: 'x' }),
        parseResource('test_cases', 'C1', { ...testCase?.value, variantId: 'V0' }),
      ]),
    }
    const result = mergedTree(resolveAll(sides, () => 'theirs'))
    expect(result.has('variants/V0')).toBe(false)
    expect(result.get('test_cases/C1')?.value).toMatchObject({ variantId: 'O' })
    expect(lostBy(sides, () => 'theirs')).toEqual([])
  })

  test('AG1 and AG9 a default variant that comes back leaves its edits with the one that it was united with', () => {
    const variant = (id: string, name: string, isDefault: boolean, attributeValues: object) =>
      parseResource('variants', id, { name, isDefault, attributeValues })
    const sides = {
      base: SOME_CONTENT,
      ours: applyChanges(SOME_CONTENT, [
        variant('V0', 'default', false, { A1: 'one' }),
        variant('V1', 'north', true, { A1: 'two', A2: 'x' }),
      ]),
      theirs: applyChanges(SOME_CONTENT, [
        removal({ kind: 'variants', id: 'V1' }),
        variant('V0', 'north', true, { A1: 'one', A2: 'x' }),
      ]),
    }
    const choose = ({ path }: Conflict) => (path.at(-1) === 'isDefault' ? 'base' : 'theirs')
    const result = mergedTree(resolveAll(sides, choose))
    expect(result.get('variants/V0')?.value).toMatchObject({ name: 'default', isDefault: true })
    expect(result.get('variants/V1')?.value).toMatchObject({ attributeValues: { A1: 'one', A2: 'x' } })
    expect(lostBy(sides, choose)).toEqual([])
  })

  test('AG5 resolving every conflict for one side makes the merge succeed, with sound content', () => {
    fc.assert(
      fc.property(mergeSides, fc.constantFrom('ours', 'theirs'), (sides, side) => {
        const result = resolveAll(sides, () => side)
        expect(faultsOf(mergedTree(result))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('AG5 resolving every conflict for main keeps main where it was disputed and never fails', () => {
    fc.assert(
      fc.property(mergeSides, sides => {
        const result = mergedTree(resolveAll(sides, () => 'ours'))
        expect(faultsOf(result)).toEqual([])
        for (const [key, resource] of sides.ours) {
          const unopposed = sameResource(sides.base.get(key), sides.theirs.get(key))
          const found = result.get(key)
          // Which variant is the default is a field of the whole content, and the branch may have moved it unopposed.
          if (unopposed) expect(found && fieldsOf(found)).toEqual(fieldsOf(resource))
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('AG5 whatever the resolutions, the content is sound or the merge is refused with a reason', () => {
    fc.assert(
      fc.property(mergeSides, fc.infiniteStream(strategy), (sides, strategies) => {
        const result = resolveAll(sides, () => strategies.next().value ?? 'ours')
        if (result.status === 'invalid') expect(result.reason).toMatch(/default variant|under the name/)
        else expect(faultsOf(mergedTree(result))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('a merge of sparse trees does to main what a merge of whole trees does', () => {
    let united = 0
    const drawn = fc.tuple(mergeSides, fc.infiniteStream(strategy))
    fc.assert(
      fc.property(mergeSides, fc.infiniteStream(strategy), (sides, strategies) => {
        const few = sparse(sides)
        const resolutions = answersTo(sides, () => strategies.next().value ?? 'ours')
        for (const given of [[], resolutions]) {
          const [whole, part] = [merge(sides, given), merge(few, given)]
          if (whole.status === 'invalid' || part.status === 'invalid') {
            expect(part).toEqual(whole)
            continue
          }
          const conflicts = (result: typeof whole) =>
            result.status === 'conflicts' ? result.conflicts : null
          expect(conflicts(part)).toEqual(conflicts(whole))
          const changed = applyChanges(sides.ours, diff(few.ours, part.tree))
          expect(plain(changed)).toEqual(plain(whole.tree))
          united += [...sides.theirs.keys()].some(key => !whole.tree.has(key) && !sides.base.has(key)) ? 1 : 0
        }
      }),
      // Drawn with a seed, so that some are united for certain.
      { numRuns: RUNS, examples: fc.sample(drawn, { seed: 1, numRuns: 150 }) },
    )
    expect(united).toBeGreaterThan(0)
  })

  test('AG40 the content hash depends on the content alone, whatever its history', () => {
    fc.assert(
      fc.property(mergeSides, ({ base, ours, theirs }) => {
        const step = (from: ContentTree, to: ContentTree, hash: string) => {
          const changes = diff(from, to)
          const before = changes.flatMap(change => from.get(resourceKey(change)) ?? [])
          return advanceContentHash(hash, before, changes.filter(isWrite))
        }
        const detour = step(ours, theirs, step(base, ours, contentHash(base)))
        expect(detour).toBe(contentHash(theirs))
        expect(contentHash(ours) === contentHash(theirs)).toBe(diff(ours, theirs).length === 0)
      }),
      { numRuns: RUNS },
    )
  })
})
