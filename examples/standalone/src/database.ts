import { resolve } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core/store'
import { StartError } from './start-error.ts'

/** Why the driver refuses it; the store's own error would name the file again. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error && error.cause !== undefined ? error.cause : error
  return (reason instanceof Error ? reason.message : String(reason)).replace(/\.$/, '')
}

/**
 * Opens the database; a new one, and folders that are made for it, are readable by their owner alone.
 * @throws StartError
 */
export function openDatabase(database: string): Store {
  if (database === ':memory:') return createSqliteStore({ filename: database })
  const filename = resolve(database)
  try {
    return createSqliteStore({ filename })
  } catch (error) {
    throw new StartError(
      `COLLOQUY_DATABASE ${JSON.stringify(filename)} cannot be opened: ${reasonOf(error)}. It must be the name of a file that this user may read and write, or :memory:.`,
    )
  }
}
