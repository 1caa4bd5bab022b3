import { testCaseSchema } from '../../../packages/core/src/domain/agent/test-case.ts'
import {
  type Conflict,
  type ConflictResolver,
  createConflictResolver,
  type Resolution,
  type Settlement,
  type Three,
} from './conflict-resolver.ts'
import {
  attributeOfField,
  type Content,
  type Fields,
  idOfName,
  type Shelf,
  type ShelfKind,
  same,
  type Value,
  valueField,
  withEntry,
  without,
  withoutValues,
} from './content.ts'

/** Result of a merge that the model expects. */
export type Expected =
  | { readonly status: 'merged'; readonly content: Content }
  | { readonly status: 'conflicts'; readonly conflicts: readonly Conflict[] }
  | { readonly status: 'invalid' }

/**
 * The outcome for one kind: what is left, which of the branch's ids became one with main's, whose default was denied.
 */
interface MergedShelf {
  readonly shelf: Shelf
  readonly joined: Readonly<Record<string, string>>
  readonly denied: ReadonlySet<string>
}

/** A three-way merge of whole contents, field by field, by the rules AG9 to AG14 and nothing cleverer. */
export function mergeContents(sides: Three<Content>, resolutions: readonly Resolution[]): Expected {
  const resolver = createConflictResolver(resolutions)
  const content = mergeAll(sides, resolver)
  const paths = [...resolver.paths(), ...pathsShown(sides, resolutions)]
  const stray = resolutions.some(one => !fitsOneOf(paths, one))
  const twice = new Set(resolutions.map(({ path }) => JSON.stringify(path))).size < resolutions.length
  if (stray || twice || resolver.misfits()) return { status: 'invalid' }
  if (resolver.open().length > 0) return { status: 'conflicts', conflicts: resolver.open() }
  return content === null ? { status: 'invalid' } : { status: 'merged', content }
}

type Path = readonly string[]

const fitsOneOf = (paths: readonly Path[], { path }: Resolution): boolean =>
  paths.some(other => path.every((part, at) => other[at] === part))

/** The paths of all conflicts that show when the resolutions that fit are given round after round (AG14). */
function pathsShown(sides: Three<Content>, resolutions: readonly Resolution[]): readonly Path[] {
  const resolver = createConflictResolver([])
  mergeAll(sides, resolver)
  let shown = resolver.paths()
  for (let given: readonly Resolution[] = []; ; ) {
    const fitting = resolutions.filter(one => fitsOneOf(shown, one))
    if (fitting.length === given.length) return shown
    given = fitting
    const next = createConflictResolver(given)
    mergeAll(sides, next)
    shown = [...shown, ...next.paths()]
  }
}

/**
 * Null when the settlements lead to content that no agent may have (AG6). Long because the order of the kinds is the
 * rule.
 */
function mergeAll(sides: Three<Content>, resolver: ConflictResolver): Content | null {
  const of = <T>(pick: (content: Content) => T): Three<T> => ({
    base: pick(sides.base),
    ours: pick(sides.ours),
    theirs: pick(sides.theirs),
  })
  const namesOfAttributes = (id: string): string =>
    String((sides.base.attributes[id] ?? sides.ours.attributes[id] ?? sides.theirs.attributes[id])?.name)
  const attributes = mergeShelf(
    'attributes',
    of(content => content.attributes),
    resolver,
    {
      hidden: (id, keeper) =>
        givesValue(sides.base, sides[keeper], id) ? { field: 'name', unlessChanged: true } : null,
    },
  )
  const variants = mergeShelf('variants', alignedVariants(sides, attributes), resolver, {
    attributeName: namesOfAttributes,
    hidden: (id, keeper) =>
      sides[keeper].defaultId === id && sides.base.defaultId !== id
        ? { field: 'isDefault', unlessChanged: false }
        : null,
  })
  const behavior = mergeField(
    ['behavior'],
    of(content => content.behavior),
    resolver,
    text,
  )
  const settings = Object.entries(sides.base.settings).map(([field]): [string, Value] => [
    field,
    mergeField(
      ['response_settings', field],
      of(content => content.settings[field]),
      resolver,
      field === 'greeting' ? words : field === 'languageCode' ? text : orNull,
    ) ?? null,
  ])
  const topics = mergeShelf(
    'topics',
    of(content => content.topics),
    resolver,
    {},
  )
  const testCases = mergeShelf(
    'test_cases',
    forVariantsThatStay(
      of(content => content.test_cases),
      variants.joined,
    ),
    resolver,
    {},
  )
  const withDefault = settleDefault(sides, attributes, variants, resolver)
  if (!withDefault || ![attributes, topics, testCases].every(({ shelf }) => namesDiffer(shelf))) return null
  const gone = [sides.base, sides.ours, sides.theirs]
    .flatMap(content => Object.keys(content.attributes))
    .filter(id => !attributes.shelf[id])
  return {
    behavior: String(behavior),
    settings: Object.fromEntries(settings),
    topics: topics.shelf,
    attributes: attributes.shelf,
    variants: gone.reduce(withoutValues, withDefault.shelf),
    test_cases: testCases.shelf,
    defaultId: withDefault.defaultId,
  }
}

