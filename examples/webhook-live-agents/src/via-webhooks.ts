import { type Clock, type HandoffContext, type LiveAgents, systemClock } from '@colloquy/core'
import type { HistoryLine } from '@colloquy/core/runtime'
import { type Call, callId, handoffOnWire } from './calls.ts'
import { type Answer, createPost, isPassing, pause } from './post-signed.ts'

/** Address of the other system, and time limits of its responses. Times are milliseconds. */
export interface WebhookOptions {
  /** Takes the calls. */
  readonly url: string
  /**
   * Signs the calls: `whsec_<base64>`. Not the one that signs the reports, or each side could send back what it got.
   */
  readonly secret: string
  /** Returns the messages before a handoff; most likely from `platform.desk.handoff`. */
  readonly transcript: (handoff: HandoffContext) => Promise<readonly HistoryLine[]>
  /** Time limit of one response. @default 2500 */
  readonly timeout?: number
  /**
   * The waits between attempts; there is one attempt more. All of it should be over within `liveAgentDeadline` of the
   * platform (10 s), which gives the call up then.
   * @default [250, 1000]
   */
  readonly pauses?: readonly number[]
  /** @default the process's clock */
  readonly clock?: Clock
}

/** Defaults of the options. Milliseconds. */
export const WEBHOOK_DEFAULTS = {
  timeout: 2_500,
  pauses: [250, 1_000],
  /** The longest wait that the other system may ask for with `Retry-After`. */
  longestPause: 1_000,
} as const

/**
 * Live agents of another system, over signed HTTP: `createPlatform({ …, liveAgents: viaWebhooks(…) })`. It keeps
 * nothing: ids of the platform travel with every call and come back with every report (WL7, WL8). What the other
 * system reports comes in through `createReportRouter`.
 *
 * @throws Error for an invalid secret
 */
export function viaWebhooks(options: WebhookOptions): () => LiveAgents {
  const { url, secret, transcript, clock = systemClock } = options
  const { timeout = WEBHOOK_DEFAULTS.timeout, pauses = WEBHOOK_DEFAULTS.pauses } = options
  const post = createPost({ url, secret, clock, timeout })

  async function attempt(call: Call): Promise<Answer | Error> {
    try {
      return await post(callId(call), call)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Resolves when the other system has taken the call; rejects when it has not, after all attempts. */
  async function make(call: Call, waits: readonly number[]): Promise<void> {
    const outcome = await attempt(call)
    if (!(outcome instanceof Error) && outcome.status >= 200 && outcome.status < 300) return
    const [wait, ...rest] = waits
    const passing = outcome instanceof Error || isPassing(outcome)
    if (wait === undefined || !passing) throw refusal(call, outcome)
    const asked = outcome instanceof Error ? 0 : Math.min(outcome.retryAfter, WEBHOOK_DEFAULTS.longestPause)
    await pause(clock, Math.max(wait, asked))
    return make(call, rest)
  }

  const refusal = ({ type }: Call, outcome: Answer | Error): Error =>
    outcome instanceof Error
      ? new Error(`${url} could not be reached with ${type}: ${outcome.message}`, { cause: outcome })
      : new Error(`${url} answered ${outcome.status} to ${type}: ${outcome.text.slice(0, 500)}`)

  return () => ({
    async request(handoff) {
      const said = await transcript(handoff)
      const context = { handoff: handoffOnWire(handoff), transcript: [...said] }
      await make({ type: 'handoff.requested', ...context }, pauses)
    },
    forward(handoff, { messageId, text, at }) {
      const message = { message_id: messageId, text, at }
      return make({ type: 'visitor.message', handoff: handoffOnWire(handoff), message }, pauses)
    },
    visitorTyping: (handoff, state) =>
      make({ type: 'visitor.typing', handoff: handoffOnWire(handoff), state }, []),
    cancel: (handoff, reason) =>
      make({ type: 'handoff.cancelled', handoff: handoffOnWire(handoff), reason }, pauses),
  })
}
