import { Failure } from '../../examples/quickstart/src/failure.ts'
import { PATIENCE } from '../../scripts/patience.ts'

/**
 * One HTTP call by its path, for tests that judge what is on the wire: they do not trust our client.
 */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The status that the contract promises. */
  readonly status: number
}

/** Calls the server and returns the answer's JSON. */
export type Api = (path: string, call: Call) => Promise<unknown>

/** Binds calls to a server. They fail with a Failure when the status is another than expected. */
export const createApi =
  (url: string): Api =>
  async (path, { method = 'GET', headers = {}, body, status }) => {
    const what = `${method} ${path}`
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE),
    }).catch(error => {
      throw new Failure(`${what}: no answer from ${url} (${causeOf(error)}). Is the server running?`)
    })
    const text = await response.text()
    if (response.status !== status)
      throw new Failure(`${what}: expected status ${status}, got ${response.status}: ${text}`)
    return text === '' ? null : parse(text, what)
  }

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`${what}: the answer is not JSON: ${text}`)
  }
}

/** The header of the keys of all families but the operator's. */
export const withKey = (key: string) => ({ 'x-api-key': key })

/** The header of operator keys and of access tokens. */
export const withBearer = (token: string) => ({ authorization: `Bearer ${token}` })

const causeOf = (error: unknown): string =>
  error instanceof Error
    ? error.cause instanceof Error
      ? error.cause.message
      : error.message
    : String(error)
