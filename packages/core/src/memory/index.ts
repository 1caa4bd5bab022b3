export { createMemoryDocuments } from './documents.ts'
export { createMemoryStore } from './store.ts'
