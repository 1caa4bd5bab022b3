import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core/store'

/** True for the address of a database of PostgreSQL, and not for the name of a file. */
export const isPostgres = (database: string): boolean => /^postgres(ql)?:/.test(database)

/** Opens the store of all nodes: a database of PostgreSQL by its address, or a file of SQLite by its name. */
export const openStore = async (database: string): Promise<Store> =>
  isPostgres(database) ? createPostgresStore({ url: database }) : createSqliteStore({ filename: database })
