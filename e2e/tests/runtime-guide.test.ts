import { readFileSync } from 'node:fs'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { testRuntime } from '@colloquy/core/testing/contracts'
import { expect, test } from 'vitest'
import { createWordForWordRuntime } from '../src/runtime.ts'

testRuntime('the guide’s', {
  make: () => createWordForWordRuntime(),
  openStore: async () => createSqliteStore({ filename: ':memory:' }),
})

test('DO8 the runtime of the guide is the one that is tested', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../../docs/guides/runtimes.md')).toContain(read('../src/runtime.ts'))
})
