import { canonicalJson } from '../canonical-json.ts'
import type { Json } from '../json.ts'
import { RESOURCE_SCHEMAS, type Resource, type ResourceKind, variantSchema } from './content.ts'
import { isProperName, properName } from './proper-name.ts'
import { parseResource } from './tree.ts'

/**
 * A resource taken apart into the fields that a merge compares, by field name. A variant has one field for each of its
 * attribute values, `attributeValues/<attribute id>`; which variant is the default is no field of a variant but one of
 * the whole content, so it is left out. A test case for no variant in particular has no field `variantId`, and one
 * with turns no field `visitor`.
 */
export type Fields = ReadonlyMap<string, Json>

const ATTRIBUTE_PREFIX = 'attributeValues/'

/** Returns the name of the field that holds a variant's value for the attribute. */
export const attributeField = (attributeId: string): string => `${ATTRIBUTE_PREFIX}${attributeId}`

/** The attribute whose value the field holds; null for other fields. */
export const attributeOf = (field: string): string | null =>
  field.startsWith(ATTRIBUTE_PREFIX) ? field.slice(ATTRIBUTE_PREFIX.length) : null

/** Splits a resource into fields. */
export function fieldsOf(resource: Resource): Fields {
  if (resource.kind === 'test_cases') {
    const { variantId, visitor, ...value } = resource.value
    const named = variantId === null ? value : { ...value, variantId }
    return new Map<string, Json>(Object.entries(visitor ? { ...named, visitor } : named))
  }
  if (resource.kind !== 'variants') return new Map<string, Json>(Object.entries(resource.value))
  const values = Object.entries(resource.value.attributeValues)
  return new Map<string, Json>([
    ['name', resource.value.name],
    ...values.map(([id, value]): [string, Json] => [attributeField(id), value]),
  ])
}

/** Puts a resource together again; `isDefault` matters for variants alone. */
export function resourceFrom(kind: ResourceKind, id: string, fields: Fields, isDefault: boolean): Resource {
  if (kind === 'test_cases')
    return parseResource(kind, id, { variantId: null, ...Object.fromEntries(fields) })
  if (kind !== 'variants') return parseResource(kind, id, Object.fromEntries(fields))
  const attributeValues = [...fields].flatMap(([field, value]): [string, Json][] => {
    const attributeId = attributeOf(field)
    return attributeId === null ? [] : [[attributeId, value]]
  })
  return parseResource(kind, id, {
    name: fields.get('name'),
    isDefault,
    attributeValues: Object.fromEntries(attributeValues),
  })
}

/**
 * Returns a value for one field of one kind, checked, a name in the form in which it is kept; undefined when it does
 * not fit.
 */
export function parseField(kind: ResourceKind, field: string, value: unknown): Json | undefined {
  if (field !== 'name' || typeof value !== 'string') return fieldOf(kind, field, value)
  return isProperName(value) ? fieldOf(kind, field, properName(value)) : undefined
}

function fieldOf(kind: ResourceKind, field: string, value: unknown): Json | undefined {
  if (attributeOf(field) !== null) return variantSchema.shape.attributeValues.valueType.safeParse(value).data
  switch (kind) {
    case 'behavior':
      return RESOURCE_SCHEMAS.behavior.partial().safeParse({ [field]: value }).data?.behavior
    case 'response_settings':
      return valueAt(RESOURCE_SCHEMAS.response_settings.partial().safeParse({ [field]: value }).data, field)
    case 'topics':
      return valueAt(RESOURCE_SCHEMAS.topics.partial().safeParse({ [field]: value }).data, field)
    case 'attributes':
      return RESOURCE_SCHEMAS.attributes.partial().safeParse({ [field]: value }).data?.name
    case 'variants':
      return valueAt(RESOURCE_SCHEMAS.variants.partial().safeParse({ [field]: value }).data, field)
    case 'test_cases':
      return valueAt(RESOURCE_SCHEMAS.test_cases.partial().safeParse({ [field]: value }).data, field)
  }
}

const valueAt = (
  object: Readonly<Record<string, Json | undefined>> | undefined,
  field: string,
): Json | undefined => object?.[field]

/** True when both sides have the same value, or neither has one. */
export const sameField = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))
