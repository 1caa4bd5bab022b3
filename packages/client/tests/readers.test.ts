import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { EVENT_PAYLOADS } from '../../core/src/domain/conversation/event-payloads.ts'
import { READERS } from '../src/messaging/events.ts'
import { newId } from '../src/messaging/new-id.ts'

/** The part of a JSON Schema that payloads are made of. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The schema with what it refers to in its place. */
function whole(schema: Schema, defs: NonNullable<Schema['$defs']>): Schema {
  const { $ref, $defs: _, properties, items, anyOf, ...rest } = schema
  if ($ref !== undefined) return whole(defs[$ref.split('/').at(-1) ?? ''] ?? {}, defs)
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, whole(field, defs)] as const)
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(items === undefined ? {} : { items: whole(items, defs) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(one => whole(one, defs)) }),
  }
}

/** Fields of a schema, those of its objects and lists with the way there. */
function fieldsOf(schema: Schema, way = ''): readonly string[] {
  const inner = [schema.items, ...(schema.anyOf ?? [])].flatMap(one =>
    one === undefined ? [] : fieldsOf(one, way),
  )
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const deeper = fieldsOf(field, `${way}${name}.`)
    return deeper.length === 0 ? [way + name] : deeper
  })
  return [...inner, ...own]
}

/** A value of the schema that notes which of its fields are read. */
function watched(schema: Schema, read: Set<string>, way = ''): unknown {
  const [one] = schema.anyOf ?? []
  if (one !== undefined) return watched(one, read, way)
  if (schema.type === 'array') return [watched(schema.items ?? {}, read, way)]
  if (schema.type === 'object') {
    const fields = Object.keys(schema.properties ?? {})
    return new Proxy(
      {},
      {
        has: () => true,
        get(_, name) {
          const field = schema.properties?.[String(name)]
          if (field === undefined || !fields.includes(String(name))) {
            read.add(way + String(name))
            return undefined
          }
          const value = watched(field, read, `${way}${String(name)}.`)
          const isOfTexts = field.items !== undefined && fieldsOf(field.items).length === 0
          if (typeof value !== 'object' || value === null || isOfTexts) read.add(way + String(name))
          return value
        },
      },
    )
  }
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (schema.type === 'boolean') return true
  return schema.enum?.[0] ?? 'text'
}

/** What a page has no use for: another name of a field, and what a suggestion means to the agent. */
const UNREAD = [
  'AI_AGENT_JOINED avatar',
  'AI_AGENT_MESSAGE response_suggestions.payload',
  'AI_AGENT_MESSAGE_CHUNK response_suggestions.payload',
  'LIVE_AGENT_MESSAGE response_suggestions.payload',
]

const schemas = Object.entries(EVENT_PAYLOADS).flatMap(([name, payload]) => {
  const reader = Object.entries(READERS).find(([known]) => known === name)?.[1]
  const made = z.toJSONSchema(payload, { io: 'output', unrepresentable: 'any' }) as Schema
  const schema = whole(made, made.$defs ?? {})
  return reader === undefined || schema.type !== 'object' ? [] : [{ name, reader, schema }]
})

test('it reads every field of every event that the protocol has, and none that no event has', () => {
  expect(schemas.length).toBeGreaterThan(20)
  const declared = new Set(schemas.flatMap(({ schema }) => fieldsOf(schema)))
  const [missed, unknown]: [string[], string[]] = [[], []]
  for (const { name, reader, schema } of schemas) {
    const read = new Set<string>()
    reader(watched(schema, read) as Readonly<Record<string, unknown>>)
    missed.push(...fieldsOf(schema).flatMap(field => (read.has(field) ? [] : [`${name} ${field}`])))
    unknown.push(...[...read].flatMap(field => (declared.has(field) ? [] : [`${name} ${field}`])))
  }
  expect({ missed, unknown }).toEqual({ missed: UNREAD, unknown: [] })
})

test('VC14 ids are made without crypto.randomUUID', () => {
  const ids = Array.from({ length: 100 }, newId)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true)
  const source = readFileSync(new URL('../src/messaging/new-id.ts', import.meta.url), 'utf8')
  expect(source).not.toContain('.randomUUID(')
})
