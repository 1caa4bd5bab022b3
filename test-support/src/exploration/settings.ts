import type { MachineRules } from '../../../packages/core/src/domain/conversation/draft.ts'
import type { Setting } from './canonical.ts'

/**
 * As small as a limit can be without hiding what happens below, at and above it. A lease is one tick, and so is the
 * beat of a live agent's socket: a third of the absence.
 */
export const EXPLORED_RULES: MachineRules = {
  turnLease: 1,
  turnAttempts: 2,
  queuedMessages: 2,
  liveAgentAbsence: 3,
  returnToAgent: true,
  variableBytes: 65_536,
  conversationBytes: 16_777_216,
  conversationEvents: 50_000,
  awaitedEvents: 100,
  textLease: 1,
  textAttempts: 2,
  textWarning: 'Are you there?',
  messageBytes: 131_072,
  heartbeatSeconds: 30,
  files: null,
}

const messaging = { mode: 'server', kind: 'messaging', deployed: true, idle: 3, queueTimeout: 2 } as const

/** Explored settings: every way in which a connector or a channel can change the course. */
export const SETTINGS: readonly Setting[] = [
  { ...messaging, name: 'live agents, patient visitor' },
  { ...messaging, name: 'live agents, visitor who leaves before the queue gives up', idle: 1 },
  { ...messaging, name: 'client takes over', mode: 'client', warning: 1 },
  { ...messaging, name: 'no deployment at first', mode: 'client', deployed: false },
  { ...messaging, name: 'channel without live agents', kind: 'debug' },
]
