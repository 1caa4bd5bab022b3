import type { MachineRules } from './draft.ts'

/** The rules of the machine where the host sets none: the same as the default settings. Times are milliseconds. */
export const DEFAULT_RULES: MachineRules = {
  turnLease: 15_000,
  turnAttempts: 3,
  queuedMessages: 50,
  liveAgentAbsence: 60_000,
  returnToAgent: true,
  variableBytes: 65_536,
  conversationBytes: 16_777_216,
  conversationEvents: 50_000,
  awaitedEvents: 100,
  textLease: 20_000,
  textAttempts: 20,
  textWarning: 'Are you still there? This conversation will end soon unless you reply.',
  messageBytes: 131_072,
  heartbeatSeconds: 30,
  files: null,
}
