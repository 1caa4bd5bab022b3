import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Caller } from '../../domain/audit/audit.ts'
import type { DeskActor } from '../../domain/conversation/desk-actor.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'
import type { AuditOf } from '../conversation/engine/engine.ts'
import type { LiveAgent } from './desk-handoff.ts'
import type { TransferTarget } from './transfer.ts'

/** The schema of {@link DeskActing}. */
export const deskActingSchema = z.object({
  /** The ids of the live agents as whom the caller may act; null: any. @default null */
  liveAgentIds: z.array(z.string()).nullable().exactOptional(),
  /** An operator ends what others have accepted (DK41). @default false */
  isOperator: z.boolean().exactOptional(),
})

/** The live agent as whom a call of the desk acts. A person acts only as that person, whatever is given (DK40). */
export type DeskActing = InputOf<typeof deskActingSchema>

/** The schema of {@link DeskAccepting}. */
export const deskAcceptingSchema = deskActingSchema.extend({
  /** Also from another live agent who has the visitor (DK611). @default false */
  takeOver: z.boolean().default(false),
})

/** The options of accepting a visitor. */
export type DeskAccepting = InputOf<typeof deskAcceptingSchema>

/** Returns the actor of a call. A person acts as that person alone. Any other caller acts as the call names (DK40). */
export const actorOf = (
  { type, id }: Pick<Caller, 'type' | 'id'>,
  { isOperator = false, liveAgentIds = null }: DeskActing,
): DeskActor => ({
  ...{ type, id, isOperator },
  liveAgentIds: type === 'person' && id !== null ? [id] : liveAgentIds,
})

/** Returns the name under which visitors meet a person. */
export const nameOfPerson = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === '' ? id : name

const forbidden = (message: string): PlatformError => new PlatformError('USER_ACCESS_FORBIDDEN', message)

/** @throws USER_ACCESS_FORBIDDEN for the id of a live agent as whom the caller may not act (DK40) */
export function refuseStranger({ liveAgentIds }: DeskActor, id: string, field: string): void {
  if (liveAgentIds !== null && !liveAgentIds.includes(id))
    throw forbidden(
      `${field} must not be ${JSON.stringify(id)}. Allowed: ${liveAgentIds.slice(0, 20).join(', ')}.`,
    )
}

/** @throws USER_ACCESS_FORBIDDEN for a live agent as whom the caller may not act (DK40) */
export function refuseImpostor(
  { type, id, name }: Caller,
  actor: DeskActor,
  liveAgent: Pick<LiveAgent, 'id' | 'name'>,
): void {
  refuseStranger(actor, liveAgent.id, 'agent.id')
  if (type !== 'person' || id === null) return
  const own = nameOfPerson({ id, name })
  if (liveAgent.name !== own)
    throw forbidden(`agent.name must not be ${JSON.stringify(liveAgent.name)}. Allowed: ${own}.`)
}

const detailsOf = ({ id, name }: Pick<LiveAgent, 'id' | 'name'>): JsonObject => ({ id, name })

/**
 * Makes the audit details of an act: the actor, the live agent as whom they act, and the one from whom a visitor was
 * taken over.
 */
export const deskAudit =
  (
    acting: Acting,
    handoffId: string,
    what: 'handoff.left' | 'handoff.returned' | 'handoff.rejected' | LiveAgent,
  ): AuditOf =>
  ({ accountId, agentId, handoff }) => {
    const before = handoff?.status === 'active' ? handoff.liveAgent : null
    const subject = { accountId, agentId, resourceId: handoffId }
    if (typeof what === 'string') {
      const details = before === null ? {} : { liveAgent: detailsOf(before) }
      return auditEntry(acting, what, { ...subject, details })
    }
    const liveAgent = detailsOf(what)
    return before === null
      ? auditEntry(acting, 'handoff.accepted', { ...subject, details: { liveAgent } })
      : auditEntry(acting, 'handoff.taken_over', {
          ...subject,
          details: { liveAgent, from: detailsOf(before) },
        })
  }

/** Makes the audit details of a transfer: its source, its target and the reason. */
export const transferAudit =
  (acting: Acting, handoffId: string, { liveAgentId, queueName, reason }: TransferTarget): AuditOf =>
  ({ accountId, agentId, handoff }) =>
    auditEntry(acting, 'handoff.transferred', {
      ...{ accountId, agentId, resourceId: handoffId },
      details: {
        ...(handoff?.liveAgent == null ? {} : { liveAgent: detailsOf(handoff.liveAgent) }),
        to: liveAgentId === undefined ? { queue: queueName ?? '' } : { liveAgent: liveAgentId },
        reason,
      },
    })
