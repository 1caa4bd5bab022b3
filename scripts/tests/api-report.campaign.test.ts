import { beforeAll, expect, test } from 'vitest'
import { apiReports, keptReports } from '../api-report.ts'

const kept = keptReports()
let found: ReadonlyMap<string, string>

beforeAll(async () => {
  found = await apiReports()
}, 300_000)

test('PK14 each entry point has a report, and there is no other', () => {
  expect([...kept.keys()].sort()).toEqual([...found.keys()].sort())
  expect(kept.get('core.md')).toContain('export function createPlatform(')
})

test.each([...kept.keys()])('PK14 what api/%s says is what the build offers', file => {
  expect(found.get(file), 'If the change is meant: npm run api-report, and a changeset.').toBe(kept.get(file))
})
