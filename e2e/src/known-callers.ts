import type { ConversationId, Platform } from '@colloquy/core'

/** A call as the voice stack has it. */
export interface IncomingCall {
  readonly callId: string
  /** Both E.164. */
  readonly from: string
  readonly to: string
  readonly startedAt: number
}

/** Whom a number belongs to that nobody has reserved. */
export interface UsualAgent {
  readonly accountId: string
  readonly agentId: string
}

/** Opens the record of a call that comes in, with what is known of who calls. */
export async function answer(
  platform: Platform,
  { callId, from, to, startedAt }: IncomingCall,
  usual: UsualAgent,
): Promise<ConversationId> {
  const reserved = await platform.telephony.reservationOf(to)
  const { accountId, agentId } = reserved ?? usual
  const { conversationId } = await platform.conversations.start({
    ...{ accountId, agentId, environment: 'live', channel: 'VOICE-SIP' },
    ...{ conversationId: callId, startedAt, fromNumber: from, toNumber: to },
    integrationAttributes: reserved?.attributes ?? {},
  })
  return conversationId
}
