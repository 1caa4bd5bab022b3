import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from '@asyncapi/parser'
import official from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' }
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { CLIENT_EVENT_TYPES, createEventNames } from '../../packages/core/src/protocol/event-names.ts'
import { SERVER_EVENT_TYPES } from '../../packages/core/src/protocol/frames.ts'
import { objection, schemasIn } from '../../test-support/src/contract-document.ts'
import { REPOSITORY } from '../workspace-packages.ts'

// That the committed file is the one that is made is tested with all made files.

interface Message {
  readonly name: string
  readonly examples: readonly { readonly payload: unknown }[]
}

interface AsyncApi {
  readonly channels: Readonly<
    Record<string, { readonly messages: Readonly<Record<string, { $ref: string }>> }>
  >
  readonly operations: Readonly<Record<string, { readonly messages: readonly { readonly $ref: string }[] }>>
  readonly components: { readonly messages: Readonly<Record<string, Message>> }
}

const document: AsyncApi = JSON.parse(readFileSync(join(REPOSITORY, 'packages/core/asyncapi.json'), 'utf8'))

/** What a reference leads to. */
const at = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document)

it('DO30 the AsyncAPI document is valid by the official schema of AsyncAPI 3.0', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false })
  addFormats.default(ajv)
  const check = ajv.compile(official)
  expect(check(document), JSON.stringify(check.errors?.slice(0, 5), null, 1)).toBe(true)
  expect(check({ ...document, asyncapi: '2.0.0' })).toBe(false)
})

it('DO30 the parser of AsyncAPI objects to nothing but that there is a later version of AsyncAPI', async () => {
  const parser = new Parser()
  const codesOf = async (text: object) =>
    (await parser.validate(JSON.stringify(text))).map(({ code }) => code)
  expect(await codesOf(document)).toEqual(['asyncapi-latest-version'])
  const { hearVisitor, ...operations } = document.operations
  const broken = {
    ...document,
    operations: {
      ...operations,
      hearVisitor: { ...hearVisitor, messages: [{ $ref: '#/components/messages/HEARTBEAT' }] },
    },
  }
  expect(await codesOf(broken)).toContain('asyncapi3-operation-messages-from-referred-channel')
})

it('DO30 it has every event of both sockets and of streams, in its direction, and every reference leads somewhere', () => {
  const names = createEventNames('AI')
  const { channels, operations, components } = document
  const keysOf = (operation: string): readonly unknown[] =>
    operations[operation]?.messages.map(({ $ref }) => $ref.split('/').at(-1)) ?? []
  expect(keysOf('hearVisitor')).toEqual(CLIENT_EVENT_TYPES.map(type => `${names.wire(type)}.client`))
  expect(keysOf('tellVisitor')).toEqual(SERVER_EVENT_TYPES.map(type => names.wire(type)))
  expect(keysOf('hearPosts')).toEqual(keysOf('hearVisitor'))
  expect(keysOf('streamToVisitor')).toEqual(keysOf('tellVisitor'))
  expect(keysOf('tellDesk')).toHaveLength(10)
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  expect(refs.filter(ref => at(ref) === undefined)).toEqual([])
  const listed = Object.values(channels).flatMap(({ messages }) => Object.keys(messages))
  expect([...new Set(listed)].toSorted()).toEqual(Object.keys(components.messages).toSorted())
})

it('DO30 every event has examples, and they fit its schema', () => {
  const checkAt = schemasIn(document)
  for (const [key, { name, examples }] of Object.entries(document.components.messages)) {
    expect(examples.length, name).toBeGreaterThan(0)
    const check = checkAt('components', 'messages', key, 'payload')()
    expect(examples.flatMap(({ payload }) => objection(check, payload, name) ?? [])).toEqual([])
    expect(objection(check, { type: 'another' }, name), name).toBeTypeOf('string')
  }
})
