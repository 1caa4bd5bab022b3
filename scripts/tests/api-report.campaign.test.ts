import { beforeAll, expect, test } from 'vitest'
import { apiReports, keptReports } from '../api-report.ts'

/**
 * A report without the order of members of types: TypeScript gives it as it comes upon them, which differs from build to
 * build.
 */
const unordered = (report = ''): readonly string[] =>
  report
    .split('\n')
    .map(line => (line.replace(/[;,]$/, '').match(/[\w$'"`.-]+|[^\s\w]/g) ?? []).toSorted().join(' '))
    .toSorted()

const kept = keptReports()
let found: ReadonlyMap<string, string>

beforeAll(async () => {
  found = await apiReports()
})

test('PK14 each entry point has a report, and there is no other', () => {
  expect([...kept.keys()].sort()).toEqual([...found.keys()].sort())
  expect(kept.get('core.md')).toContain('export function createPlatform(')
})

test.each([...kept.keys()])('PK14 what api/%s says is what the build offers', file => {
  const told = 'If the change is meant: npm run api-report, and a line in docs/before-0.1.md.'
  expect(unordered(found.get(file)), told).toEqual(unordered(kept.get(file)))
})
