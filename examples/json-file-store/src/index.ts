export { createJsonFileStore } from './json-file-store.ts'
