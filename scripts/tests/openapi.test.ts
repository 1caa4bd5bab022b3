import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, expect, it } from 'vitest'
import { routes } from '../../packages/core/src/http/routes.ts'
import { openApiFile } from '../document/contract/openapi.ts'

// That the committed file is the one that is made is tested with all made files.

let file = ''
beforeAll(() => {
  file = openApiFile()
})

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

it('DO38 the OpenAPI document has nothing that a linter objects to', async () => {
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

it('DO38 it has every route once, under the name of its operation, with its credential and its refusals', () => {
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
