import { AsyncLocalStorage } from 'node:async_hooks'

/** The call that a request is made for: it ends with the call, and the call with an answer that is too large. */
export const calling = new AsyncLocalStorage<AbortController>()

/** The protocol's name for the request of a call. Other messages, such as its cancellation, outlive the call. */
const CALL = '"method":"tools/call"'

/** An answer of a server that is larger than it may be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  constructor(bytes: number) {
    super(`The answer has more than ${bytes} bytes in one message.`)
  }
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Counts the bytes of a message: of all that comes, or of an event of a stream, which an empty line ends. */
function counter(events: boolean): (chunk: Uint8Array) => number {
  let bytes = 0
  let lineEmpty = false
  return chunk => {
    let most = 0
    if (!events) {
      bytes += chunk.byteLength
      return bytes
    }
    for (const byte of chunk) {
      bytes++
      if (byte === LINE_FEED) {
        if (lineEmpty) bytes = 0
        lineEmpty = true
      } else if (byte !== CARRIAGE_RETURN) lineEmpty = false
      if (bytes > most) most = bytes
    }
    return most
  }
}

/**
 * `fetch` whose answers end with an error as soon as one message has more than `bytes`, so that no more than that of it
 * is held (MC3). `headers` are asked for with each request.
 */
export function boundedFetch(
  bytes: number,
  headers: () => Promise<Readonly<Record<string, string>>>,
): typeof fetch {
  return async (input, init) => {
    const sent = new Headers(init?.headers)
    for (const [name, value] of Object.entries(await headers())) sent.set(name, value)
    const body = init?.body
    const call = typeof body === 'string' && body.includes(CALL) ? calling.getStore() : undefined
    const signals = [init?.signal, call?.signal].filter(signal => signal instanceof AbortSignal)
    const answer = await fetch(input, { ...init, headers: sent, signal: AbortSignal.any(signals) })
    if (answer.body === null) return answer
    const count = counter(answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false)
    const bounded = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (count(chunk) <= bytes) return controller.enqueue(chunk)
          const error = new TooLarge(bytes)
          call?.abort(error)
          controller.error(error)
        },
      }),
    )
    const { status, statusText } = answer
    return new Response(bounded, { status, statusText, headers: answer.headers })
  }
}
