export { createSqliteStore, type SqliteStoreOptions } from './store.ts'
