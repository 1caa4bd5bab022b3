import * as z from 'zod'
import { type Colleague, serves } from '../../domain/conversation/desk-seat.ts'
import { queueNameSchema } from '../../domain/conversation/desk-service.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { PlatformError } from '../../errors.ts'
import { liveAgentIdSchema } from './desk-input.ts'
import { type ClosedQueue, closedUntil } from './queues.ts'

/** To whom a visitor is transferred: one of both. */
export const transferTargetSchema = z
  .object({
    liveAgentId: liveAgentIdSchema.exactOptional(),
    queueName: queueNameSchema.exactOptional(),
    reason: z.string().max(500).default(''),
  })
  .refine(
    ({ liveAgentId, queueName }) => (liveAgentId === undefined) !== (queueName === undefined),
    'expected either a live agent or a queue',
  )

/** To whom a visitor is transferred. */
export type TransferTarget = z.output<typeof transferTargetSchema>

const conflict = (message: string): PlatformError => new PlatformError('HANDOFF_CONFLICT', message)

/** Returns the error for a transfer into a queue that is closed (DK559). */
export const closedRefusal = (queueName: string, closed: ClosedQueue): PlatformError =>
  conflict(
    `The queue ${JSON.stringify(queueName)} is ${closedUntil(closed)}. Allowed: a colleague, or a queue that is open.`,
  )

const MOST_NAMED = 20

const list = (names: readonly string[]): string => names.slice(0, MOST_NAMED).join(', ')

/**
 * Returns the target of a transfer: a colleague who is at the desk, or a queue that a colleague there serves (DK41).
 * A colleague who is away counts for neither (DK600).
 *
 * @throws HANDOFF_CONFLICT naming the possible targets
 */
export function destinationOf(
  { handoff }: Pick<ConversationState, 'handoff'>,
  { liveAgentId, queueName = '' }: TransferTarget,
  colleagues: readonly Colleague[],
) {
  const own = handoff?.liveAgent
  const here = colleagues.filter(({ liveAgent }) => liveAgent.id !== own?.id)
  const others = here.filter(({ awaySince }) => awaySince === null)
  if (liveAgentId === undefined) {
    if (others.some(one => serves(one, queueName))) return { queueName }
    const queues = [...new Set(others.flatMap(({ queues: served }) => served ?? []))]
    const allowed = queues.length === 0 ? 'No other live agent is at the desk' : `Allowed: ${list(queues)}`
    throw conflict(
      `No other live agent at the desk serves the queue ${JSON.stringify(queueName)}. ${allowed}.`,
    )
  }
  if (liveAgentId === own?.id)
    throw conflict(`The visitor is with ${own.name} already. Transfer to another live agent, or to a queue.`)
  const found = others.find(({ liveAgent }) => liveAgent.id === liveAgentId)
  if (found !== undefined) return { liveAgent: found.liveAgent, acceptor: found.acceptor }
  const isAway = here.some(({ liveAgent }) => liveAgent.id === liveAgentId)
  const ids = others.map(({ liveAgent }) => liveAgent.id)
  const allowed = ids.length === 0 ? 'No one else is' : `Allowed: ${list(ids)}`
  const why = isAway ? 'is away' : 'is not at the desk'
  throw conflict(`The live agent ${JSON.stringify(liveAgentId)} ${why}. ${allowed}.`)
}
