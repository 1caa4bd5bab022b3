import type { AgentId, Platform } from '@colloquy/core'

/** Records what was said in a call. */
export const recordSaid = (
  { conversations }: Platform,
  { agentId, callSid, number }: { agentId: AgentId; callSid: string; number: number },
  said: { userInput: string; userInputAt: number; agentResponse: string },
) => conversations.recordTurn({ agentId, conversationId: callSid, turnId: `${callSid}.${number}`, ...said })
