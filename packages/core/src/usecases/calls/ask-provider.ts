import * as z from 'zod'
import type { CallReport, OutboundCall } from '../../domain/call/outbound-call.ts'
import { PlatformError } from '../../errors.ts'
import type { CallStanding } from '../../ports/call-provider.ts'
import { within } from '../../shared/deadline.ts'
import type { Context } from '../context.ts'
import { callReason } from './call-fields.ts'

const standingSchema = z.union([
  z.object({ type: z.literal(['queued', 'ringing', 'answered', 'unknown']) }),
  z.object({
    type: z.literal('ended'),
    reason: callReason.exactOptional(),
    answered: z.boolean().exactOptional(),
  }),
  z.object({ type: z.literal('failed'), reason: callReason }),
])

/** Returns a provider's answer as a report (OC16). Null for one with no news. */
function reportOf(standing: CallStanding): CallReport | null {
  switch (standing.type) {
    case 'queued':
      return null
    case 'unknown':
      return { type: 'failed', reason: 'The call provider does not know the call.' }
    default:
      return standing
  }
}

async function standingWithin(
  { clock, settings }: Context,
  ask: (signal: AbortSignal) => Promise<unknown>,
  closing: AbortSignal | undefined,
): Promise<CallStanding> {
  const limit = settings.callDeadline
  const late = new PlatformError(
    'INTERNAL',
    `The call provider did not say within ${limit} ms how a call stands.`,
  )
  const answer = await within(clock, { limit, late, outer: closing }, ask)
  const { data } = standingSchema.safeParse(answer)
  if (data !== undefined) return data
  throw new TypeError(
    'A call provider must say how a call stands: {type}, and {reason} of 1 to 1,000 characters for a failed one.',
  )
}

/**
 * Asks the provider about a call, and returns its answer as a report. Returns null if the provider has no news, cannot
 * tell (OC16) or cannot be asked, and for a call of which it gave no id.
 *
 * @param closing cancels the question.
 */
export async function askProvider(
  context: Context,
  { id, providerId }: OutboundCall,
  closing?: AbortSignal,
): Promise<CallReport | null> {
  const { callProvider, settings } = context
  const isGivenUp = () => closing?.aborted === true
  if (isGivenUp() || providerId === null || callProvider?.status === undefined) return null
  const status = callProvider.status.bind(callProvider)
  try {
    return reportOf(
      await standingWithin(context, async signal => status({ id, providerId, signal }), closing),
    )
  } catch (cause) {
    if (!isGivenUp()) settings.onError(cause, 'call provider')
    return null
  }
}
