import type * as z from 'zod'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { CallReport, OutboundCall } from '../../domain/call/outbound-call.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { checked } from '../shared/checked.ts'
import {
  type CallEnded,
  type CallFailed,
  type CallNamed,
  callEndedSchema,
  callFailedSchema,
  callReportSchema,
  type OutboundCallInput,
} from './call-fields.ts'
import { usualLine } from './call-line.ts'
import type { CallParts } from './call-parts.ts'
import { type CallOfAgent, findCall } from './find-call.ts'
import { placeCall } from './place-call.ts'
import { reportCall } from './report-call.ts'

/**
 * Calls that agents make (contract/calls.md). The host's provider makes them, and the host reports what becomes of
 * each. A report resolves to whether it has changed the call: what comes late, twice or out of order does not.
 */
export interface Calls {
  /**
   * Asks the provider for a call.
   * @throws CONNECTORS_NOT_FOUND, NOT_IMPLEMENTED, CHAT_DRAFT_NOT_EXIST, VARIANTS_NOT_FOUND, RATE_LIMITED,
   *   SCHEMA_VALIDATION_FAILED, PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT
   * @throws CALLS_PROVIDER_FAILED when the provider did not take it within `callDeadline`
   */
  place(call: OutboundCallInput): Promise<OutboundCall>
  /** How a call stands, until 2 hours after its end. @throws CALLS_NOT_FOUND, SCHEMA_VALIDATION_FAILED */
  find(call: CallOfAgent): Promise<OutboundCall>
  /** The telephony connector over which the agent calls where none is named; null without one. */
  usualConnector(agentId: AgentId, environment: Environment): Promise<TelephonyConnector | null>
  /** It rings. */
  ringing(report: CallNamed): Promise<boolean>
  /** The user has answered: from now on the call is a conversation of its id, in progress. */
  answered(report: CallNamed): Promise<boolean>
  /** It is over, and so is its conversation. A call that nobody has answered has failed (OC56). */
  ended(report: CallEnded): Promise<boolean>
  /** It came to nothing, or broke off. */
  failed(report: CallFailed): Promise<boolean>
}

/** The calls over the context's store. */
export function createCalls(context: Context, parts: CallParts): Calls {
  const take = async (
    schema: z.ZodType<CallNamed>,
    given: CallNamed,
    report: CallReport,
  ): Promise<boolean> => {
    const { id } = checked(schema, given)
    return (await reportCall(context, parts, id, report))?.changed ?? false
  }
  return {
    place: call => placeCall(context, parts, call),
    find: call => findCall(context, parts, call),
    usualConnector: (agentId, environment) => usualLine(context, agentId, { environment }),
    ringing: report => take(callReportSchema, report, { type: 'ringing' }),
    answered: report => take(callReportSchema, report, { type: 'answered' }),
    ended: report =>
      take(callEndedSchema, report, {
        type: 'ended',
        ...(report.reason === undefined ? {} : { reason: report.reason }),
        ...(report.answered === undefined ? {} : { answered: report.answered }),
      }),
    failed: report => take(callFailedSchema, report, { type: 'failed', reason: report.reason }),
  }
}
