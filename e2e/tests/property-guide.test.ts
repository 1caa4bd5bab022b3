import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// Its tests run with this one.
import '../src/own-flow.ts'

test('DO8 the property tests of the guide are the ones that are run', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../../docs/guides/property-testing.md')).toContain(
    `\`\`\`ts\n${read('../src/own-flow.ts')}\`\`\`\n`,
  )
})
