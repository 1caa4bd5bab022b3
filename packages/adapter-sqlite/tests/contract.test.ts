import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@colloquy/core/store'
import { testStore } from '@colloquy/core/testing/contracts'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { afterAll } from 'vitest'
import { createSqliteStore } from '../src/store.ts'

// Slow: each write of the contract is an fsync of a file.

const folder = mkdtempSync(join(tmpdir(), 'colloquy-contract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const filenames = new WeakMap<Store, string>()
let files = 0

function openFile(filename: string): Store {
  const store = createSqliteStore({ filename })
  filenames.set(store, filename)
  return store
}

testStore('SQLite file', {
  open: async () => openFile(writeEmptyStore(join(folder, `${files++}.db`))),
  reopen: async store => openFile(filenames.get(store) ?? ''),
})
