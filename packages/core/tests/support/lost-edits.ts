import type { Conflict } from '../../src/domain/agent/conflict.ts'
import {
  type ContentTree,
  type Resource,
  type ResourceKind,
  resourceKey,
} from '../../src/domain/agent/content.ts'
import { attributeOf, fieldsOf } from '../../src/domain/agent/fields.ts'
import type { MergeSides } from '../../src/domain/agent/merge.ts'
import { diff, isWrite, nameOf } from '../../src/domain/agent/tree.ts'

/** What a side did to one field of a resource; without a field, it removed the resource. */
interface FieldEdit {
  readonly side: 'ours' | 'theirs'
  readonly kind: ResourceKind
  readonly key: string
  readonly field: string | null
  readonly value: unknown
}

/** Every single edit of a side. */
export const editsOf = (sides: MergeSides, side: FieldEdit['side']): readonly FieldEdit[] =>
  diff(sides.base, sides[side]).flatMap((change): readonly FieldEdit[] => {
    const [key, kind] = [resourceKey(change), change.kind]
    if (!isWrite(change)) return [{ side, kind, key, field: null, value: undefined }]
    const before = sides.base.get(key)
    const [old, now] = [before ? fieldsOf(before) : new Map<string, unknown>(), fieldsOf(change)]
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter(field => !same(old.get(field), now.get(field)))
      .map(field => ({ side, kind, key, field, value: now.get(field) }))
  })

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The edits that are neither in the outcome of a merge nor in a conflict that was met on the way there (AG1). */
export function lostEdits(
  sides: MergeSides,
  outcome: ContentTree,
  conflicts: readonly Conflict[],
): readonly FieldEdit[] {
  const starts = new Set(
    conflicts.flatMap(({ path }) => path.map((_, at) => JSON.stringify(path.slice(0, at + 1)))),
  )
  /** A conflict stands there, or below. */
  const disputed = (...path: readonly string[]): boolean => starts.has(JSON.stringify(path))
  const everySide = (key: string): readonly Resource[] =>
    [sides.base, sides.ours, sides.theirs].flatMap(tree => tree.get(key) ?? [])
  const namesOf = (resources: readonly (Resource | undefined)[]): readonly string[] =>
    resources.flatMap(one => (one && nameOf(one)) ?? [])
  const named = (kind: ResourceKind, name: string | null): Resource | undefined =>
    [...outcome.values()].find(one => one.kind === kind && nameOf(one) === name)

  /** What a resource may have become part of: those of its names, where a conflict told so (AG11). */
  const heirsOf = (kind: ResourceKind, key: string): readonly Resource[] =>
    namesOf([sides.ours.get(key), sides.theirs.get(key)])
      .filter(name => disputed(kind, name))
      .flatMap(name => named(kind, name) ?? [])

  function isKept({ kind, key, field, value }: FieldEdit, side: ContentTree): boolean {
    const names = namesOf(everySide(key))
    const found = outcome.get(key)
    if (nameOf(found ?? everySide(key)[0] ?? never(key)) === null)
      return (
        same(found && fieldsOf(found).get(field ?? ''), value) ||
        disputed(kind, ...(kind === 'behavior' ? [] : [field ?? '']))
      )
    const before = sides.base.get(key)
    const wasDefault = before?.kind === 'variants' && before.value.isDefault
    if (field === null) {
      // Whether the old default may go depends on which one takes its place (AG9).
      const held = wasDefault && disputed('variants')
      return found === undefined || names.some(name => disputed(kind, name)) || held
    }
    const attribute = attributeOf(field)
    const attributes = attribute === null ? [] : namesOf(everySide(`attributes/${attribute}`))
    if (attributes.some(name => disputed('attributes', name))) return true
    // The old default may come back beside the one that it became part of (AG9).
    const heirs = found === undefined || wasDefault ? heirsOf(kind, key) : []
    const present = found === undefined ? heirs : [found, ...heirs]
    if (present.length === 0) {
      // A value that went with its attribute is no edit of the variant, which the other side may remove.
      const went = attribute !== null && !side.has(`attributes/${attribute}`)
      return went || names.some(name => disputed(kind, name))
    }
    const kept = present.map(one => fieldsOf(one).get(field))
    if (kept.some(one => same(one, value))) return true
    const allNames = [...names, ...namesOf(present)]
    if (attribute !== null) {
      const gone = value === undefined && !outcome.has(`attributes/${attribute}`)
      const at = (name: string) => attributes.some(other => disputed(kind, name, 'attributeValues', other))
      return gone || allNames.some(at)
    }
    if (field === 'variantId' && typeof value === 'string' && !outcome.has(`variants/${value}`))
      if (heirsOf('variants', `variants/${value}`).some(({ id }) => kept.includes(id))) return true
    return allNames.some(name => disputed(kind, name, ...(field === 'name' ? [] : [field])))
  }

  return (['ours', 'theirs'] as const).flatMap(side =>
    editsOf(sides, side).filter(edit => !isKept(edit, sides[side])),
  )
}

const never = (key: string): never => {
  throw new Error(`No side has ${key}`)
}
