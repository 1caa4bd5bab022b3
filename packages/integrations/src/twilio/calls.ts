import type { CallProvider, CallToPlace } from '@colloquy/core'
import { sidOf, statusOf } from './answers.ts'
import { standingOf } from './call-statuses.ts'
import { createRest, failureOf, type TwilioAccount } from './rest.ts'

/** Options of calls over Twilio. */
export interface TwilioCallsOptions extends TwilioAccount {
  /** The URL of `createTwilioHandler`, `/call` included, for status callbacks. */
  readonly statusCallback: string
  /**
   * The URL of the TwiML for an answered call, which connects it to your voice runtime. The call's id is added as
   * `call`.
   */
  readonly answerUrl: string
  /** Calls where the agent has no number, E.164; Twilio wants one. @default such a call is not made */
  readonly from?: string
  /** Called with a call that Twilio made too late and that could not be ended. @default nobody */
  readonly onError?: (error: unknown) => void
}

/** The time to wait for a late response, and the longest time to end that call, milliseconds. */
const LATE = 120_000
const ENDING = 30_000

/** Twilio reports each of these once, and always the end of a call. */
const EVENTS = ['ringing', 'answered', 'completed'] as const

const withQuery = (address: string, name: string, value: string): string => {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}

/**
 * Makes calls over Twilio's REST API (TW14, TW20). Calls to numbers have no headers of SIP and no choice of
 * encryption: metadata is read of the call's conversation.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createTwilioCalls(options: TwilioCallsOptions): Required<CallProvider> {
  const further = ['statusCallback', 'answerUrl', 'from', 'onError']
  const rest = createRest('createTwilioCalls', options, further)
  const callAt = (sid: string): URL => rest.resource(`Calls/${encodeURIComponent(sid)}.json`)

  function formOf({ from, id, to }: CallToPlace): URLSearchParams {
    const caller = from ?? options.from
    if (caller === undefined)
      throw new Error('The agent has no number to call from, and `from` of createTwilioCalls names none.')
    const form = new URLSearchParams({ To: to, From: caller })
    form.set('Url', withQuery(options.answerUrl, 'call', id))
    form.set('StatusCallback', withQuery(options.statusCallback, 'id', id))
    for (const event of EVENTS) form.append('StatusCallbackEvent', event)
    return form
  }

  async function create(call: CallToPlace): Promise<string> {
    // Not called off with the call: only Twilio's answer says what there is to be ended.
    const answer = await rest.ask(rest.resource('Calls.json'), {
      form: formOf(call),
      signal: AbortSignal.timeout(LATE),
    })
    const sid = answer.ok ? sidOf(answer.body) : null
    if (sid === null) throw failureOf(answer)
    return sid
  }

  /** Ends a call that Twilio took although its time was over. */
  async function end(sid: string): Promise<void> {
    const answer = await rest.ask(callAt(sid), {
      form: new URLSearchParams({ Status: 'completed' }),
      signal: AbortSignal.timeout(ENDING),
    })
    if (!answer.ok) throw failureOf(answer)
  }

  return {
    async place(call) {
      const { signal } = call
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(signal.reason)
        signal.addEventListener('abort', giveUp, { once: true })
        create(call)
          .then(async sid => {
            signal.removeEventListener('abort', giveUp)
            if (!signal.aborted) resolve({ providerId: sid })
            else await end(sid).catch(error => options.onError?.(error))
          })
          .catch(reject)
      })
    },
    async status({ providerId, signal }) {
      const answer = await rest.ask(callAt(providerId), { signal })
      if (answer.status === 404) return { type: 'unknown' }
      if (!answer.ok) throw failureOf(answer)
      const standing = standingOf(statusOf(answer.body))
      if (standing === null) throw new Error('Twilio did not say how the call stands.')
      return standing
    },
  }
}
