import { resolve } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core'
import { StartError } from './start-error.ts'

/** Opens the database; a new one, and folders that are made for it, are readable by their owner alone. @throws StartError */
export function openDatabase(database: string): Store {
  try {
    if (database === ':memory:') return createSqliteStore({ filename: database })
    return createSqliteStore({ filename: resolve(database) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`COLLOQUY_DATABASE ${JSON.stringify(database)} cannot be opened: ${reason}`)
  }
}
