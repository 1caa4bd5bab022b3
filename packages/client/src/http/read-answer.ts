import { fieldsOf, text } from '../messaging/fields.ts'
import { retryAfterOf } from '../messaging/refused-error.ts'
import { ApiError, type ApiErrorFields, unreadable } from './api-error.ts'

/** An answer, as `fetch` gives it. */
export interface ApiAnswer {
  readonly status: number
  /** `opaqueredirect` for a redirect in browsers. */
  readonly type?: string
  readonly headers: { get(name: string): string | null }
  /** Streams of events are read there. */
  readonly body?: unknown
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The content type of what is read as it comes. */
export const STREAM_TYPE = 'text/event-stream'

/** The content type of most answers. */
export const JSON_TYPE = 'application/json'

/** The longest text of a server in a message. */
const LONGEST = 300

const isOf = (answer: ApiAnswer, type: string): boolean =>
  (answer.headers.get('content-type') ?? '').toLowerCase().split(/\s*;/)[0] === type

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** Where a redirect leads, without path and query: they may hold what no log should have. */
function originOf(location: string | null): string {
  try {
    return ` to ${new URL(location ?? '').origin}`
  } catch {
    return ''
  }
}

/** Why an answer is not what was asked for. */
async function refusalOf(answer: ApiAnswer, hide: (text: string) => string): Promise<ApiErrorFields> {
  const { headers, status } = answer
  const common = { status, correlationId: hide(headers.get('x-correlation-id') ?? '') || null }
  if (answer.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const to = hide(originOf(headers.get('location')))
    const message = `the answer is a redirect${to}. \`server\` must answer by itself.`
    return { ...common, code: 'REDIRECTED', message }
  }
  const body = isOf(answer, JSON_TYPE) ? parse(hide(await answer.text())) : null
  const fields = fieldsOf(body)
  const words = text(fields, 'error_message') || text(fields, 'message')
  return {
    ...common,
    code: text(fields, 'error_code') || `HTTP_${status}`,
    message: words ? words.slice(0, LONGEST) : `HTTP ${status}, without a message.`,
    retryAfter: retryAfterOf(headers.get('retry-after'), Date.now()),
    body,
  }
}

/**
 * What an answer holds: JSON, bytes, a stream that is not read yet, or nothing.
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
