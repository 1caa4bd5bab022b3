import type { TextAnswer, TextCarrier, TextToSend } from '@colloquy/core'
import { type FoundMessage, messagesOf, problemOf, sidOf } from './answers.ts'
import { createRest, failureOf, type TwilioAccount } from './rest.ts'

/** Options of texts over Twilio. */
export interface TwilioCarrierOptions extends TwilioAccount {
  /** The URL of `createTwilioHandler`, `/status` included, for status callbacks. @default no callbacks */
  readonly statusCallback?: string
}

/** The largest difference between Twilio's clock and this one, milliseconds. */
const CLOCK_TOLERANCE = 30_000

/** Pages of messages that are searched for one that may have been taken. */
const MOST_PAGES = 5

/** Returns the wait that an answer of 429 asks for, milliseconds; a second where it does not say. */
function retryAfterOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000
}

/** Sends texts over Twilio's REST API (TW1 to TW3). @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4) */
export function createTwilioCarrier(options: TwilioCarrierOptions): TextCarrier {
  const rest = createRest('createTwilioCarrier', options, ['statusCallback'])
  const messages = rest.resource('Messages.json')

  function formOf({ channel, from, id, service, text, to }: TextToSend): URLSearchParams {
    const form = new URLSearchParams({ To: channel === 'RCS' ? `rcs:${to}` : to, Body: text })
    if (service !== null) form.set('MessagingServiceSid', service)
    else if (from !== null) form.set('From', channel === 'RCS' ? `rcs:${from}` : from)
    if (options.statusCallback !== undefined) {
      const callback = new URL(options.statusCallback)
      callback.searchParams.set('id', id)
      form.set('StatusCallback', callback.href)
    }
    return form
  }

  async function create(text: TextToSend): Promise<TextAnswer> {
    const answer = await rest.ask(messages, { form: formOf(text), signal: text.signal })
    const { body } = answer
    if (answer.status === 429) return { retryAfter: retryAfterOf(answer.headers) }
    const sid = answer.ok ? sidOf(body) : null
    if (sid !== null) return { carrierId: sid }
    const { code, message } = problemOf(body)
    // Twilio's 21610: the user has texted STOP to this sender.
    if (answer.status === 400) return { refused: message, optedOut: code === 21_610 }
    // An error such as 401 is reported to the host. The text waits until the host has fixed it.
    throw failureOf(answer)
  }

  /** Returns a page of the newest messages to that number. */
  async function page(url: URL, signal: AbortSignal) {
    const answer = await rest.ask(url, { signal })
    if (!answer.ok) throw failureOf(answer)
    return messagesOf(answer.body)
  }

  /**
   * Returns the text, if an earlier attempt went through: a message of the same words to the same number that was made
   * since the first attempt, and is none of those that the session is known to have sent (TW3).
   */
  async function find(text: TextToSend): Promise<string | null> {
    const since = text.firstAttemptAt - CLOCK_TOLERANCE
    const isIt = ({ body, direction, from, service, sid, createdAt }: FoundMessage): boolean =>
      body === text.text &&
      direction !== 'inbound' &&
      (text.service === null ? from === text.from : service === text.service) &&
      createdAt >= since &&
      !text.sent.includes(sid)
    let next: URL | null = new URL(messages)
    next.searchParams.set('To', text.channel === 'RCS' ? `rcs:${text.to}` : text.to)
    if (text.service === null && text.from !== null) next.searchParams.set('From', text.from)
    next.searchParams.set('PageSize', '100')
    for (let read = 0; next !== null && read < MOST_PAGES; read++) {
      const { found, nextPath }: ReturnType<typeof messagesOf> = await page(next, text.signal)
      // Newest first: the first attempt made the oldest one that fits.
      const sid = found.findLast(isIt)?.sid
      if (sid !== undefined) return sid
      const isPast = found.some(({ createdAt }) => createdAt < since)
      next = nextPath === null || isPast ? null : new URL(nextPath, rest.base)
      if (next !== null && next.origin !== rest.base.origin) throw new Error('Twilio named a page elsewhere.')
    }
    return null
  }

  return {
    async send(text) {
      const sid = text.attempt > 1 ? await find(text) : null
      return sid === null ? create(text) : { carrierId: sid }
    },
  }
}
