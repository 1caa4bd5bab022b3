import { fieldsOf, number, text } from './fields.ts'
import type { HttpAnswer } from './ports.ts'
import type { Refusal } from './state.ts'

/** A server's refusal over HTTP. A `getToken` of a host may throw one to tell the client how to go on. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** HTTP status. */
  readonly status: number
  /** Milliseconds until the next attempt; null if the server did not say. */
  readonly retryAfter: number | null

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Milliseconds of a `Retry-After`: seconds, or a date. Null for anything else. */
export function retryAfterOf(header: string | null | undefined, now: number): number | null {
  if (!header) return null
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}

/** Returns the body of an answer. @throws RefusedError for any status but 2xx */
export async function bodyOf(answer: HttpAnswer, now: number): Promise<Readonly<Record<string, unknown>>> {
  const body = fieldsOf(await answer.json().catch(() => null))
  if (answer.ok) return body
  const wait = retryAfterOf(answer.headers.get('retry-after'), now)
  throw new RefusedError(answer.status, text(body, 'message') || `HTTP ${answer.status}`, wait)
}

/** Returns the refusal in an error. An error without a status is a loss of the network. */
export function refusalOf(error: unknown): Refusal {
  const fields = fieldsOf(error)
  return {
    status: number(fields, 'status') ?? 0,
    message: text(fields, 'message') || 'No connection.',
    retryAfter: number(fields, 'retryAfter'),
  }
}
