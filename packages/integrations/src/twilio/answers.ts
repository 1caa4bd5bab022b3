import { startOf } from '@colloquy/core/runtime'
/** A message as Twilio lists it. */
export interface FoundMessage {
  readonly sid: string
  readonly body: string
  readonly direction: string
  readonly from: string | null
  readonly service: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const text = (value: unknown, name: string): string => {
  const found = field(value, name)
  return typeof found === 'string' ? found : ''
}

const textOrNull = (value: unknown, name: string): string | null => text(value, name) || null

/** Returns the status of a resource; empty if it has none. */
export const statusOf = (body: unknown): string => text(body, 'status')

/** Returns the id of a message that was made; null if there is none. */
export const sidOf = (body: unknown): string | null => textOrNull(body, 'sid')

/** Returns the error in Twilio's response. */
export function problemOf(body: unknown): { readonly code: number | null; readonly message: string } {
  const code = field(body, 'code')
  const words = text(body, 'message') || 'no reason was given'
  return typeof code === 'number'
    ? { code, message: startOf(`${code}: ${words}`, 500) }
    : { code: null, message: startOf(words, 500) }
}

const messageOf = (value: unknown): FoundMessage => ({
  sid: text(value, 'sid'),
  body: text(value, 'body'),
  direction: text(value, 'direction'),
  from: textOrNull(value, 'from'),
  service: textOrNull(value, 'messaging_service_sid'),
  // RFC 2822, which `Date` reads.
  createdAt: Date.parse(text(value, 'date_created')) || 0,
})

/** Returns a page of messages, newest first, and where the next one is; null behind the last one. */
export function messagesOf(body: unknown): {
  readonly found: readonly FoundMessage[]
  readonly nextPath: string | null
} {
  const list = field(body, 'messages')
  return {
    found: Array.isArray(list) ? list.map(messageOf) : [],
    nextPath: textOrNull(body, 'next_page_uri'),
  }
}
