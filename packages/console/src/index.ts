export type { Person, Role } from '@colloquy/core'
export { type ConsoleOptions, createConsole } from './create-console.ts'
export { type PageFiles, readPageFiles } from './page-files.ts'
