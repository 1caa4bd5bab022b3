export { createPostgresBus, type PostgresBusOptions } from './bus/postgres-bus.ts'
export type { PostgresConnectionOptions } from './bus/postgres-connection.ts'
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './database/pool.ts'
export { createPostgresStore, type PostgresStoreOptions } from './store.ts'
