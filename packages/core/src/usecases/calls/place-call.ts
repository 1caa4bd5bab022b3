import { callIdOf, isOver, newCall, type OutboundCall } from '../../domain/call/outbound-call.ts'
import { E164, toPhoneNumber } from '../../domain/telephony/phone-number.ts'
import { PlatformError } from '../../errors.ts'
import type { CallProvider } from '../../ports/call-provider.ts'
import { within } from '../../shared/deadline.ts'
import { refuseOver } from '../access/limiters.ts'
import type { Context } from '../context.ts'
import { pinningOver } from '../shared/pinning.ts'
import type { OutboundCallInput } from './call-fields.ts'
import { lineFor } from './call-line.ts'
import type { CallParts } from './call-parts.ts'
import { reportCall } from './report-call.ts'

/**
 * Stores a call and asks the provider to make it (OC1). It is in the store first: a process that is killed in between
 * leaves a call that fails automatically (OC16).
 */
export async function placeCall(deps: CallParts, input: OutboundCallInput): Promise<OutboundCall> {
  const to = await numberOf(input)
  const line = await lineFor(deps, input)
  const { callProvider, clock, ids, limiters, settings, store } = deps
  if (callProvider === null)
    throw new PlatformError(
      'NOT_IMPLEMENTED',
      'This server makes no calls: it was started without callProvider.',
    )
  await pinningOver(deps, line, null, input.variantId)
  refuseOver(await limiters.calls.take(line.agentId), 'calls of the agent')
  const from = (await deps.numbersOf(line)).find(number => E164.test(number)) ?? null
  const { accountId, agentId, environment, id: connectorId } = line
  // The one that speaks (OC1).
  const variantId = input.variantId ?? line.variantId
  const { encryption = 'tls_srtp', metadata = {} } = input
  const call = newCall(
    {
      ...{ id: callIdOf(ids.uuid()), accountId, agentId, environment, connectorId, variantId },
      ...{ from, to, encryption, metadata, createdAt: clock.now() },
    },
    { deadline: settings.callDeadline },
  )
  if ((await store.conversations.outboundCalls.save(call, 0)) === 'stale')
    throw new PlatformError('WRITE_CONFLICT', 'The id of the call is taken. Try again.')
  return ask(deps, callProvider, call)
}

/** @throws PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT */
async function numberOf({ to, country }: Pick<OutboundCallInput, 'to' | 'country'>): Promise<string> {
  const number = await toPhoneNumber(to, country)
  if (number !== null) return number
  const allowed =
    country === undefined
      ? 'in E.164, for example +442079460018, or have a country'
      : `as ${country.toUpperCase()} writes it, if that is one of ISO 3166-1, or in E.164`
  throw new PlatformError(
    'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT',
    `The phone number "${to}" is not valid: it must be ${allowed}.`,
  )
}

/** @throws CALLS_PROVIDER_FAILED when the provider did not take it, or not in time; the call has failed then (OC5) */
async function ask(deps: CallParts, provider: CallProvider, call: OutboundCall): Promise<OutboundCall> {
  const { settings } = deps
  try {
    const providerId = await placeWithin(deps, provider, call)
    const placed = await reportCall(deps, call.id, { type: 'placed', providerId })
    return placed?.call ?? call
  } catch (cause) {
    settings.onError(cause, 'call provider')
    const reason = 'The call provider did not take the call.'
    const unplaced = await reportCall(deps, call.id, { type: 'unplaced', reason })
    // The provider has reported already that it rings: it has the call, although its answer was lost.
    if (unplaced !== null && !isOver(unplaced.call)) return unplaced.call
    throw new PlatformError('CALLS_PROVIDER_FAILED', `${reason} Try again later.`, { cause })
  }
}

async function placeWithin(
  { clock, settings }: Context,
  provider: CallProvider,
  { encryption, environment, from, id, metadata, to, variantId }: OutboundCall,
): Promise<string> {
  const limit = settings.callDeadline
  const late = new PlatformError('INTERNAL', `The call provider did not answer within ${limit} ms.`)
  const answer: unknown = await within(clock, { limit, late }, async signal =>
    provider.place({ encryption, environment, from, id, metadata: { ...metadata }, to, variantId, signal }),
  )
  const told =
    typeof answer === 'object' && answer !== null && 'providerId' in answer ? answer.providerId : null
  if (typeof told === 'string' && told !== '' && told.length <= 1_000) return told
  throw new TypeError('A call provider must answer {providerId} with a string of 1 to 1,000 characters.')
}
