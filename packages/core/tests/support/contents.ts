import { type ContentTree, resourceKey } from '../../src/domain/agent/content.ts'
import { isKind, nameOf } from '../../src/domain/agent/tree.ts'

const variantsOf = (tree: ContentTree) => [...tree.values()].filter(isKind('variants'))

/** A tree as plain data in a fixed order, for comparison. */
export const plain = (tree: ContentTree): unknown =>
  [...tree.values()].sort((a, b) => (resourceKey(a) < resourceKey(b) ? -1 : 1))

/** Everything that is wrong with a tree as the content of an agent; empty when it is sound. */
export function faultsOf(tree: ContentTree): readonly string[] {
  const names = [...tree.values()].map(resource => `${resource.kind}:${nameOf(resource) ?? resource.id}`)
  const defaults = variantsOf(tree).filter(variant => variant.value.isDefault).length
  const orphans = variantsOf(tree)
    .flatMap(variant => Object.keys(variant.value.attributeValues))
    .filter(id => !tree.has(`attributes/${id}`))
  return [
    ...(new Set(names).size === names.length ? [] : [`a name is taken twice: ${names}`]),
    ...(defaults === 1 ? [] : [`${defaults} default variants`]),
    ...orphans.map(id => `a value for the missing attribute ${id}`),
  ]
}
