import type { Json } from '../json.ts'
import type { ConflictResolver, FieldSides, Verdict } from './conflict.ts'
import type { ResourceKind } from './content.ts'
import { type Fields, parseField, sameField } from './fields.ts'

/** One resource on the three sides of a merge, and where its conflicts are noted. */
export interface ResourceSides {
  readonly kind: ResourceKind
  readonly base: Fields | null
  readonly ours: Fields | null
  readonly theirs: Fields | null
  /**
   * A field that counts as changed by the side that still has the resource when the other side removed it, although the
   * change is kept elsewhere: an attribute whose values changed, a variant that became the default.
   */
  readonly claim: { readonly field: string; readonly base: Json; readonly kept: Json } | null
  readonly resolver: ConflictResolver
  /** Fields that make no difference. */
  readonly dropped: ReadonlySet<string>
  path(field: string): readonly string[]
}

const settle = (resource: ResourceSides, field: string, sides: FieldSides): Verdict =>
  resource.resolver.settle(resource.path(field), sides, value => parseField(resource.kind, field, value))

const valueFor = (verdict: Verdict, sides: FieldSides): Json | undefined =>
  verdict.side === 'value' ? verdict.value : sides[verdict.side]

const sameFields = (a: Fields, b: Fields): boolean =>
  a.size === b.size && [...a].every(([field, value]) => sameField(value, b.get(field)))

const present = (entries: Iterable<readonly [string, Json | undefined]>): Fields =>
  new Map([...entries].flatMap(([field, value]) => (value === undefined ? [] : [[field, value] as const])))

/** Every field that any side has, on all three of them. */
const fieldSides = ({ base, ours, theirs }: ResourceSides): readonly (readonly [string, FieldSides])[] => {
  const names = new Set([base, ours, theirs].flatMap(fields => [...(fields?.keys() ?? [])]))
  return Array.from(names, field => [
    field,
    { base: base?.get(field), ours: ours?.get(field), theirs: theirs?.get(field) },
  ])
}

const isUntouched = ({ base, ours, theirs }: FieldSides): boolean =>
  sameField(ours, base) && sameField(theirs, base)

/** Merges one resource by field; null when it is not to be (contract/agents.md, Merge). */
export function mergeFields(resource: ResourceSides): Fields | null {
  const { base, ours, theirs } = resource
  const fields = fieldSides(resource)
  for (const [field, sides] of fields)
    if (!isUntouched(sides) && !resource.dropped.has(field))
      resource.resolver.note(resource.path(field), sides)
  if (base === null) {
    if (ours === null || theirs === null) return ours ?? theirs
    return sameFields(ours, theirs) ? ours : mergeAdded(resource, ours, theirs).fields
  }
  if (ours !== null && theirs !== null) return mergeChanged(resource, fields)
  const kept = ours ?? theirs
  return kept === null ? null : mergeRemoved(resource, base, kept, ours === null ? 'ours' : 'theirs')
}

function mergeChanged(resource: ResourceSides, fields: readonly (readonly [string, FieldSides])[]): Fields {
  const merged = fields.map(([field, sides]): readonly [string, Json | undefined] => {
    if (sameField(sides.ours, sides.theirs) || sameField(sides.theirs, sides.base)) return [field, sides.ours]
    if (sameField(sides.ours, sides.base)) return [field, sides.theirs]
    return [field, valueFor(settle(resource, field, sides), sides)]
  })
  return present(merged)
}

/**
 * One side removed the resource. It stays when any of the other side's changes is settled in favour of something that
 * is there; a field settled in favour of the removal then keeps its base value.
 */
function mergeRemoved(
  resource: ResourceSides,
  base: Fields,
  kept: Fields,
  remover: 'ours' | 'theirs',
): Fields | null {
  const names = new Set([...base.keys(), ...kept.keys()])
  const changed = new Map<string, readonly [Json | undefined, Json | undefined]>()
  for (const field of names) {
    if (!sameField(base.get(field), kept.get(field))) changed.set(field, [base.get(field), kept.get(field)])
  }
  const { claim } = resource
  if (claim && !changed.has(claim.field)) changed.set(claim.field, [claim.base, claim.kept])
  const verdicts = [...changed].map(([field, [before, after]]) => {
    const sides: FieldSides =
      remover === 'ours'
        ? { base: before, ours: undefined, theirs: after }
        : { base: before, ours: after, theirs: undefined }
    return { field, sides, verdict: settle(resource, field, sides) }
  })
  if (verdicts.every(({ verdict }) => verdict.side === remover)) return null
  const picked = verdicts
    .filter(({ field, verdict }) => verdict.side !== remover && field !== 'isDefault')
    .map(({ field, verdict, sides }) => [field, valueFor(verdict, sides)] as const)
  // A field may be settled in favour of its removal: it then overlays the base's, and goes.
  return present(new Map<string, Json | undefined>([...base, ...picked]))
}

/** One resource made of two. */
export interface MergedAddition {
  /** Null when neither is to be. */
  readonly fields: Fields | null
  /** The side for which every conflict was settled; null when they were settled for several. */
  readonly side: Verdict['side'] | null
  /** The fields that were in conflict. */
  readonly disputed: ReadonlySet<string>
}

/**
 * Both sides have a resource under one name that the base does not know: one resource is made of them, and every field
 * that differs is a conflict; when none does, the name itself is. Settled for `base` throughout, neither is to be.
 */
export function mergeAdded(resource: ResourceSides, ours: Fields, theirs: Fields): MergedAddition {
  const names = [...new Set([...ours.keys(), ...theirs.keys()])]
  const differing = names.filter(field => !sameField(ours.get(field), theirs.get(field)))
  const verdicts = new Map(
    (differing.length > 0 ? differing : ['name']).map(field => {
      const sides: FieldSides = { base: undefined, ours: ours.get(field), theirs: theirs.get(field) }
      return [field, { sides, verdict: settle(resource, field, sides) }] as const
    }),
  )
  const [first, ...others] = new Set([...verdicts.values()].map(({ verdict }) => verdict.side))
  const side = first === undefined || others.length > 0 ? null : first
  const disputed = new Set(verdicts.keys())
  if (side === 'base') return { fields: null, side, disputed }
  const merged = names.map((field): readonly [string, Json | undefined] => {
    const settled = verdicts.get(field)
    if (!settled || settled.verdict.side === 'base') return [field, ours.get(field)]
    return [field, valueFor(settled.verdict, settled.sides)]
  })
  return { fields: present(merged), side, disputed }
}
