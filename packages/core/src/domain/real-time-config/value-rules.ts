import { canonicalJson } from '../canonical-json.ts'
import { isJsonArray, isJsonObject, type Json } from '../json.ts'
import { formatTest } from './formats.ts'
import { listed, shown } from './problems.ts'
import { fail, type Keyword, requireAll, type SchemaContext } from './rule.ts'

const numberOf = (value: Json): number | null => (typeof value === 'number' ? value : null)
const itemsOf = (value: Json): number | null => (isJsonArray(value) ? value.length : null)
const namesOf = (value: Json): number | null => (isJsonObject(value) ? Object.keys(value).length : null)

/** Characters, not units of UTF-16. */
function charactersOf(value: Json): number | null {
  if (typeof value !== 'string') return null
  let count = 0
  for (const _ of value) count++
  return count
}

type Comparison = (size: number, limit: number) => boolean

const atMost: Comparison = (size, limit) => size <= limit
const atLeast: Comparison = (size, limit) => size >= limit

/** Returns a limit of what `sizeOf` measures; what it does not measure fits. */
const limit =
  (sizeOf: (value: Json) => number | null, holds: Comparison, reason: (limit: number) => string): Keyword =>
  argument => {
    if (typeof argument !== 'number') return null
    return (value, spot) => {
      const size = sizeOf(value)
      return size === null || holds(size, argument) || fail(spot, () => reason(argument))
    }
  }

type TextTest = (text: string) => boolean

/** Returns a rule for texts. */
const text =
  (testOf: (argument: string, context: SchemaContext) => TextTest, noun: string): Keyword =>
  (argument, context) => {
    if (typeof argument !== 'string') return null
    const fits = testOf(argument, context)
    return (value, spot) =>
      typeof value !== 'string' || fits(value) || fail(spot, () => `must match ${noun} "${argument}"`)
  }

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return isJsonArray(value) ? 'array' : typeof value
}

const type: Keyword = argument => {
  const types = isJsonArray(argument) ? argument : [argument]
  return (value, spot) =>
    types.includes(typeOf(value)) ||
    (types.includes('integer') && Number.isInteger(value)) ||
    fail(spot, () => `must be ${types.join(',')}`)
}

const enumeration: Keyword = (argument, { textOf }) => {
  if (!isJsonArray(argument)) return null
  // Not metered: it happens once.
  const allowed = new Set(argument.map(canonicalJson))
  return (value, spot) => allowed.has(textOf(value)) || fail(spot, () => `must be one of ${listed(argument)}`)
}

const constant: Keyword = (argument, { textOf }) => {
  const allowed = canonicalJson(argument)
  return (value, spot) => allowed === textOf(value) || fail(spot, () => `must be ${shown(argument)}`)
}

const uniqueItems: Keyword = (argument, { textOf }) => {
  if (argument !== true) return null
  return (value, spot) =>
    !isJsonArray(value) ||
    new Set(value.map(textOf)).size === value.length ||
    fail(spot, () => 'must not hold two equal items')
}

const required: Keyword = argument => {
  const names = isJsonArray(argument) ? argument.map(String) : []
  return (value, spot) => !isJsonObject(value) || requireAll(names, value, spot)
}

/** Keywords that check the value alone, without the schemas within the schema. */
export const VALUE_KEYWORDS = {
  type,
  maximum: limit(numberOf, atMost, limit => `must be <= ${limit}`),
  minimum: limit(numberOf, atLeast, limit => `must be >= ${limit}`),
  exclusiveMaximum: limit(
    numberOf,
    (size, limit) => size < limit,
    limit => `must be < ${limit}`,
  ),
  exclusiveMinimum: limit(
    numberOf,
    (size, limit) => size > limit,
    limit => `must be > ${limit}`,
  ),
  multipleOf: limit(
    numberOf,
    (size, limit) => Number.isInteger(size / limit),
    limit => `must be multiple of ${limit}`,
  ),
  maxLength: limit(charactersOf, atMost, limit => `must NOT have more than ${limit} characters`),
  minLength: limit(charactersOf, atLeast, limit => `must NOT have fewer than ${limit} characters`),
  pattern: text((source, { matcher }) => matcher(source), 'pattern'),
  format: text(formatTest, 'format'),
  const: constant,
  enum: enumeration,
  maxItems: limit(itemsOf, atMost, limit => `must NOT have more than ${limit} items`),
  minItems: limit(itemsOf, atLeast, limit => `must NOT have fewer than ${limit} items`),
  uniqueItems,
  maxProperties: limit(namesOf, atMost, limit => `must NOT have more than ${limit} properties`),
  minProperties: limit(namesOf, atLeast, limit => `must NOT have fewer than ${limit} properties`),
  required,
} satisfies Record<string, Keyword>
