import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { routes } from '../../packages/core/src/http/routes.ts'
import { objection, schemasIn } from '../../test-support/src/contract-document.ts'
import { REPOSITORY } from '../workspace-packages.ts'

// Slow: the whole OpenAPI document is linted, and every example of it is checked.

// That the committed file is the one that is made is tested with all made files.

const file = readFileSync(join(REPOSITORY, 'packages/core/openapi.json'), 'utf8')

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

it('DO30 the OpenAPI document has nothing that a linter objects to', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // `/v1/agents/{agentId}/conversations` is never taken for `/v1/{account_id}/{project_id}/conversations`: a literal wins.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: file, absoluteRef: 'openapi.json', config })
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
})

it('DO30 it has every route once, under the name of its operation, with its credential and its refusals', () => {
  const { paths } = JSON.parse(file)
  const operations = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method]
      return operation === undefined ? [] : [`${method} ${path} ${operation.operationId}`]
    }),
  )
  const expected = routes.map(
    ({ method, path, operation }) =>
      `${method.toLowerCase()} ${path.replace(/:([^/]+)/g, '{$1}')} ${operation}`,
  )
  expect(operations.toSorted()).toEqual(expected.toSorted())
})

interface Example {
  readonly schema: unknown
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly (Example & { readonly name: string; readonly required: boolean })[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Example>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Example>> }>>
}

it('each operation has an example of what it needs and of what it answers, and every example fits', () => {
  const document = JSON.parse(file)
  const checkAt = schemasIn(document)
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = document.paths
  let fitting = 0
  const faults: string[] = []

  function look(name: string, { example }: Example, needed: boolean, pointer: readonly string[]): void {
    const fault = objection(checkAt(...pointer, 'schema')(), example, name)
    if (example === undefined && needed) faults.push(`${name} has no example`)
    else if (example !== undefined && fault !== null) faults.push(fault)
    else if (example !== undefined) fitting += 1
  }

  for (const [path, item] of Object.entries(paths))
    for (const [method, { operationId, parameters = [], requestBody, responses }] of Object.entries(item)) {
      const at = ['paths', path, method]
      for (const [index, one] of parameters.entries())
        look(`${operationId} ${one.name}`, one, one.required, [...at, 'parameters', String(index)])
      for (const [type, one] of Object.entries(requestBody?.content ?? {}))
        look(operationId, one, requestBody?.required === true, [...at, 'requestBody', 'content', type])
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const [type, one] of Object.entries(content)) {
          const isJson = type === 'application/json'
          look(`${operationId} ${status}`, one, isJson, [...at, 'responses', status, 'content', type])
        }
    }
  expect(faults).toEqual([])
  expect(fitting).toBeGreaterThan(250)
})

/** The components that TypeScript has to know at once to know a schema: the fields of an object can wait. */
function knownAtOnce(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const ref: unknown = Reflect.get(schema, '$ref')
  if (typeof ref === 'string') return [ref.replace('#/components/schemas/', '')]
  const parts: unknown[] = ['anyOf', 'oneOf', 'allOf'].flatMap(name => Reflect.get(schema, name) ?? [])
  return [...parts, Reflect.get(schema, 'items')].flatMap(knownAtOnce)
}

it('no component holds itself in a way that TypeScript cannot declare as a property', () => {
  const schemas: Record<string, unknown> = JSON.parse(file).components.schemas
  const reached = (name: string): ReadonlySet<string> => {
    const found = new Set(knownAtOnce(schemas[name]))
    for (const next of found) for (const more of knownAtOnce(schemas[next])) found.add(more)
    return found
  }
  expect(knownAtOnce({ anyOf: [{ type: 'array', items: { $ref: '#/components/schemas/Json' } }] })).toEqual([
    'Json',
  ])
  expect(Object.keys(schemas)).toContain('Json')
  expect(Object.keys(schemas).filter(name => reached(name).has(name))).toEqual([])
})
