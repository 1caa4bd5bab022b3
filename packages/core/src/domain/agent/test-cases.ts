import type { ContentTree } from './content.ts'
import type { MergedKind, MergeSides } from './merge-kind.ts'
import { isKind, type ResourceOf } from './tree.ts'

/** Returns the active test cases among resources, by name: what a run of the content has to go through. */
export const activeTestCases = (
  resources: Iterable<ResourceOf<'test_cases'>>,
): readonly ResourceOf<'test_cases'>[] =>
  [...resources].filter(({ value }) => value.isActive).sort((a, b) => (a.value.name < b.value.name ? -1 : 1))

/** Changes the variant of test cases if it became one with another: they name the one that stays. */
export function alignTestCases(sides: MergeSides, united: MergedKind['united']): MergeSides {
  if (united.size === 0) return sides
  const align = (tree: ContentTree): ContentTree =>
    new Map([
      ...tree,
      ...[...tree.values()].filter(isKind('test_cases')).map(testCase => {
        const { variantId } = testCase.value
        const aligned = variantId === null ? null : (united.get(variantId) ?? variantId)
        return [
          `test_cases/${testCase.id}`,
          { ...testCase, value: { ...testCase.value, variantId: aligned } },
        ] as const
      }),
    ])
  return { base: align(sides.base), ours: align(sides.ours), theirs: align(sides.theirs) }
}
