import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@colloquy/core/store'
import { writeEmptyStore } from '@colloquy/test-support/sqlite-file'
import { onTestFinished } from 'vitest'
import { createSqliteStore, type SqliteStoreOptions } from '../src/index.ts'

/** A file name in a folder of its own, which goes when the test is over. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'store.db')
}

/** The name of a file of a store that holds nothing, for tests of what is done with it rather than of how it is made. */
export const temporaryStoreFile = (): string => writeEmptyStore(temporaryFile())

/** A store that is closed when the test is over. */
export function openStore(options: SqliteStoreOptions): Store {
  const store = createSqliteStore(options)
  onTestFinished(() => store.close())
  return store
}
