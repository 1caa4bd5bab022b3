import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core'
import { StartError } from './start-error.ts'

/** Opens the database, and makes its folder first, readable by its owner alone. @throws StartError */
export function openDatabase(database: string): Store {
  try {
    if (database === ':memory:') return createSqliteStore({ filename: database })
    const filename = resolve(database)
    mkdirSync(dirname(filename), { recursive: true, mode: 0o700 })
    return createSqliteStore({ filename })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`COLLOQUY_DATABASE ${JSON.stringify(database)} cannot be opened: ${reason}`)
  }
}
