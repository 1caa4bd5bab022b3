import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../workspace-packages.ts'
import { namedTypeOf, type Schema, typeOf } from './schema-types.ts'

const PREFIX = 'EVENT_TYPE_'

/** The event whose schema differs in the documents: a batch has events, not a payload. */
const BATCH = `${PREFIX}EVENT_BATCH`

const payloadOf = (schema: Schema): Schema => schema.properties?.payload ?? {}

/** The types of payloads by the names of their events, without what all names begin with. */
function payloads(named: readonly (readonly [string, Schema])[], given: boolean): string {
  return named
    .map(([name, schema]) => {
      const { anyOf, ...own } = payloadOf(schema)
      // A client may leave out what is empty; it writes `{}`.
      const payload = anyOf?.find(({ type }) => type === 'object') ?? { ...own, ...(anyOf && { anyOf }) }
      const key = name.slice(PREFIX.length).replace(/\.client$/, '')
      return `  readonly ${key}: ${typeOf(payload, '  ', given)}`
    })
    .join('\n')
}

/** The types of what goes over a visitor's connection, from the AsyncAPI document. */
export function clientWireTypes(): string {
  const text = readFileSync(join(REPOSITORY, 'packages/core/asyncapi.json'), 'utf8')
  const document: { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } } =
    JSON.parse(text)
  const schemas = Object.entries(document.components.schemas)
  const events = schemas.filter(([name]) => name.startsWith(PREFIX) && name !== BATCH)
  const isOfClient = ([name]: readonly [string, Schema]) => name.endsWith('.client')
  const server = payloads(
    events.filter(one => !isOfClient(one)),
    false,
  )
  const client = payloads(events.filter(isOfClient), true)
  const parts = ['Attachment', 'ChatCallAction', 'ResponseSuggestion', 'SentFile'].filter(
    name => server.includes(name) || client.includes(name),
  )
  return [
    '// Made from packages/core/asyncapi.json by `npm run document`.\n',
    ...parts.map(
      name =>
        `/** \`${name}\`, as it goes over the wire. */\nexport type ${name} = ${namedTypeOf(name, document.components.schemas[name] ?? {})}\n`,
    ),
    `/** Payloads of a server's events, by their names without \`${PREFIX}\`. \`AI\` stands for the brand's word. */`,
    `export type ServerPayloads = {\n${server}\n}\n`,
    `/** Payloads of a client's events, by the same names. */`,
    `export type ClientPayloads = {\n${client}\n}\n`,
  ].join('\n')
}
