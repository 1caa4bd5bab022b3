import type { MachineRules } from '../../../domain/conversation/draft.ts'
import type { Context } from '../../context.ts'
import { takenFiles } from '../../files/taken-files.ts'

/** Returns the limits that the host has set for the machine. */
export const machineRules = ({
  files,
  settings: { limits, ...settings },
}: Pick<Context, 'files' | 'settings'>): MachineRules => ({
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
  messageBytes: limits.messageBytes,
  heartbeatSeconds: settings.heartbeatSeconds,
  files: files === null ? null : takenFiles({ fileRules: settings.fileRules }),
})
