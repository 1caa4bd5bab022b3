export { createMariaStore, type MariaStoreOptions } from './store.ts'