/** TE4: where two variants became one, test cases name the one that stays. */
function forVariantsThatStay(three: Three<Shelf>, joined: MergedShelf['joined']): Three<Shelf> {
  const stay = (shelf: Shelf): Shelf =>
    Object.fromEntries(
      Object.entries(shelf).map(([id, fields]) => {
        const to = joined[String(fields.variantId)]
        return [id, to === undefined ? fields : withEntry(fields, 'variantId', to)]
      }),
    )
  return { base: stay(three.base), ours: stay(three.ours), theirs: stay(three.theirs) }
}

const namesDiffer = (shelf: Shelf): boolean =>
  new Set(Object.values(shelf).map(({ name }) => name)).size === Object.keys(shelf).length

const words = (value: unknown): boolean => typeof value === 'string' && value !== ''
const text = (value: unknown): boolean => typeof value === 'string'
const orNull = (value: unknown): boolean => value === null || typeof value === 'string'

/** AG9: what one side changed is taken; what both changed to different values is a conflict. */
function mergeField(
  path: readonly string[],
  three: Three<Value | undefined>,
  resolver: ConflictResolver,
  fits: (value: unknown) => boolean,
): Value | undefined {
  if (same(three.ours, three.theirs) || same(three.theirs, three.base)) return three.ours
  if (same(three.ours, three.base)) return three.theirs
  return valueBy(resolver.settle(path, three, fits), three)
}

const valueBy = (settlement: Settlement, three: Three<Value | undefined>): Value | undefined =>
  settlement.side === 'given' ? settlement.value : three[settlement.side]

/** AG10: a side gave an attribute a value, or took one away, in a variant that it has. */
function givesValue(base: Content, side: Content, attributeId: string): boolean {
  const field = valueField(attributeId)
  return (
    attributeId in side.attributes &&
    Object.entries(side.variants).some(([id, fields]) => !same(base.variants[id]?.[field], fields[field]))
  )
}

/** AG10: a value that went with its attribute was not touched; the values of joined attributes stand under one id. */
function alignedVariants(sides: Three<Content>, attributes: MergedShelf): Three<Shelf> {
  const align = (content: Content, isBranch: boolean): Shelf =>
    Object.fromEntries(
      Object.entries(content.variants).map(([id, fields]) => {
        const before = Object.entries(sides.base.variants[id] ?? {})
        const taken = before.filter(([field]) => {
          const attributeId = attributeOfField(field)
          return attributeId !== null && !(attributeId in content.attributes)
        })
        const whole: Fields = { ...Object.fromEntries(taken), ...fields }
        const moved = Object.entries(whole).flatMap(([field, value]): [string, Value][] => {
          const to = attributes.joined[attributeOfField(field) ?? '']
          return to === undefined ? [] : [[valueField(to), value]]
        })
        const rest = Object.entries(whole).filter(
          ([field]) => attributes.joined[attributeOfField(field) ?? ''] === undefined,
        )
        return [id, Object.fromEntries(isBranch ? [...rest, ...moved] : [...moved, ...rest])]
      }),
    )
  return { base: align(sides.base, false), ours: align(sides.ours, false), theirs: align(sides.theirs, true) }
}

/** A change that a side made to a resource without changing one of its fields. */
type HiddenChange = (
  id: string,
  keeper: 'ours' | 'theirs',
) => { readonly field: string; readonly unlessChanged: boolean } | null

/** Differences between the shelves: the names of attributes in paths, and hidden changes. */
interface ShelfRules {
  readonly attributeName?: (id: string) => string
  readonly hidden?: HiddenChange
}

