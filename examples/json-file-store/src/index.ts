export { createJsonFileStore, openJsonFile } from './json-file-store.ts'
