import { isApiError, unreadable } from './api-error.ts'
import { attempt, wait } from './attempt.ts'
import { type Call, callsOf } from './calls.ts'
import { type Credentials, present } from './credentials.ts'
import { type ApiAnswer, JSON_TYPE, readAnswer, STREAM_TYPE } from './read-answer.ts'
import { isKeyed, isRepeatable, pauseBefore } from './repeat.ts'
import { addressOf, type Input, pageAfter, serverOf } from './request.ts'

/** Calls over HTTP, as `fetch` does. */
export type ApiFetch = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Record<string, string>
    /** A blob where a file is sent. */
    readonly body?: string | Blob
    readonly signal: AbortSignal
    readonly redirect: 'manual'
  },
) => Promise<ApiAnswer>

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds for each attempt, its answer included; of a stream, until it begins. */
  readonly timeout?: number
  /** Most retries of the call. */
  readonly retries?: number
  /** Whether the call takes effect once, however often it is made. @default by the operation */
  readonly repeatable?: boolean
  /** Named by the server's log and audit log. @default one of the server */
  readonly correlationId?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Options of a client. */
export interface ApiOptions {
  /** The server's address, such as `https://chat.example`; it may have a path. */
  readonly server: string
  readonly credentials: Credentials
  /** Milliseconds for each attempt, its answer included. @default 30000 */
  readonly timeout?: number
  /** Most retries of a call that may be repeated. @default 2 */
  readonly retries?: number
  /** @default the global one */
  readonly fetch?: ApiFetch
}

interface Known {
  readonly input: unknown
  readonly answer: unknown
}

type Arguments<Of extends Known> =
  Partial<Of['input']> extends Of['input']
    ? [input?: Of['input'], options?: CallOptions]
    : [input: Of['input'], options?: CallOptions]

/** One call. A list that comes in pages has `each`, too: every entry of all pages, which are asked for one by one. */
export type ApiMethod<Of extends Known> = ((...given: Arguments<Of>) => Promise<Of['answer']>) &
  (Of extends { readonly item: infer Item }
    ? { readonly each: (...given: Arguments<Of>) => AsyncIterableIterator<Item> }
    : unknown)

/**
 * Calls over HTTP, by the ids of their operations. Ids and not paths: an editor shows what there is to do when a dot is
 * typed, and code reads as what it does. Parameters of path and query are fields of `input` beside `body`.
 */
export type ApiFor<Calls> = {
  readonly [Id in keyof Calls]: Calls[Id] extends Known ? ApiMethod<Calls[Id]> : never
}

/** Repeats a call as long as that is safe and of use. */
async function perform(options: ApiOptions, call: Call, input: Input, given: CallOptions): Promise<unknown> {
  const repeatable = given.repeatable ?? isRepeatable(call.operation, call.method, input.body)
  // Every attempt has the same key, so that it takes effect once.
  const headers = {
    ...(isKeyed(call.operation) && { 'idempotency-key': crypto.randomUUID() }),
    ...given.headers,
  }
  for (let made = 0; ; made++) {
    try {
      return await send(options, call, input, { ...given, headers })
    } catch (error) {
      const isLast = made >= (given.retries ?? options.retries ?? 2)
      const pause = isApiError(error) && !isLast ? pauseBefore(error, repeatable, made, Math.random()) : null
      if (pause === null) throw error
      await wait(pause, given.signal)
    }
  }
}

async function send(options: ApiOptions, call: Call, input: Input, given: CallOptions): Promise<unknown> {
  const { kinds, method, operation, path, type } = call
  const { headers, secrets } = await present(operation, options.credentials, kinds)
  const body = JSON.stringify(input.body)
  const request = {
    method,
    headers: {
      ...given.headers,
      ...(given.correlationId && { 'x-correlation-id': given.correlationId }),
      ...(body && { 'content-type': JSON_TYPE }),
      ...headers,
    },
    ...(body && { body }),
    redirect: 'manual',
  } as const
  const address = addressOf(options.server, operation, path, input)
  return attempt(
    operation,
    {
      timeout: given.timeout ?? options.timeout ?? 30_000,
      signal: given.signal,
      outlives: type === STREAM_TYPE,
    },
    async signal =>
      readAnswer(operation, await (options.fetch ?? fetch)(address, { ...request, signal }), type, text =>
        secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text),
      ),
  )
}

/** Every entry of a list that comes in pages. */
async function* entries(
  operation: string,
  read: (input: Input) => Promise<unknown>,
  first: Input,
): AsyncGenerator<unknown> {
  for (let input: Input | null = first; input !== null; ) {
    const page: unknown = await read(input)
    const [list, another] = Object.values(Object(page)).filter(Array.isArray)
    if (!list || another) throw unreadable(operation, 'the answer is not one list.')
    yield* list
    input = pageAfter(operation, page, input)
  }
}

/** Returns a client for the calls of a table. @throws TypeError when `server` is not an address */
export function apiOf<Calls>(table: string, options: ApiOptions): ApiFor<Calls> {
  const server = serverOf(options.server)
  const methods: Record<string, unknown> = {}
  for (const call of callsOf(table)) {
    const make = (input: Input = {}, given: CallOptions = {}) =>
      perform({ ...options, server }, call, input, given)
    const each = (input: Input = {}, given: CallOptions = {}) =>
      entries(call.operation, page => make(page, given), input)
    methods[call.operation] = Object.assign(make, { each })
  }
  return methods as ApiFor<Calls>
}
