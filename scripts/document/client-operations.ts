import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../workspace-packages.ts'
import { tableOf } from './client-operation-table.ts'
import { answerOf, type Named, namedTypeOf, type Operation, type Schema, typeOf } from './schema-types.ts'
import { wrap } from './wrap.ts'

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** A doc comment of lines of at most 120 characters. */
function comment(text: string, indent = ''): string {
  const one = `${indent}/** ${text} */`
  if (one.length <= 120) return one
  return [
    `${indent}/**`,
    ...wrap(text, 117 - indent.length).map(line => `${indent} * ${line}`),
    `${indent} */`,
  ].join('\n')
}

/** Parameters of path and query, and `body`. Their names may not be the same. */
function inputOf({ operationId, parameters = [], requestBody }: Operation): string {
  // The credential is given once, and not twice in a request.
  const listed = parameters.filter(({ in: place, name }) => place !== 'header' && name !== 'access_token')
  const names = listed.map(({ name }) => name)
  if (names.includes('body') || new Set(names).size < names.length)
    throw new Error(`${operationId} has two parameters of one name.`)
  const fields = listed.map(({ name, required, schema }) => {
    const type = typeOf(schema, '      ', true)
    return `      readonly ${name}${required ? '' : '?'}:${type.startsWith('\n') ? '' : ' '}${type}${required ? '' : ' | undefined'}`
  })
  if (requestBody !== undefined) {
    const { schema } = Object.values(requestBody.content)[0] ?? {}
    const optional = !requestBody.required
    const type = typeOf(schema ?? {}, '      ', true)
    fields.push(
      `      readonly body${optional ? '?' : ''}:${type.startsWith('\n') ? '' : ' '}${type}${optional && type !== 'unknown' ? ' | undefined' : ''}`,
    )
  }
  return fields.length === 0 ? 'object' : `{\n${fields.join('\n')}\n    }`
}

/** The type of one entry of a list that comes in pages. */
function itemOf({ operationId, parameters = [] }: Operation, answer: Schema | undefined): string | null {
  if (answer?.contentMediaType !== undefined) return null
  if (!parameters.some(({ name }) => name === 'cursor' || name === 'offset')) return null
  const lists = Object.values(answer?.properties ?? {}).filter(({ type }) => type === 'array')
  const item = lists[0]?.items
  if (lists.length !== 1 || item === undefined) throw new Error(`${operationId} has pages, but not one list.`)
  return typeOf(item, '    ', false)
}

function typesOf(operation: Named): string {
  const { operationId, summary, method, path, credential } = operation
  const answer = answerOf(operation)
  const item = itemOf(operation, answer?.schema)
  return [
    comment(`${summary}. \`${method} ${path}\`, with \`${credential.replaceAll('+', '` and `')}\`.`, '  '),
    `  readonly ${operationId}: {`,
    `    readonly input: ${inputOf(operation)}`,
    `    readonly answer: ${answer === null ? 'undefined' : typeOf(answer.schema, '    ', false)}`,
    ...(item === null ? [] : [`    readonly item: ${item}`]),
    '  }',
  ].join('\n')
}

function operationsOf({ paths }: Document): readonly Named[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      // If there are several alternatives, the first one. If it has several credentials, all of them.
      const credential = Object.keys(operation.security[0] ?? {}).join('+')
      if (credential === '') throw new Error(`${operation.operationId} has no credential.`)
      return [{ ...operation, path, method: method.toUpperCase(), credential }]
    }),
  )
}

/** Paths of calls that have an entry point of their own: all would not fit into one (HC1). */
const TELEPHONY = /\/telephony(?:\/|-)|\/dni-reservation$|\/pooled-numbers/
const TEXTS = /^\/v1\/outbound-sms$/
const VOICES = /\/voice-library|\/audio-cache/
const CALLS = /\/outbound-call(?:s|ing)(?:\/|$)/

const isCall = ({ path }: Named): boolean => CALLS.test(path)
const isTelephony = ({ path }: Named): boolean => TELEPHONY.test(path) && !CALLS.test(path)
const isText = ({ path }: Named): boolean => TEXTS.test(path)
const isVoice = ({ path }: Named): boolean => VOICES.test(path)
const isOfNone = (operation: Named): boolean =>
  ![isTelephony, isText, isVoice, isCall].some(isOne => isOne(operation))

const interfaceOf = (name: string, doc: string, operations: readonly Named[]): string =>
  `${comment(doc)}\nexport interface ${name} {\n${operations.map(typesOf).join('\n')}\n}\n`

const MADE = '// Made from packages/core/openapi.json by `npm run document`.\n'

/** The OpenAPI document as it is on the disk. */
const readText = (): string => readFileSync(join(REPOSITORY, 'packages/core/openapi.json'), 'utf8')

/** Types of all HTTP calls. */
export function clientOperations(): string {
  const text = readText()
  const document: Document = JSON.parse(text)
  const operations = operationsOf(document)
  const codes = new Set(
    [...text.matchAll(/"x-error-codes": \[([^\]]*)\]/g)].flatMap(([, list = '']) => JSON.parse(`[${list}]`)),
  )
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description ?? `\`${name}\`, in a response of the server.`)}\nexport type ${name} = ${namedTypeOf(name, schema)}\n`,
  )
  return [
    MADE,
    `${comment('The codes of errors that a server answers with.')}\nexport type ErrorCode =`,
    `${[...codes]
      .sort()
      .map(code => `  | '${code}'`)
      .join('\n')}\n`,
    ...named,
    interfaceOf(
      'Operations',
      'Input and answer of each call, by the id of its operation. `item` is one entry of a list in pages.',
      operations.filter(isOfNone),
    ),
    interfaceOf('TelephonyOperations', 'The same of calls about telephony.', operations.filter(isTelephony)),
    interfaceOf('TextOperations', 'The same of texts.', operations.filter(isText)),
    interfaceOf('VoiceOperations', 'The same of voices.', operations.filter(isVoice)),
    interfaceOf('CallOperations', 'The same of outbound calls.', operations.filter(isCall)),
  ].join('\n')
}

const tableFile = (operations: readonly Named[]): string =>
  [
    MADE,
    comment('The calls, in the form that `callsOf` reads: short, because pages load it.'),
    `export const OPERATIONS = \`${tableOf(operations)}\`\n`,
  ].join('\n')

const readOperations = (): readonly Named[] => operationsOf(JSON.parse(readText()))

/** The table of the methods and paths of all HTTP calls that have no entry point of their own. */
export const clientOperationTable = (): string => tableFile(readOperations().filter(isOfNone))

/** The same of calls about telephony. */
export const telephonyOperationTable = (): string => tableFile(readOperations().filter(isTelephony))

/** The same of voices. */
export const voiceOperationTable = (): string => tableFile(readOperations().filter(isVoice))

/** The id of a telephony connector is no secret: the client sends it automatically. */
const lineTable = (isOne: (operation: Named) => boolean): string =>
  tableFile(
    readOperations()
      .filter(isOne)
      .map(one => ({ ...one, credential: one.credential.replace('+connectorId', '') })),
  )

/** The same of texts. */
export const textOperationTable = (): string => lineTable(isText)

/** The same of outbound calls. */
export const callOperationTable = (): string => lineTable(isCall)
