/** The parts of a JSON schema that say something about a type. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly contentMediaType?: string
  readonly description?: string
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Required<Content> & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

/** An operation with where it is found. */
export interface Named extends Operation {
  readonly method: string
  readonly path: string
  readonly credential: string
}

/** Returns the content type and schema of a call's answer; null if it answers nothing. */
export function answerOf({ operationId, responses }: Operation): { type: string; schema: Schema } | null {
  // A part of what it answers is for callers that ask for one.
  const done = Object.entries(responses).filter(([status]) => status.startsWith('2') && status !== '206')
  const [type, content] = Object.entries(done[0]?.[1].content ?? {})[0] ?? []
  if (done.length !== 1) throw new Error(`${operationId} has ${done.length} successful answers, not one.`)
  return type === undefined || content === undefined ? null : { type, schema: content.schema }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Media types that are read as streams. All others are bytes. */
const MEDIA: Readonly<Record<string, string>> = { 'text/event-stream': 'ReadableStream<Uint8Array>' }

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)

/** In lines of their own where one line would be long. */
function union(types: readonly string[], indent: string): string {
  // A member that is a union of its own brings the bar before its first line.
  const members = [...new Set(types.map(type => type.trimStart().replace(/^\| /, '')))]
  const line = members.join(' | ')
  return line.length <= 70 ? line : members.map(member => `\n${indent}  | ${member}`).join('')
}

function objectType(schema: Schema, indent: string, given: boolean): string {
  const { additionalProperties: rest, properties, required = [] } = schema
  if (properties === undefined) {
    const value = typeof rest === 'object' ? typeOf(rest, indent, given) : 'unknown'
    return `{ readonly [name: string]: ${value} }`
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = typeOf(field, `${indent}  `, given)
    const optional = !required.includes(name)
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const missing = optional && given && type !== 'unknown' ? ' | undefined' : ''
    return `${indent}  readonly ${key}${optional ? '?' : ''}:${type.startsWith('\n') ? '' : ' '}${type}${missing}`
  })
  return fields.length === 0 ? 'object' : `{\n${fields.join('\n')}\n${indent}}`
}

function arrayType({ items = {} }: Schema, indent: string, given: boolean): string {
  const item = typeOf(items, indent, given)
  return `readonly ${item.includes('| ') && !item.startsWith('{') ? `(${item})` : item}[]`
}

/**
 * A schema as a TypeScript type.
 *
 * @param given what callers give: fields that may be left out may be undefined too
 * @throws for what no type of it can be made
 */
export function typeOf(schema: Schema, indent: string, given: boolean): string {
  const { $ref, anyOf, const: only, enum: values, type } = schema
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? ''
  if (schema.contentMediaType !== undefined) return MEDIA[schema.contentMediaType] ?? 'ArrayBuffer'
  if (anyOf !== undefined)
    return union(
      anyOf.map(one => typeOf(one, indent, given)),
      indent,
    )
  if (only !== undefined) return literal(only)
  if (values !== undefined) return union(values.map(literal), indent)
  if (Array.isArray(type))
    return union(
      type.map(one => typeOf({ ...schema, type: one }, indent, given)),
      indent,
    )
  if (type === undefined) return 'unknown'
  if (type === 'array') return arrayType(schema, indent, given)
  if (type === 'object') return objectType(schema, indent, given)
  const plain = PLAIN[String(type)]
  if (plain === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}.`)
  return plain
}

/** A named schema of a document as a TypeScript type. The items of a JSON array, which a document leaves open, are JSON. */
export function namedTypeOf(name: string, schema: Schema): string {
  const anyOf = schema.anyOf?.map(one => (one.type === 'array' ? { ...one, items: { $ref: name } } : one))
  return typeOf(name === 'Json' && anyOf !== undefined ? { ...schema, anyOf } : schema, '', false)
}
