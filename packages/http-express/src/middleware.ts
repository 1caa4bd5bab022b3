import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Dispatcher, type HttpResponse, handleOneHost } from '@colloquy/core/transport'
import { describeRequest, type IncomingRequest, type Intake, splitTarget } from './request.ts'

/** A function that Express, Connect and their like can `use`. */
export type Middleware = (
  request: IncomingRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/** Resolves when the written data has left the process, or the client is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise(resolve => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })

/** Resolves after others have had their turn: a socket that takes everything at once never makes the writer wait. */
const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

/** Sends chunks, each when those before have left; stops reading when the client is gone. */
async function sendChunks(
  response: ServerResponse,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const chunk of chunks) {
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
    await nextTurn()
    if (response.destroyed) return
  }
  response.end()
}

/**
 * Sends chunks that come about while they are read: as soon as the reader is gone, nothing more is made for it (ES5).
 */
async function sendLive(
  response: ServerResponse,
  chunks: AsyncIterable<string | Uint8Array>,
  cutOff: AbortSignal,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  const gone = (): void => void iterator.return?.()
  const cut = (): void => void response.destroy()
  response.once('close', gone)
  cutOff.addEventListener('abort', cut)
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (!response.write(next.value)) await drained(response)
    }
    response.end()
  } finally {
    cutOff.removeEventListener('abort', cut)
  }
}

/** Releases a response that nobody will read. */
function letGo({ chunks, cutOff }: HttpResponse): null {
  if (chunks !== null && cutOff !== undefined) void chunks[Symbol.asyncIterator]().return?.()
  return null
}

/**
 * Sends a whole answer. Its headers go out in one list: set one by one, as others' are that were set before, they cost
 * Node more.
 */
function sendBody(
  response: ServerResponse,
  status: number,
  headers: HttpResponse['headers'],
  body: string,
): void {
  const list: (string | number)[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  list.push('Content-Length', Buffer.byteLength(body))
  response.writeHead(status, list).end(body)
}

/**
 * Sends an answer, or nothing when the client is gone or another handler has answered. Null once all of it is handed
 * over; a promise for one that comes in chunks.
 */
export function send(response: ServerResponse, answer: HttpResponse): Promise<void> | null {
  const { status, headers, body, chunks, cutOff } = answer
  if (response.headersSent || response.destroyed || response.writableEnded) return letGo(answer)
  if (body !== null && chunks === null) {
    sendBody(response, status, headers, body)
    return null
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = status
  if (chunks !== null && cutOff !== undefined) return sendLive(response, chunks, cutOff)
  if (chunks !== null) return sendChunks(response, chunks)
  response.end()
  return null
}

/** The client is too slow for the rest of its request to be waited for. */
const TIMED_OUT = 408

/** Longest time for which a client may go on sending its body after it has its response, milliseconds. */
export const LINGER = 2_000

/**
 * Cuts off a client that keeps sending a body that is no longer read (HY30). Not at once: closing while it sends
 * would take the answer away from it.
 */
function lingerNoLonger(request: IncomingMessage, response: ServerResponse, most: number): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return
    const late = setTimeout(() => request.destroy(), Math.min(LINGER, most))
    late.unref()
    const done = (): void => clearTimeout(late)
    request.once('end', done).once('close', done)
    request.resume()
  })
}

/**
 * Cuts a client off that has not read its answer in time (FE12): what waits for it is held by the socket until then.
 */
function cutOffSlowReader(response: ServerResponse, most: number): void {
  const late = setTimeout(() => response.destroy(), most)
  late.unref()
  const done = (): void => clearTimeout(late)
  response.once('finish', done).once('close', done)
}

/** True when nothing of an answer waits in this process, as when the system took all of it at once. */
const hasLeft = (response: ServerResponse): boolean =>
  response.writableFinished || (response.writableEnded && response.socket?.writableLength === 0)

/** Answers every request with the dispatcher: one of a path that is not ours with its 404. */
export const answerWith = (dispatcher: Dispatcher, intake: Intake) => {
  const answer = async (request: IncomingRequest, response: ServerResponse): Promise<void> => {
    const answered = await handleOneHost(dispatcher, describeRequest(request, intake))
    if (!request.complete) {
      if (answered.status === TIMED_OUT) response.setHeader('Connection', 'close')
      lingerNoLonger(request, response, intake.requestTimeout)
    }
    if (answered.chunks !== null && answered.cutOff === undefined)
      cutOffSlowReader(response, intake.answerTimeout)
    const sending = send(response, answered)
    if (sending !== null) await sending
    if (answered.chunks === null && !hasLeft(response)) cutOffSlowReader(response, intake.answerTimeout)
  }
  return (request: IncomingRequest, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy())
  }
}

/** Returns the dispatcher's own paths and leaves all others alone. */
export function middlewareFor(dispatcher: Dispatcher, intake: Intake): Middleware {
  const answer = answerWith(dispatcher, intake)
  return (request, response, next) => {
    if (dispatcher.matches(splitTarget(request.url ?? '/').path)) answer(request, response)
    else next()
  }
}
