export type { SqliteStoreOptions } from './database/database.ts'
export { createSqliteStore } from './store.ts'
