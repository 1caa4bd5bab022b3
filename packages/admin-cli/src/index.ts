export { runAdmin } from './run-admin.ts'
export type { Terminal } from './terminal.ts'
