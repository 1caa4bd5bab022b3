import { z } from 'zod'

/** A field that a request may have, by its path within: `turns[].text`. */
export interface SchemaField {
  readonly name: string
  readonly required: boolean
  readonly allowed: string
}

type JsonSchema = z.core.JSONSchema.JSONSchema | boolean | undefined

const isSchema = (schema: JsonSchema): schema is z.core.JSONSchema.JSONSchema => typeof schema === 'object'

/** `1 to 100`, `at most 100`, `at least 1`; null for no bounds. */
function bounds(least: number | undefined, most: number | undefined): string | null {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  if (most !== undefined) return `at most ${most}`
  return least === undefined ? null : `at least ${least}`
}

/** Describes the allowed values of a schema. */
function allowedOf(schema: JsonSchema): string {
  if (!isSchema(schema)) return 'any JSON value'
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map(one => `\`${JSON.stringify(one)}\``).join(', ')
  const ways = schema.anyOf ?? schema.oneOf
  if (ways !== undefined) return [...new Set(ways.map(allowedOf))].join(', or ')
  if (Array.isArray(schema.type)) return schema.type.map(type => allowedOf({ ...schema, type })).join(', or ')
  switch (schema.type) {
    case 'string': {
      const length = bounds(schema.minLength, schema.maxLength)
      const form = schema.pattern === undefined ? '' : `, \`${schema.pattern}\``
      return `text${length === null ? '' : `, ${length} characters`}${form}`
    }
    case 'number':
    case 'integer': {
      const most = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum
      const least = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum
      const range = bounds(least, most)
      return `${schema.type === 'integer' ? 'whole number' : 'number'}${range === null ? '' : `, ${range}`}`
    }
    case 'boolean':
      return '`true` or `false`'
    case 'null':
      return '`null`'
    case 'array': {
      const size = bounds(schema.minItems, schema.maxItems)
      const items = Array.isArray(schema.items) ? undefined : schema.items
      return `list${size === null ? '' : ` of ${size}`}${items === undefined ? '' : `: ${allowedOf(items)}`}`
    }
    case 'object':
      return 'object'
    default:
      return 'any JSON value'
  }
}

/** The object within a value that has fields to tell of: itself, or what a list holds. */
function inner(schema: JsonSchema): readonly [suffix: string, schema: JsonSchema] {
  if (isSchema(schema) && schema.type === 'array' && !Array.isArray(schema.items)) return ['[]', schema.items]
  return ['', schema]
}

function* fieldsOf(schema: JsonSchema, prefix: string): Generator<SchemaField> {
  if (!isSchema(schema)) return
  for (const way of [schema, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
    for (const [name, field] of Object.entries((isSchema(way) ? way.properties : undefined) ?? {})) {
      const required = isSchema(way) && (way.required ?? []).includes(name)
      yield { name: prefix + name, required, allowed: allowedOf(field) }
      const [suffix, within] = inner(field)
      yield* fieldsOf(within, `${prefix}${name}${suffix}.`)
    }
}

/** Every field that a schema reads, as callers write it; what only code can say is left out. */
export function schemaFields(schema: z.ZodType): readonly SchemaField[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return [...fieldsOf(json, '')]
}
