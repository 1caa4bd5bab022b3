export { openDemoSession } from './open-session.ts'
export type { Seat } from './seat.ts'
export { runTerminal, type TerminalOptions } from './terminal.ts'
