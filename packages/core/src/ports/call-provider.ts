import type { CallEncryption } from '../domain/call/outbound-call.ts'
import type { Environment } from '../domain/environment.ts'

/** A call as a provider is asked to make it. */
export interface CallToPlace {
  /** Ours: `OUT-` and a UUID. Reports name the call by it, and its conversation has it as its id. */
  readonly id: string
  /** The user's number, E.164. */
  readonly to: string
  /** The agent's number, E.164; null where the agent has none in the environment. */
  readonly from: string | null
  readonly environment: Environment
  /** The agent's variant that is to speak; null: its default one. */
  readonly variantId: string | null
  /** What the one who asked for the call has said of it, for example for headers of SIP. */
  readonly metadata: Readonly<Record<string, string>>
  readonly encryption: CallEncryption
  /** Aborts after `callDeadline`. The call has failed then, and must not be made. */
  readonly signal: AbortSignal
}

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
}
