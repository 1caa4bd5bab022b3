import type { Json } from '../../../packages/core/src/domain/json.ts'

/** Value of a field in the model. */
export type Value = Json

/** A resource as a flat table of fields; a variant's values are the fields `value <attribute id>`. */
export type Fields = Readonly<Record<string, Value>>

/** Resources by id. */
export type Shelf = Readonly<Record<string, Fields>>

/** Everything that an agent holds: one whole copy for each branch and each revision. */
export interface Content {
  readonly behavior: string
  readonly settings: Fields
  readonly topics: Shelf
  readonly attributes: Shelf
  readonly variants: Shelf
  /** A test case for no variant in particular has no field `variantId`. */
  readonly test_cases: Shelf
  /** The variant that is the default. */
  readonly defaultId: string
}

/** The kinds of which an agent has any number. */
export type ShelfKind = 'topics' | 'attributes' | 'variants' | 'test_cases'

const VALUE = 'value '

/** The field of a variant that holds its value for the attribute. */
export const valueField = (attributeId: string): string => `${VALUE}${attributeId}`

/** The attribute of such a field; null for other fields. */
export const attributeOfField = (field: string): string | null =>
  field.startsWith(VALUE) ? field.slice(VALUE.length) : null

/** True when both are the same, lists by their entries; undefined stands for a field that is not there. */
export const same = (a: Value | undefined, b: Value | undefined): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** The record with one entry set. */
export const withEntry = <T>(record: Readonly<Record<string, T>>, key: string, value: T) => ({
  ...record,
  [key]: value,
})

/** The record without one entry. */
export const without = <T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== key))

/** The shelf without any value for the attribute. */
export const withoutValues = (variants: Shelf, attributeId: string): Shelf =>
  Object.fromEntries(
    Object.entries(variants).map(([id, fields]) => [id, without(fields, valueField(attributeId))]),
  )

/** The id of the resource that has the name; undefined when there is no such resource. */
export const idOfName = (shelf: Shelf, name: Value | undefined): string | undefined =>
  Object.keys(shelf).find(id => shelf[id]?.name === name)

/** One text for each content: equal for equal contents, regardless of their histories. */
export const canonical = (content: Content): string => JSON.stringify(sorted(content))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
