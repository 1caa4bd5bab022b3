import { callAt, type OutboundCall } from '../../domain/call/outbound-call.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { checked } from '../shared/checked.ts'
import { callReportSchema } from './call-fields.ts'

/** Names a call of an agent. */
export interface CallOfAgent {
  readonly agentId: AgentId
  /** `OUT-` and a UUID. */
  readonly id: string
  /** That of the call; in another one there is no such call. @default whichever it has */
  readonly environment?: Environment
}

/** The call as it stands now (OC6). @throws SCHEMA_VALIDATION_FAILED, CALLS_NOT_FOUND */
export async function findCall(
  { clock, settings, store }: Context,
  { agentId, environment, id }: CallOfAgent,
): Promise<OutboundCall> {
  checked(callReportSchema, { id })
  const stored = await store.conversations.outboundCalls.find(id)
  const isMeant =
    stored?.agentId === agentId && (environment === undefined || stored.environment === environment)
  const call = isMeant ? callAt(stored, { now: clock.now(), longest: settings.longestCall }) : null
  if (call !== null) return call
  throw new PlatformError(
    'CALLS_NOT_FOUND',
    'There is no such call. A call can be read for 2 hours after its end, in its environment.',
  )
}
