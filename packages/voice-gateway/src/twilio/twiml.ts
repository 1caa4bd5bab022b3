/** The way in which a phone call goes on. */
export type PhoneStep =
  /** Its sound is connected, after some seconds. When that ends, Twilio asks again. */
  | { readonly type: 'connect'; readonly afterSeconds: number; readonly again: string }
  /** Twilio asks again, after some seconds. */
  | { readonly type: 'wait'; readonly afterSeconds: number; readonly again: string }
  | { readonly type: 'dial'; readonly number: string }
  | { readonly type: 'hang up' }
  /** It is not answered: its caller hears that the line is busy, or that the number is not in service. */
  | { readonly type: 'reject'; readonly reason: 'busy' | 'rejected' }

/** The returns of a call so far, which the address of Twilio's request carries. */
export interface Returns {
  /** Returns in a row without progress. Null at the first request. */
  readonly count: number | null
  /** The session's newest event at the request before. */
  readonly since: number
}

const whole = (text: string | null): number | null => (/^\d{1,12}$/.test(text ?? '') ? Number(text) : null)

/** Reads the returns from an address, which Twilio has signed. */
function returnsOf(address: string): Returns {
  const { searchParams } = new URL(address)
  return { count: whole(searchParams.get('returns')), since: whole(searchParams.get('since')) ?? 0 }
}

/** Returns the address of the next request. */
function addressWith(address: string, count: number, since: number): string {
  const url = new URL(address)
  url.searchParams.set('returns', String(count))
  url.searchParams.set('since', String(since))
  return url.href
}

/** A phone call as its store has it; null for one without a session. */
type Known = { readonly sequence: number; readonly isOver: boolean; readonly leftFor: string | null } | null

/**
 * Decides how a call goes on (VG131, VG132). A call without a session has just begun, or could not be opened.
 *
 * @param address the address of the request
 */
export function stepPhone(known: Known, address: string, maxReturns: number): PhoneStep {
  if (known?.isOver === true)
    return known.leftFor === null ? { type: 'hang up' } : { type: 'dial', number: known.leftFor }
  const { count, since } = returnsOf(address)
  const sequence = known?.sequence ?? 0
  const returns = count === null || sequence > since ? 0 : count + 1
  if (returns > maxReturns) return { type: 'hang up' }
  return { type: 'connect', afterSeconds: returns, again: addressWith(address, returns, sequence) }
}

/**
 * Decides how a call goes on that is refused (VG131). One that still rings hears a tone, which needs no
 * language. One that was answered waits as if its stream were lost.
 *
 * @param isForNow asking again may help
 */
export function stepRefused(
  call: { readonly isRinging: boolean; readonly isForNow: boolean },
  address: string,
  maxReturns: number,
): PhoneStep {
  if (call.isRinging) return { type: 'reject', reason: call.isForNow ? 'busy' : 'rejected' }
  const { count, since } = returnsOf(address)
  const returns = (count ?? 0) + 1
  if (!call.isForNow || returns > maxReturns) return { type: 'hang up' }
  return { type: 'wait', afterSeconds: returns, again: addressWith(address, returns, since) }
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, one => ENTITIES[one] ?? '')

const parameter = (name: string, value: string): string =>
  value === '' ? '' : `<Parameter name="${name}" value="${escaped(value)}"/>`

/** Returns the TwiML of a step. */
export function twimlOf(
  step: PhoneStep,
  stream: { readonly url: string; readonly from: string; readonly to: string },
): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbsOf(step, stream)}</Response>`
}

function verbsOf(step: PhoneStep, { from, to, url }: Parameters<typeof twimlOf>[1]): string {
  if (step.type === 'hang up') return '<Hangup/>'
  if (step.type === 'reject') return `<Reject reason="${step.reason}"/>`
  if (step.type === 'dial') return `<Dial>${escaped(step.number)}</Dial>`
  const pause = step.afterSeconds === 0 ? '' : `<Pause length="${step.afterSeconds}"/>`
  const again = `<Redirect method="POST">${escaped(step.again)}</Redirect>`
  if (step.type === 'wait') return `${pause}${again}`
  const numbers = parameter('from', from) + parameter('to', to)
  const connect = `<Connect><Stream url="${escaped(url)}">${numbers}</Stream></Connect>`
  return `${pause}${connect}${again}`
}
