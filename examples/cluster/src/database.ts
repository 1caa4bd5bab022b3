import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core/store'

/** Opens the store of all nodes: a database of PostgreSQL by its address, or a file of SQLite by its name. */
export const openStore = async (database: string): Promise<Store> =>
  /^postgres(ql)?:/.test(database)
    ? createPostgresStore({ url: database })
    : createSqliteStore({ filename: database })