function mergeShelf(
  kind: ShelfKind,
  three: Three<Shelf>,
  resolver: ConflictResolver,
  { attributeName = String, hidden = () => null }: ShelfRules,
): MergedShelf {
  const shelf: Record<string, Fields> = {}
  const denied = new Set<string>()
  const pathTo = (name: Value | undefined) => (field: string) => {
    const attributeId = attributeOfField(field)
    const end = attributeId === null ? [field] : ['attributeValues', attributeName(attributeId)]
    return [kind, String(name), ...end]
  }
  const ids = new Set([three.base, three.ours, three.theirs].flatMap(Object.keys))
  for (const id of ids) {
    const [base, ours, theirs] = [three.base[id], three.ours[id], three.theirs[id]]
    const path = pathTo((base ?? ours ?? theirs)?.name)
    if (!base) shelf[id] = ours ?? theirs ?? {}
    else if (ours && theirs) shelf[id] = mergeFields({ base, ours, theirs }, path, resolver)
    else if (ours || theirs) {
      const keeper = ours ? 'ours' : 'theirs'
      const remains = { kept: ours ?? theirs ?? {}, keeper, hidden: hidden(id, keeper) } as const
      const kept = keepOrRemove(base, remains, path, resolver)
      if (kept.fields) shelf[id] = kept.fields
      if (kept.deniedDefault) denied.add(id)
    }
  }
  return { ...joinNamesakes(three, shelf, pathTo, resolver), denied }
}

const fitsField = (field: string): ((value: unknown) => boolean) => {
  if (field === 'isActive' || field === 'isDefault') return value => typeof value === 'boolean'
  if (field === 'turns') return value => testCaseSchema.shape.turns.safeParse(value).success
  if (field === 'functionResults')
    return value => testCaseSchema.shape.functionResults.safeParse(value).success
  if (field === 'variantId') return words
  if (field === 'exampleQueries') return value => Array.isArray(value) && value.every(words)
  return field === 'name' || field === 'content' ? words : text
}

const present = (entries: readonly (readonly [string, Value | undefined])[]): Fields =>
  Object.fromEntries(entries.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])))

const fieldsIn = (...all: readonly Fields[]): readonly string[] => [...new Set(all.flatMap(Object.keys))]

function mergeFields(
  { base, ours, theirs }: Three<Fields>,
  path: (field: string) => readonly string[],
  resolver: ConflictResolver,
): Fields {
  return present(
    fieldsIn(base, ours, theirs).map(field => {
      const three = { base: base[field], ours: ours[field], theirs: theirs[field] }
      return [field, mergeField(path(field), three, resolver, fitsField(field))]
    }),
  )
}

/** AG10: one side removed what the other changed. */
function keepOrRemove(
  base: Fields,
  {
    kept,
    keeper,
    hidden,
  }: {
    readonly kept: Fields
    readonly keeper: 'ours' | 'theirs'
    readonly hidden: ReturnType<HiddenChange>
  },
  path: (field: string) => readonly string[],
  resolver: ConflictResolver,
): { readonly fields: Fields | null; readonly deniedDefault: boolean } {
  const remover = keeper === 'ours' ? 'theirs' : 'ours'
  const changed = fieldsIn(base, kept).filter(field => !same(base[field], kept[field]))
  const disputes = changed.map(field => ({ field, before: base[field], after: kept[field] }))
  if (hidden && !changed.includes(hidden.field)) {
    const before = hidden.field === 'isDefault' ? false : base[hidden.field]
    const after = hidden.field === 'isDefault' ? true : base[hidden.field]
    disputes.push({ field: hidden.field, before, after })
  }
  const outcomes = disputes.map(({ field, before, after }) => {
    const three = { base: before, ours: undefined, theirs: undefined, [keeper]: after }
    const settlement = resolver.settle(path(field), three, fitsField(field))
    const value = settlement.side === remover ? before : valueBy(settlement, three)
    return { field, value, removes: settlement.side === remover }
  })
  if (outcomes.every(({ removes }) => removes)) return { fields: null, deniedDefault: false }
  const fields = outcomes.reduce<Fields>(
    (now, { field, value }) => (value === undefined ? without(now, field) : withEntry(now, field, value)),
    base,
  )
  const deniedDefault = fields.isDefault === false
  return { fields: without(fields, 'isDefault'), deniedDefault }
}

