import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@colloquy/core'
import { testStore } from '@colloquy/core/testing'
import { afterAll, beforeAll } from 'vitest'
import { createSqliteStore } from '../src/index.ts'

let folder: string
const files = new Map<Store, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-contract-'))
})
afterAll(() => rm(folder, { recursive: true }))

function openFile(filename: string): Store {
  const store = createSqliteStore({ filename })
  files.set(store, filename)
  return store
}

testStore('sqlite', {
  open: async () => openFile(join(folder, `${files.size}.db`)),
  reopen: async store => openFile(files.get(store) ?? ''),
})
