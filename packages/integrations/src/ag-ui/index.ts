export type { AgUiEvent } from './events.ts'
export { type AgUiHandler, type AgUiOptions, type AgUiVisitor, createAgUiHandler } from './handler.ts'