/** AG11: two resources that came to one name on the two sides. */
function joinNamesakes(
  three: Three<Shelf>,
  merged: Shelf,
  pathTo: (name: string) => (field: string) => readonly string[],
  resolver: ConflictResolver,
): Pick<MergedShelf, 'shelf' | 'joined'> {
  let shelf = merged
  const joined: Record<string, string> = {}
  const nameOn = (side: 'ours' | 'theirs', id: string) => three[side][id]?.name
  for (let round = 0; round < 4; round++) {
    // All who share a name now, before the first pair's settlement gives a third resource its name.
    const names = Object.values(shelf).map(({ name }) => String(name))
    const sharers = [...new Set(names.filter((one, at) => names.indexOf(one) < at))].map(
      name => [name, Object.keys(shelf).filter(id => shelf[id]?.name === name)] as const,
    )
    for (const [name, ids] of sharers) {
      const mine = ids.find(id => nameOn('ours', id) === name)
      const other = ids.find(id => id !== mine && nameOn('theirs', id) === name)
      if (ids.length !== 2 || mine === undefined || other === undefined) continue
      const [ours, theirs] = [shelf[mine] ?? {}, shelf[other] ?? {}]
      const { fields, side, disputed } = joinTwo(ours, theirs, pathTo(name), resolver)
      if (side === 'base') {
        for (const id of [mine, other]) {
          const before = three.base[id]
          shelf = before
            ? withEntry(shelf, id, backTo(before, shelf[id] ?? {}, disputed))
            : without(shelf, id)
        }
      } else if (side === 'ours' && nameOn('ours', other) !== undefined) {
        shelf = withEntry(shelf, other, { ...theirs, name: nameOn('ours', other) ?? null })
      } else if (side === 'theirs' && nameOn('theirs', mine) !== undefined) {
        shelf = withEntry(shelf, mine, { ...ours, name: nameOn('theirs', mine) ?? null })
      } else {
        shelf = without(withEntry(shelf, mine, fields), other)
        for (const id of Object.keys(joined)) if (joined[id] === other) joined[id] = mine
        joined[other] = mine
      }
    }
  }
  return { shelf, joined }
}

/** The side for which all was settled, null when there are several, and the one resource that is made of the two. */
function joinTwo(
  ours: Fields,
  theirs: Fields,
  path: (field: string) => readonly string[],
  resolver: ConflictResolver,
): {
  readonly fields: Fields
  readonly side: Settlement['side'] | null
  readonly disputed: readonly string[]
} {
  const all = fieldsIn(ours, theirs)
  const differing = all.filter(field => !same(ours[field], theirs[field]))
  const disputed = differing.length > 0 ? differing : ['name']
  const verdicts = new Map(
    disputed.map(field => {
      const three = { base: undefined, ours: ours[field], theirs: theirs[field] }
      return [field, resolver.settle(path(field), three, fitsField(field))]
    }),
  )
  const fields = all.map((field): [string, Value | undefined] => {
    const settlement = verdicts.get(field)
    if (!settlement || settlement.side === 'base') return [field, ours[field]]
    return [field, valueBy(settlement, { base: undefined, ours: ours[field], theirs: theirs[field] })]
  })
  const chosen = [...new Set([...verdicts.values()].map(({ side }) => side))]
  return { fields: present(fields), side: chosen.length === 1 ? (chosen[0] ?? null) : null, disputed }
}

/** A resource with the base's name and disputed fields, and what else became of it. */
const backTo = (base: Fields, now: Fields, disputed: readonly string[]): Fields =>
  present(
    fieldsIn(base, now).map(field => [
      field,
      field === 'name' || disputed.includes(field) ? base[field] : now[field],
    ]),
  )

/** AG12: which variant is the default is one field of the whole content; null when the content cannot be. */
function settleDefault(
  sides: Three<Content>,
  attributes: MergedShelf,
  variants: MergedShelf,
  resolver: ConflictResolver,
): { readonly shelf: Shelf; readonly defaultId: string } | null {
  const now = (id: string): string => variants.joined[id] ?? id
  const ids = {
    base: now(sides.base.defaultId),
    ours: now(sides.ours.defaultId),
    theirs: now(sides.theirs.defaultId),
  }
  const chosen =
    ids.ours === ids.theirs || ids.theirs === ids.base
      ? ids.ours
      : ids.ours === ids.base
        ? ids.theirs
        : contestedDefault(sides, ids, resolver)
  const order = [chosen, ids.ours, ids.theirs, ids.base]
  const defaultId = order.find(id => variants.shelf[id] && !variants.denied.has(id))
  if (defaultId !== undefined) {
    return namesDiffer(variants.shelf) ? { shelf: variants.shelf, defaultId } : null
  }
  const old = alignedVariants(sides, attributes).base[sides.base.defaultId]
  if (!old || idOfName(variants.shelf, old.name) !== undefined) return null
  return { shelf: withEntry(variants.shelf, sides.base.defaultId, old), defaultId: sides.base.defaultId }
}

function contestedDefault(sides: Three<Content>, ids: Three<string>, resolver: ConflictResolver): string {
  const id = sides.theirs.defaultId
  const name = (sides.base.variants[id] ?? sides.theirs.variants[id])?.name
  const settlement = resolver.settle(
    ['variants', String(name), 'isDefault'],
    { base: false, ours: false, theirs: true },
    fitsField('isDefault'),
  )
  if (settlement.side === 'given') return settlement.value === true ? ids.theirs : ids.ours
  return ids[settlement.side]
}
