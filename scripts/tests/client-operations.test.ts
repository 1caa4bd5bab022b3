import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWireTypes } from '../document/client-wire-types.ts'
import { typeOf } from '../document/schema-types.ts'
import { REPOSITORY } from '../workspace-packages.ts'

test('a schema becomes the type that holds exactly what it allows', () => {
  const show = (schema: Parameters<typeof typeOf>[0], given = false) =>
    typeOf(schema, '', given).replaceAll(/\s+/g, ' ')
  expect(show({ type: ['string', 'null'] })).toBe('string | null')
  expect(show({ type: 'array', items: { enum: ['a', 1, null] } })).toBe("readonly ('a' | 1 | null)[]")
  expect(show({ anyOf: [{ const: true }, { $ref: '#/components/schemas/Agent' }] })).toBe('true | Agent')
  expect(show({ type: 'object', additionalProperties: { type: 'integer' } })).toBe(
    '{ readonly [name: string]: number }',
  )
  const object = { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['b-c'] }
  expect(show(object)).toBe("{ readonly a?: string readonly 'b-c': unknown }")
  expect(show(object, true)).toBe("{ readonly a?: string | undefined readonly 'b-c': unknown }")
  expect(show({ type: 'string', contentMediaType: 'audio/wav' })).toBe('ArrayBuffer')
  expect(() => show({ type: 'date' })).toThrow('No type is known for {"type":"date"}.')
})

test('VC25 the types of what goes over the wire name every event of the AsyncAPI document', () => {
  const made = clientWireTypes()
  const { components } = JSON.parse(readFileSync(join(REPOSITORY, 'packages/core/asyncapi.json'), 'utf8'))
  const of = (name: string) =>
    new RegExp(`export type ${name} = \\{\n(.*?)\n\\}\n`, 's').exec(made)?.[1] ?? ''
  const names = Object.keys(components.schemas)
    .filter(name => name.startsWith('EVENT_TYPE_') && name !== 'EVENT_TYPE_EVENT_BATCH')
    .map(name => name.slice('EVENT_TYPE_'.length))
  expect(names.length).toBeGreaterThan(25)
  for (const name of names)
    expect(of(name.endsWith('.client') ? 'ClientPayloads' : 'ServerPayloads')).toContain(
      `  readonly ${name.replace('.client', '')}: `,
    )
})
