import type { CallEncryption } from '../domain/call/outbound-call.ts'
import type { Environment } from '../domain/environment.ts'

/** A call as a provider is asked to make it. */
export interface CallToPlace {
  /** Ours: `OUT-` and a UUID. Reports name the call by it, and its conversation has it as its id. */
  readonly id: string
  /** The user's number, E.164. */
  readonly to: string
  /** The agent's number, E.164; null if the agent has none in the environment. */
  readonly from: string | null
  readonly environment: Environment
  /** The agent's variant that is to speak; null: its default one. */
  readonly variantId: string | null
  /** The metadata given by the one who asked for the call, for example for headers of SIP. */
  readonly metadata: Readonly<Record<string, string>>
  readonly encryption: CallEncryption
  /** Aborts after `callDeadline`. The call has failed then, and must not be made. */
  readonly signal: AbortSignal
}

/** A call that a provider is asked about. */
export interface CallToAsk {
  /** Ours. */
  readonly id: string
  /** The provider's own, which it has answered `place` with. */
  readonly providerId: string
  /** Aborts after `callDeadline`, and when the platform is closed. The answer is of no use then. */
  readonly signal: AbortSignal
}

/**
 * The state of a call at its provider. Reasons have 1 to 1,000 characters.
 * - `queued`: it does not ring yet.
 * - `ended`: it is over. `answered` if somebody had answered, else the reason.
 * - `failed`: it could not be made, or broke off.
 * - `unknown`: the provider has no such call.
 */
export type CallStanding =
  | { readonly type: 'queued' }
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | { readonly type: 'ended'; readonly reason?: string; readonly answered?: boolean }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'unknown' }

/**
 * Makes calls. What becomes of one is reported over `platform.calls`, from whatever process.
 *
 * Implementations resolve once the provider has the call, and never make one whose signal has aborted.
 */
export interface CallProvider {
  /**
   * Rejects when the provider does not take the call, or when it is not known whether it does: it is not asked again.
   */
  place(call: CallToPlace): Promise<{ readonly providerId: string }>
  /**
   * Returns the state of a call. It is called for calls without a report for `callSilence`, to replace lost reports.
   * The answer counts as a report. It may be called at any time, from any process, and twice at once. A call that the
   * provider has never had, or has forgotten, is `unknown`. If the provider cannot say, it rejects and is called again
   * after `callSilence`.
   *
   * @default it is not called, and reports are the only news of a call
   */
  status?(call: CallToAsk): Promise<CallStanding>
}
