import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { declaredAnswers } from '../../packages/core/src/http/answers/declared.ts'
import { ROUTES_AND_TESTS } from '../document/files.ts'
import { chosenTests, hasTest, NONE, shownRoutes, testsOn } from '../document/routes-and-tests.ts'
import { REPOSITORY } from '../workspace-packages.ts'

const PAGE = readFileSync(join(REPOSITORY, ROUTES_AND_TESTS), 'utf8')

test('every documented status of the families has a test, which is in the file that the page names', () => {
  const tests = testsOn(PAGE)
  const groups = shownRoutes()
  expect(groups.flatMap(([, routes]) => routes).length).toBeGreaterThan(45)
  for (const [name, routes] of groups) {
    expect(routes.length, name).toBeGreaterThan(0)
    for (const route of routes)
      for (const status of declaredAnswers(route).keys()) {
        const found = tests.get(`${route.operation} ${status}`)
        expect(found, `${route.operation} ${status}`).toBeDefined()
        expect(found === undefined || hasTest(found), JSON.stringify(found)).toBe(true)
      }
  }
  expect(PAGE).not.toContain(NONE)
})

test('of the tests that saw an answer the one that saw the fewest is named, as it stands in its file', () => {
  const file = 'packages/core/tests/http/order.test.ts'
  const [few, more] = [['a 404'], ['a 404', 'b 200']]
  const chosen = chosenTests([
    { file, title: 'HT14 so is a list of conversations', seen: more },
    { file, title: 'HT14 /deployments is refused for its agent before its query', seen: few },
    { file, title: 'HT14 that is in no file', seen: ['c 200'] },
  ])
  expect([...chosen]).toEqual([
    ['a 404', { file, title: 'HT14 %s is refused for its agent before its query' }],
    ['b 200', { file, title: 'HT14 so is a list of conversations' }],
  ])
  expect(hasTest({ file, title: 'HT14 that is in no file' })).toBe(false)
})
