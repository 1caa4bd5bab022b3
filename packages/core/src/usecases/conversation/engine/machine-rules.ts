import type { MachineRules } from '../../../domain/conversation/draft.ts'
import type { Settings } from '../../../settings/settings.ts'

/** Returns the limits that the host has set for the machine. */
export const machineRules = ({ limits, ...settings }: Settings): MachineRules => ({
  turnLease: settings.turnLease,
  turnAttempts: settings.turnAttempts,
  queuedMessages: limits.queuedMessages,
  liveAgentAbsence: settings.liveAgentAbsence,
  returnToAgent: settings.returnToAgent,
  variableBytes: limits.variableBytes,
  conversationBytes: limits.conversationBytes,
  conversationEvents: limits.conversationEvents,
  awaitedEvents: limits.awaitedEvents,
  // One text is asked for at a time, and no answer counts that comes later than the carrier may take.
  textLease: settings.textDeadline * 2,
  textAttempts: settings.textAttempts,
  textWarning: settings.textWarning,
})
