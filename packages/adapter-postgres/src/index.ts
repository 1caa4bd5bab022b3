export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './database/pool.ts'
export { createPostgresStore, type PostgresStoreOptions } from './store.ts'
