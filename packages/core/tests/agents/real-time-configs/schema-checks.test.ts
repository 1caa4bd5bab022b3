import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/domain/json.ts'
import { createSchemaChecks, schemaCheck } from '../../../src/usecases/agents/content/schema-checks.ts'

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const numbered = (number: number): JsonObject => ({ title: `${number}` })

test('FZ5 short schemas fill the cache as long ones do', async () => {
  const checks = createSchemaChecks()
  for (let number = 0; number < 2_000; number++) await schemaCheck(checks, numbered(number))
  // Each of them holds a compiler: some 22 kB.
  expect(checks.size).toBeLessThan(1_700)
  expect(checks.size).toBeGreaterThan(1_500)
  expect(checks.has(JSON.stringify(numbered(0)))).toBe(false)
  expect(checks.has(JSON.stringify(numbered(1_999)))).toBe(true)
})

test('FZ5 a schema that fills the cache by itself is kept alone', async () => {
  const checks = createSchemaChecks()
  await schemaCheck(checks, numbered(1))
  await schemaCheck(checks, { title: 'x'.repeat(1_000_000) })
  expect(checks.size).toBe(1)
})

test('FZ5 a check keeps nothing of the values that it has refused', async () => {
  const check = await schemaCheck(createSchemaChecks(), { properties: { a: { type: 'string' } } })
  const refused = await refuse(check)
  // Weak references are cleared between two turns of the event loop, when somebody collects.
  await new Promise(resolve => setImmediate(resolve))
  collectGarbage()
  expect(refused.deref()).toBeUndefined()
  // The check itself was there all the time.
  expect(check({})).toEqual([])
})

async function refuse(check: (variables: JsonObject) => readonly string[]): Promise<WeakRef<JsonObject>> {
  const a = { b: 1 }
  expect(check({ a })).toHaveLength(1)
  return new WeakRef(a)
}
