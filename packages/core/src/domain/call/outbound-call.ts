import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, ConnectorId } from '../ids.ts'

/** The encryption of a call's speech and signals. */
export const CALL_ENCRYPTIONS = ['tls_srtp', 'tls_rtp', 'udp_srtp', 'udp_rtp'] as const
export type CallEncryption = (typeof CALL_ENCRYPTIONS)[number]

/** The statuses of a call, as its callers see them. The last two are final. */
export const CALL_STATUSES = ['QUEUED', 'CALLING', 'SUCCESS', 'FAILURE'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

/** The progress of a call. */
export type CallPhase = 'queued' | 'calling' | 'answered' | 'succeeded' | 'failed'

/** Begins every call's id; a UUID follows. */
const PREFIX = 'OUT-'

/** The id of a call. */
export const CALL_ID = /^OUT-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns the id of a call, and of the conversation that it becomes. */
export const callIdOf = (uuid: string): string => `${PREFIX}${uuid}`

/** A call that an agent makes, from the request to the end. */
export interface OutboundCall {
  /** `OUT-` and a UUID; its conversation has the same one. */
  readonly id: string
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly connectorId: ConnectorId
  /** The variant that speaks; null: the default one of the deployed agent. */
  readonly variantId: string | null
  /** One of the agent's numbers, E.164; null if it has none in the environment. */
  readonly from: string | null
  /** E.164. */
  readonly to: string
  readonly encryption: CallEncryption
  readonly metadata: Readonly<Record<string, string>>
  readonly phase: CallPhase
  /** The reason why it failed; empty while it has not. */
  readonly reason: string
  /** The provider's own id; null while it has not answered. */
  readonly providerId: string | null
  readonly createdAt: number
  readonly endedAt: number | null
  /** The time of the next step without a report. Then the provider is polled, or the call fails or is removed. */
  readonly dueAt: number
  /** 1 at first; grows by one with each write. */
  readonly version: number
}

/**
 * A report about a call. `placed`: the provider has it. `unplaced`: the provider does not have it. `overdue`: its
 * time is over, whatever happened.
 */
export type CallReport =
  | { readonly type: 'placed'; readonly providerId: string }
  | { readonly type: 'unplaced'; readonly reason: string }
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  /** `answered`: somebody had answered, also where that was not reported. */
  | { readonly type: 'ended'; readonly reason?: string; readonly answered?: boolean }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'overdue' }

/** The transitions of phases by reports. Reports that are not listed change nothing. */
export const CALL_PHASES: Readonly<
  Record<CallPhase, Partial<Readonly<Record<CallReport['type'], CallPhase>>>>
> = {
  queued: {
    placed: 'queued',
    unplaced: 'failed',
    ringing: 'calling',
    answered: 'answered',
    ended: 'failed',
    failed: 'failed',
    overdue: 'failed',
  },
  // The provider has the call, whatever the failed request said: `unplaced` is outdated.
  calling: { placed: 'calling', answered: 'answered', ended: 'failed', failed: 'failed', overdue: 'failed' },
  answered: { placed: 'answered', ended: 'succeeded', failed: 'failed', overdue: 'failed' },
  succeeded: {},
  failed: {},
}

const STATUS: Readonly<Record<CallPhase, CallStatus>> = {
  queued: 'QUEUED',
  calling: 'CALLING',
  answered: 'CALLING',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
}

/** Returns the status of a call, as its callers see it. */
export const callStatus = ({ phase }: Pick<OutboundCall, 'phase'>): CallStatus => STATUS[phase]

/** Reports whether nothing changes a call any more. */
export const isOver = ({ phase }: Pick<OutboundCall, 'phase'>): boolean =>
  phase === 'succeeded' || phase === 'failed'

/** The time that a finished call can be read, milliseconds. */
export const CALL_KEPT = 7_200_000

/** The time limits of a call, milliseconds. */
export interface CallTimes {
  /** Until the provider has it. */
  readonly deadline: number
  /** Until its end. */
  readonly longest: number
  /** Until its provider is asked how it stands, where nothing is reported. */
  readonly silence: number
}

/** The time of a report about a call, milliseconds. */
export type CallMoment = CallTimes & { readonly now: number }

/** Returns the time at which an unfinished call counts as failed, whatever was reported (OC16). */
export const overdueAt = (
  { createdAt, phase, providerId }: Pick<OutboundCall, 'createdAt' | 'phase' | 'providerId'>,
  { deadline, longest }: Pick<CallTimes, 'deadline' | 'longest'>,
): number => createdAt + (phase === 'queued' && providerId === null ? 2 * deadline : longest)

/**
 * Returns the time of the next check of a call that was reported on now. At the latest, it is when the call is
 * overdue.
 */
const nextLook = (call: Parameters<typeof overdueAt>[0], { now, ...times }: CallMoment): number =>
  Math.min(overdueAt(call, times), now + times.silence)

/** The request for a call. */
export type NewCall = Omit<OutboundCall, 'phase' | 'reason' | 'providerId' | 'endedAt' | 'dueAt' | 'version'>

/** Returns a call to request from the provider. It is overdue if there is no report after the request. */
export const newCall = (call: NewCall, { deadline }: Pick<CallTimes, 'deadline'>): OutboundCall => ({
  ...call,
  ...{ phase: 'queued', reason: '', providerId: null, endedAt: null, version: 1 },
  dueAt: call.createdAt + 2 * deadline,
})

function reasonOf(call: OutboundCall, report: CallReport): string {
  switch (report.type) {
    case 'unplaced':
    case 'failed':
      return report.reason
    case 'ended':
      return report.reason || 'The call was not answered.'
    default:
      return call.phase === 'queued' && call.providerId === null
        ? 'The call was not placed.'
        : 'The end of the call was not reported.'
  }
}

const idOf = ({ providerId }: OutboundCall, report: CallReport): string | null =>
  report.type === 'placed' ? (providerId ?? report.providerId) : providerId

/**
 * Returns the call after a report; null when it changes nothing, as what comes late, twice or out of order does not: a
 * call never goes back, and one that is over stays as it is.
 */
export function reported(call: OutboundCall, report: CallReport, moment: CallMoment): OutboundCall | null {
  const { now } = moment
  const phase = CALL_PHASES[call.phase][report.type]
  const providerId = idOf(call, report)
  if (phase === undefined || (phase === call.phase && providerId === call.providerId)) return null
  if (report.type === 'overdue' && now < overdueAt(call, moment)) return null
  const over = isOver({ phase })
  const next = { ...call, phase, providerId }
  return {
    ...next,
    reason: phase === 'failed' ? reasonOf(call, report) : '',
    endedAt: over ? now : null,
    dueAt: over ? now + CALL_KEPT : nextLook(next, moment),
    version: call.version + 1,
  }
}

/**
 * Returns a call that is deferred until it is looked at again; null if it is over, or overdue and to be looked at now.
 */
export function postponed(call: OutboundCall, moment: CallMoment): OutboundCall | null {
  if (isOver(call) || moment.now >= overdueAt(call, moment)) return null
  return { ...call, dueAt: nextLook(call, moment), version: call.version + 1 }
}

/** Reports whether the call has been removed (OC20). */
export const isForgotten = (call: OutboundCall, now: number): boolean => isOver(call) && now >= call.dueAt
