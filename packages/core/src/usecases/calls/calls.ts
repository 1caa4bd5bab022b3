import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { CallReport, OutboundCall } from '../../domain/call/outbound-call.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import { agentId } from '../shared/arguments.ts'
import { environmentSchema } from '../shared/environment.ts'
import {
  type CallEnded,
  type CallFailed,
  type CallNamed,
  type CallOfAgent,
  callEndedSchema,
  callFailedSchema,
  callOfAgentSchema,
  callReportSchema,
  type OutboundCallInput,
  outboundCallSchema,
} from './call-fields.ts'
import { usualLine } from './call-line.ts'
import type { CallParts } from './call-parts.ts'
import { findCall } from './find-call.ts'
import { placeCall } from './place-call.ts'
import { reportCall } from './report-call.ts'

/**
 * Calls that agents make (contract/calls.md). The host's provider makes them, and the host reports what becomes of
 * each. A report resolves to whether it has changed the call: what comes late, twice or out of order does not.
 */
export interface Calls {
  /**
   * Requests a call from the provider.
   *
   * @throws CONNECTORS_NOT_FOUND, NOT_IMPLEMENTED, CHAT_DRAFT_NOT_EXIST, VARIANTS_NOT_FOUND, RATE_LIMITED,
   * SCHEMA_VALIDATION_FAILED, PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT
   * @throws CALLS_PROVIDER_FAILED when the provider did not take it within `callDeadline`
   */
  place(call: OutboundCallInput): Promise<OutboundCall>
  /** Returns the status of a call, until 2 hours after its end. @throws CALLS_NOT_FOUND, SCHEMA_VALIDATION_FAILED */
  find(call: CallOfAgent): Promise<OutboundCall>
  /** Returns the telephony connector over which the agent calls by default. Null without one. */
  usualConnector(agentId: AgentId, environment: Environment): Promise<TelephonyConnector | null>
  /** Reports that the call rings. */
  ringing(report: CallNamed): Promise<boolean>
  /** Reports that the user has answered. From now on the call is a conversation of its id, in progress. */
  answered(report: CallNamed): Promise<boolean>
  /** Reports that the call is over, and so is its conversation. A call that nobody has answered has failed (OC10). */
  ended(report: CallEnded): Promise<boolean>
  /** Reports that the call came to nothing, or broke off. */
  failed(report: CallFailed): Promise<boolean>
}

const { call } = callsWith<CallParts>()

const take = async (deps: CallParts, id: string, report: CallReport): Promise<boolean> =>
  (await reportCall(deps, id, report))?.changed ?? false

/** The implementations of the calls about outbound calls. */
export const outboundCalls = {
  place: call(() => [outboundCallSchema], placeCall),
  find: call(() => [callOfAgentSchema], findCall),
  usualConnector: call(
    () => [agentId, ['environment', environmentSchema]],
    (deps, agent, environment) => usualLine(deps, agent, { environment }),
  ),
  ringing: call(
    () => [callReportSchema],
    (deps, { id }) => take(deps, id, { type: 'ringing' }),
  ),
  answered: call(
    () => [callReportSchema],
    (deps, { id }) => take(deps, id, { type: 'answered' }),
  ),
  ended: call(
    () => [callEndedSchema],
    (deps, { id, ...end }) => take(deps, id, { type: 'ended', ...end }),
  ),
  failed: call(
    () => [callFailedSchema],
    (deps, { id, reason }) => take(deps, id, { type: 'failed', reason }),
  ),
} satisfies CallsOf<Calls, CallParts>
