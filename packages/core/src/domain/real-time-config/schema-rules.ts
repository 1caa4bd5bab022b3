import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts'
import { listed } from './problems.ts'
import {
  all,
  fail,
  forget,
  type Keyword,
  type Rule,
  requireAll,
  type SchemaContext,
  type Spot,
  within,
} from './rule.ts'

/** Reports whether the value fits, without a word about it. */
function quietly(rule: Rule, value: Json, spot: Spot): boolean {
  const before = spot.failures.length
  const fits = rule(value, spot)
  forget(spot, before)
  return fits
}

const rulesOf = (argument: Json, { compile }: SchemaContext): readonly Rule[] =>
  isJsonArray(argument) ? argument.map(compile) : []

const entriesOf = (argument: Json | undefined): readonly (readonly [string, Json])[] =>
  isJsonObject(argument) ? Object.entries(argument) : []

const reference: Keyword = (argument, { refer }) => {
  if (typeof argument !== 'string') return null
  return (value, spot) => refer(argument)(value, spot)
}

const not: Keyword = (argument, { compile }) => {
  const rule = compile(argument)
  return (value, spot) => !quietly(rule, value, spot) || fail(spot, () => 'must NOT be valid')
}

const anyOf: Keyword = (argument, context) => {
  const rules = rulesOf(argument, context)
  return (value, spot) => {
    const before = spot.failures.length
    if (!rules.some(rule => rule(value, spot))) return fail(spot, () => 'must match a schema in anyOf')
    forget(spot, before)
    return true
  }
}

const oneOf: Keyword = (argument, context) => {
  const rules = rulesOf(argument, context)
  return (value, spot) => {
    const before = spot.failures.length
    let fitting = 0
    for (const rule of rules) if (fitting < 2 && rule(value, spot)) fitting++
    if (fitting !== 1) return fail(spot, () => 'must match exactly one schema in oneOf')
    forget(spot, before)
    return true
  }
}

const allOf: Keyword = (argument, context) => {
  const rules = rulesOf(argument, context)
  return (value, spot) => all(rules, value, spot)
}

const condition: Keyword = (argument, { schema, compile }) => {
  const branch = (name: 'then' | 'else'): Rule => {
    const rule = compile(schema[name] ?? true)
    return (value, spot) => rule(value, spot) || fail(spot, () => `must match "${name}" schema`, true)
  }
  if (schema.then === undefined && schema.else === undefined) return null
  const [rule, fitting, other] = [compile(argument), branch('then'), branch('else')]
  return (value, spot) => (quietly(rule, value, spot) ? fitting(value, spot) : other(value, spot))
}

/** Returns a rule for each item from that one on. */
const eachFrom =
  (first: number, rule: Rule): Rule =>
  (value, spot) => {
    if (!isJsonArray(value)) return true
    let fits = true
    for (let index = first; index < value.length; index++)
      fits = rule(value[index] ?? null, within(spot, String(index))) && fits
    return fits
  }

const items: Keyword = (argument, context) => {
  if (!isJsonArray(argument)) return eachFrom(0, context.compile(argument))
  const rules = rulesOf(argument, context)
  return (value, spot) =>
    !isJsonArray(value) ||
    all(
      rules.map((rule, index) => () => {
        const item = value[index]
        return item === undefined || rule(item, within(spot, String(index)))
      }),
      value,
      spot,
    )
}

const additionalItems: Keyword = (argument, { schema, compile }) => {
  const first = isJsonArray(schema.items) ? schema.items.length : null
  if (first === null) return null
  if (argument !== false) return eachFrom(first, compile(argument))
  return (value, spot) =>
    !isJsonArray(value) || value.length <= first || fail(spot, () => `must NOT have more than ${first} items`)
}

const contains: Keyword = (argument, { compile }) => {
  const rule = compile(argument)
  return (value, spot) => {
    if (!isJsonArray(value)) return true
    const before = spot.failures.length
    if (!value.some((item, index) => rule(item, within(spot, String(index)))))
      return fail(spot, () => 'must contain at least 1 valid item(s)')
    forget(spot, before)
    return true
  }
}

const properties: Keyword = (argument, { compile }) => {
  const rules = entriesOf(argument).map(([name, schema]) => [name, compile(schema)] as const)
  return (value, spot) => {
    if (!isJsonObject(value)) return true
    let fits = true
    for (const [name, rule] of rules) {
      const property = Object.hasOwn(value, name) ? value[name] : undefined
      if (property !== undefined) fits = rule(property, within(spot, name)) && fits
    }
    return fits
  }
}

/** Returns a rule for each property whose name is one of these. */
const named =
  (includes: (name: string) => boolean, rule: Rule): Rule =>
  (value, spot) => {
    if (!isJsonObject(value)) return true
    let fits = true
    for (const [name, property] of Object.entries(value))
      if (includes(name)) fits = rule(property, within(spot, name)) && fits
    return fits
  }

const patternProperties: Keyword = (argument, { compile, matcher }) => {
  const rules = entriesOf(argument).map(([source, schema]) => named(matcher(source), compile(schema)))
  return (value, spot) => all(rules, value, spot)
}

const additionalProperties: Keyword = (argument, { schema, compile, matcher }) => {
  const known = entriesOf(schema.properties).map(([name]) => name)
  const names = new Set(known)
  const matchers = entriesOf(schema.patternProperties).map(([source]) => matcher(source))
  const refuse: Rule = (_, spot) =>
    fail(spot, () => (known.length === 0 ? 'is not allowed' : `is not allowed, only ${listed(known)}`))
  return named(
    name => !names.has(name) && !matchers.some(matches => matches(name)),
    argument === false ? refuse : compile(argument),
  )
}

const propertyNames: Keyword = (argument, { compile }) => {
  const rule = compile(argument)
  return (value, spot) => {
    if (!isJsonObject(value)) return true
    let fits = true
    for (const propertyName of Object.keys(value)) {
      if (rule(propertyName, { ...spot, propertyName })) continue
      fits = fail(spot, () => 'property name must be valid', true)
    }
    return fits
  }
}

/** Returns the check of a property's dependencies: other properties, or a schema. */
function dependency(asked: Json, { compile }: SchemaContext): (value: JsonObject, spot: Spot) => boolean {
  if (!isJsonArray(asked)) return compile(asked)
  const names = asked.map(String)
  return (value, spot) => requireAll(names, value, spot)
}

const dependencies: Keyword = (argument, context) => {
  const rules = entriesOf(argument).map(([name, asked]) => [name, dependency(asked, context)] as const)
  return (value, spot) => {
    if (!isJsonObject(value)) return true
    let fits = true
    for (const [name, rule] of rules) if (Object.hasOwn(value, name)) fits = rule(value, spot) && fits
    return fits
  }
}

/** Keywords that apply schemas within the schema. */
export const SCHEMA_KEYWORDS = {
  $ref: reference,
  not,
  anyOf,
  oneOf,
  allOf,
  if: condition,
  additionalItems,
  items,
  contains,
  propertyNames,
  additionalProperties,
  dependencies,
  properties,
  patternProperties,
} satisfies Record<string, Keyword>
