import type { TextAnswer, TextCarrier, TextToSend } from '@colloquy/core'
import { type FoundMessage, messagesOf, problemOf, sidOf } from './answers.ts'

/** How Twilio is reached. */
export interface TwilioCarrierOptions {
  /** `AC…`. */
  readonly accountSid: string
  /** The account's token, or the secret of the key in `apiKeySid`. */
  readonly authToken: string
  /** `SK…`: an API key to use in place of the account's token. @default none */
  readonly apiKeySid?: string
  /** Where `createTwilioHandler` answers, `/status` included, to be told how texts stand. @default it tells nothing */
  readonly statusCallback?: string
  /** @default "https://api.twilio.com" */
  readonly baseUrl?: string
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch
}

/** How far Twilio's clock and this one may differ, milliseconds. */
const CLOCK_TOLERANCE = 30_000

/** Pages of messages that are searched for one that may have been taken. */
const MOST_PAGES = 5

/** The most that is read of an answer, characters: a page of messages is far smaller. */
const MOST_CHARACTERS = 4_000_000

/** The wait that an answer of 429 asks for, milliseconds; a second where it does not say. */
function retryAfterOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text.length > MOST_CHARACTERS) throw new Error('Twilio answered with too much.')
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What the host is told of an answer that says nothing about the text. */
const failureOf = ({ status }: Response, body: unknown): Error =>
  new Error(`Twilio answered ${status}, and ${problemOf(body).message}.`)

/** Sends texts over Twilio's REST API (TW1 to TW6). */
export function createTwilioCarrier(options: TwilioCarrierOptions): TextCarrier {
  const { accountSid, authToken, apiKeySid = accountSid, baseUrl = 'https://api.twilio.com' } = options
  const call = options.fetch ?? globalThis.fetch
  const base = new URL(baseUrl)
  const messages = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, base)
  const authorization = `Basic ${Buffer.from(`${apiKeySid}:${authToken}`, 'utf8').toString('base64')}`
  const headers = { authorization, accept: 'application/json' }

  function formOf({ channel, from, id, service, text, to }: TextToSend): URLSearchParams {
    const form = new URLSearchParams({ To: channel === 'RCS' ? `rcs:${to}` : to, Body: text })
    if (service !== null) form.set('MessagingServiceSid', service)
    else if (from !== null) form.set('From', from)
    if (options.statusCallback !== undefined) {
      const callback = new URL(options.statusCallback)
      callback.searchParams.set('id', id)
      form.set('StatusCallback', callback.href)
    }
    return form
  }

  async function create(text: TextToSend): Promise<TextAnswer> {
    const { signal } = text
    const response = await call(messages, {
      method: 'POST',
      headers,
      body: formOf(text),
      signal,
      redirect: 'error',
    })
    const body = await jsonOf(response)
    if (response.status === 429) return { retryAfter: retryAfterOf(response.headers) }
    const sid = response.ok ? sidOf(body) : null
    if (sid !== null) return { carrierId: sid }
    const { code, message } = problemOf(body)
    // Twilio's 21610: the user has texted STOP to this sender.
    if (response.status === 400) return { refused: message, optedOut: code === 21_610 }
    // Of 401 and its like the host is told, and the text waits until that is put right.
    throw failureOf(response, body)
  }

  /** A page of the newest messages to that number. */
  async function page(url: URL, signal: AbortSignal) {
    const response = await call(url, { headers, signal, redirect: 'error' })
    const body = await jsonOf(response)
    if (!response.ok) throw failureOf(response, body)
    return messagesOf(body)
  }

  /**
   * The text, if an earlier attempt went through: a message of the same words to the same number that was made since
   * the first attempt, and is none of those that the session is known to have sent (TW3).
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
      next = nextPath === null || isPast ? null : new URL(nextPath, base)
      if (next !== null && next.origin !== base.origin) throw new Error('Twilio named a page elsewhere.')
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
