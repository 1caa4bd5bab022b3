import type { HandoffContext } from '@colloquy/core'
import { z } from 'zod'

/** The handoff as the other system knows it. It sends `handoff_id` and `account_id` back with all that it reports. */
const handoffSchema = z.object({
  handoff_id: z.string(),
  account_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  queue_name: z.string(),
  reason: z.string(),
  destination: z.string(),
  /** The visitor's identity as given by the host; null for a visitor without a name. */
  visitor: z
    .object({ id: z.string(), name: z.string().exactOptional(), language: z.string().exactOptional() })
    .nullable(),
})

const saidSchema = z.object({ from: z.string(), text: z.string(), at: z.number() })

/** Calls of the platform to the other system. Times are milliseconds since the epoch. */
export const callSchema = z.discriminatedUnion('type', [
  /** `transcript`: what was said before, to read. What is said from then on comes as `visitor.message`. */
  z.object({
    type: z.literal('handoff.requested'),
    handoff: handoffSchema,
    transcript: z.array(saidSchema),
  }),
  z.object({
    type: z.literal('visitor.message'),
    handoff: handoffSchema,
    message: z.object({ message_id: z.string(), text: z.string(), at: z.number() }),
  }),
  z.object({
    type: z.literal('visitor.typing'),
    handoff: handoffSchema,
    state: z.enum(['started', 'stopped']),
  }),
  z.object({ type: z.literal('handoff.cancelled'), handoff: handoffSchema, reason: z.string() }),
])
export type Call = z.output<typeof callSchema>

/** The handoff in the words of the wire. */
export const handoffOnWire = (handoff: HandoffContext): Call['handoff'] => ({
  handoff_id: handoff.handoffId,
  account_id: handoff.accountId,
  session_id: handoff.conversationId,
  agent_id: handoff.agentId,
  queue_name: handoff.queueName,
  reason: handoff.reason,
  destination: handoff.destination,
  visitor: handoff.visitor,
})

/** The idempotency key of a call: the same when it is made again, also by another process after a crash. */
export function callId(call: Call): string {
  const key = call.type === 'visitor.message' ? call.message.message_id : call.type
  return `${call.handoff.handoff_id}-${key}`.replace(/[^\w-]/g, '_')
}
