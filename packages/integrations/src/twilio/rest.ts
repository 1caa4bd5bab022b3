import { refuseUnknown } from '@colloquy/core'
import { startOfAnswer } from '../outbound-http/answer-start.ts'
import { problemOf } from './answers.ts'

/** Access to Twilio's REST API. */
export interface TwilioAccount {
  /** `AC…`. */
  readonly accountSid: string
  /** The account's token, or the secret of the key in `apiKeySid`. */
  readonly authToken: string
  /** `SK…`: an API key to use in place of the account's token. @default none */
  readonly apiKeySid?: string
  /** @default "https://api.twilio.com" */
  readonly baseUrl?: string
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch
}

/** An answer, and the JSON in it; null if it is none. */
export interface RestAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** The REST API of an account. */
export interface Rest {
  readonly base: URL
  /** The address of a resource of the account. */
  resource(path: string): URL
  /** Sends a request to a URL, with a form or without. */
  ask(
    url: URL,
    request: { readonly form?: URLSearchParams; readonly signal: AbortSignal },
  ): Promise<RestAnswer>
}

/** The most that is read of an answer: a page of messages is far smaller. */
const MOST_BYTES = 4_000_000

async function jsonOf(response: Response): Promise<unknown> {
  const { isWhole, text } = await startOfAnswer(response, MOST_BYTES)
  if (!isWhole) throw new Error('Twilio answered with too much.')
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the error to report for a response without the requested resource. */
export const failureOf = ({ body, status }: RestAnswer): Error =>
  new Error(`Twilio answered ${status}, and ${problemOf(body).message}.`)

const ACCOUNT = ['accountSid', 'authToken', 'apiKeySid', 'baseUrl', 'fetch']

/**
 * Returns the REST API of an account.
 *
 * @param where whose options they are; `further` ones are read elsewhere
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createRest(where: string, account: TwilioAccount, further: readonly string[] = []): Rest {
  refuseUnknown(where, account, [...ACCOUNT, ...further])
  const { accountSid, authToken, apiKeySid = accountSid, baseUrl = 'https://api.twilio.com' } = account
  const call = account.fetch ?? globalThis.fetch
  const base = new URL(baseUrl)
  const authorization = `Basic ${Buffer.from(`${apiKeySid}:${authToken}`, 'utf8').toString('base64')}`
  const headers = { authorization, accept: 'application/json' }
  return {
    base,
    resource: path => new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${path}`, base),
    async ask(url, { form, signal }) {
      const sent = form === undefined ? {} : { method: 'POST', body: form }
      const response = await call(url, { ...sent, headers, signal, redirect: 'error' })
      const { ok, status, headers: told } = response
      return { ok, status, headers: told, body: await jsonOf(response) }
    },
  }
}
