import type { MachineRules } from '../../../src/domain/conversation/draft.ts'

/** As small as a limit can be without hiding what happens below, at and above it. Times are ticks. */
export const EXPLORED_RULES: MachineRules = { turnLease: 1, turnAttempts: 2, queuedMessages: 2 }
