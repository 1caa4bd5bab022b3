import { fieldsOf, text } from '../messaging/fields.ts'
import { retryAfterOf } from '../messaging/refused-error.ts'
import { ApiError, type ApiErrorFields, unreadable } from './api-error.ts'

/** An answer, as `fetch` gives it. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Streams of events are read there. */
  readonly body?: unknown
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The content type of a response that is read as a stream. */
export const STREAM_TYPE = 'text/event-stream'

/** The content type of most answers. */
export const JSON_TYPE = 'application/json'

/** The longest text of a server in a message. */
const LONGEST = 300

const isOf = (answer: ApiAnswer, type: string): boolean =>
  (answer.headers.get('content-type') ?? '').toLowerCase().startsWith(type)

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** Returns the error of a response. */
async function refusalOf(answer: ApiAnswer, hide: (text: string) => string): Promise<ApiErrorFields> {
  const { headers, status } = answer
  const common = { status, correlationId: hide(headers.get('x-correlation-id') ?? '') || null }
  // In browsers a redirect has the status 0.
  if (status < 400) {
    const to = headers.get('location') ?? ''
    // Without path and query: they may hold what no log should have.
    const where = URL.canParse(to) ? ` to ${hide(new URL(to).origin)}` : ''
    const message = `a redirect${where} is not followed.`
    return { ...common, code: 'REDIRECTED', message }
  }
  const body = parse(hide(await answer.text()))
  const fields = fieldsOf(body)
  const words = text(fields, 'error_message') || text(fields, 'message') || text(fields, 'detail')
  return {
    ...common,
    code: text(fields, 'error_code') || `HTTP_${status}`,
    // No half of a pair at its end.
    message: (words || `HTTP ${status}.`).slice(0, LONGEST).replace(/[\ud800-\udbff]$/, ''),
    retryAfter: retryAfterOf(headers.get('retry-after'), Date.now()),
    body,
  }
}

/**
 * Returns the content of a response: JSON, bytes, a stream that is not read yet, or nothing.
 *
 * @param type the content type that the contract promises, `-` for nothing
 * @param hide takes credentials out of a text
 * @throws ApiError for everything else
 */
export async function readAnswer(
  operation: string,
  answer: ApiAnswer,
  type: string,
  hide: (text: string) => string,
): Promise<unknown> {
  const { status } = answer
  if (status < 200 || status >= 300) throw new ApiError(operation, await refusalOf(answer, hide))
  if (type === '-') {
    if ((await answer.text()) === '') return undefined
  } else if (isOf(answer, type)) {
    if (type === STREAM_TYPE) return answer.body
    if (type !== JSON_TYPE) return answer.arrayBuffer()
    const body = parse(await answer.text())
    if (typeof body === 'object' && body !== null) return body
  }
  const promised = type === '-' ? 'empty' : `whole ${type}`
  throw unreadable(operation, `the answer is not ${promised}. Is this a Colloquy server?`, { status })
}
