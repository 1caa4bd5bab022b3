import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { inject, onTestFinished } from 'vitest'
import {
  createDispatcher as createPlainDispatcher,
  type Dispatcher,
} from '../../packages/core/src/http/dispatcher.ts'
import type { HttpRequest, HttpResponse } from '../../packages/core/src/http/route.ts'
import { exceptionOf } from './mount-exceptions.ts'
import { EVERYDAY, MOUNTS, type Mounted, type MountName } from './mounts.ts'

/**
 * Stands in for core's dispatcher in core's own HTTP tests (`vitest.config.ts`): each request goes through a real mount,
 * over a real connection where it has one, and the answer is what came back.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    readonly mount: MountName
  }
}

/** Says of a request which answer of the dispatcher is its own. */
const MARK = 'x-test-request'

/** Headers that a server adds itself. */
const SERVERS = new Set([
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'content-length',
  'x-powered-by',
])

/** Methods that cannot be sent, or that the framework itself answers. */
const UNSENDABLE: Readonly<Record<string, readonly string[]>> = {
  ...{ fetch: ['TRACE'], 'Next.js': ['TRACE'], SvelteKit: ['TRACE'] },
  Hono: ['TRACE'],
  Fastify: ['TRACE'],
}

/** An answer of the dispatcher's own, and the chunks that it was made of. */
interface Made {
  readonly answer: HttpResponse
  readonly chunks: Chunk[]
  /** Errors that cut it off; none if it came to its end. */
  failures: readonly unknown[]
}

interface Came {
  /** It ended before its end. */
  readonly broken: boolean
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Reports whether a client can write a request, and a server of Node accepts it. Other requests go to the dispatcher
 * alone.
 */
function isSendable({ path, query, headers }: HttpRequest): boolean {
  const size = Object.entries(headers).reduce(
    (sum, [name, value = '']) => sum + name.length + value.length,
    0,
  )
  if (path.length + query.length + size > 15_000 || !/^[!-~]*$/.test(path + query)) return false
  return Object.values(headers).every(value => value === undefined || /^[\t -~\x80-\xff]*$/.test(value))
}

function wireHeaders(request: HttpRequest, mark: string): Record<string, string> {
  const given = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return {
    ...Object.fromEntries(given),
    [MARK]: mark,
    'x-forwarded-for': request.remoteAddress,
    'x-forwarded-proto': request.secure ? 'https' : 'http',
  }
}

async function overWire(
  server: Server,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<Came> {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
  const sent = httpRequest({ port, host: '127.0.0.1', method, path, headers: { ...length, ...headers } })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (response === undefined) throw new Error('no answer')
  const chunks: Uint8Array[] = []
  let broken = false
  try {
    for await (const chunk of response) chunks.push(chunk)
  } catch {
    broken = true
  }
  const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return {
    broken,
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(told),
    bytes: new Uint8Array(Buffer.concat(chunks)),
  }
}

async function direct(
  mounted: Mounted,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
): Promise<Came> {
  const bodiless = body.length === 0 || method === 'GET' || method === 'HEAD'
  const answer = await mounted.send(path, { method, headers, ...(bodiless ? {} : { body }) })
  const bytes = await answer.arrayBuffer().catch(() => null)
  return {
    broken: bytes === null,
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    bytes: new Uint8Array(bytes ?? []),
  }
}

type Chunk = string | Uint8Array

const bytesOf = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)

/** Notes the chunks that an answer is made of. */
async function* noted(chunks: AsyncIterable<Chunk>, made: Made): AsyncGenerator<Chunk> {
  try {
    for await (const chunk of chunks) {
      made.chunks.push(chunk)
      yield chunk
    }
  } catch (error) {
    made.failures = [error]
    throw error
  }
}

/** The chunks that an answer was made of, where they are what came. */
async function* asMade({ chunks, failures }: Made, { bytes, broken }: Came): AsyncGenerator<Chunk> {
  if (broken !== failures.length > 0)
    throw new Error('The answer came whole, and was not made so, or the reverse.')
  if (!broken && !Buffer.concat(chunks.map(bytesOf)).equals(bytes))
    throw new Error('Other bytes came than were sent.')
  yield* chunks
  if (broken) throw failures[0]
}

/** Returns the response received, in the shape of the dispatcher's answer. Headers have the names that it wrote. */
function asAnswered(came: Came, made: Made | undefined): HttpResponse {
  const names = new Map(Object.keys(made?.answer.headers ?? {}).map(name => [name.toLowerCase(), name]))
  const headers = Object.entries(came.headers)
    .filter(([name]) => names.has(name) || !SERVERS.has(name))
    .map(([name, value]) => [names.get(name) ?? name, value])
  const shape = { status: came.status, headers: Object.fromEntries(headers) }
  if (made?.answer.chunks != null) return { ...shape, body: null, chunks: asMade(made, came) }
  const body =
    came.bytes.length === 0 && made?.answer.body == null ? null : new TextDecoder().decode(came.bytes)
  return { ...shape, body, chunks: null }
}

/** As core's own, behind the mount that the project names. */
export const createDispatcher: typeof createPlainDispatcher = (...given): Dispatcher => {
  const plain = createPlainDispatcher(...given)
  const name = inject('mount')
  const answers = new Map<string, Made>()
  let mounted: Promise<Mounted> | null = null
  let count = 0

  /** Every path is ours here: which are is what other tests ask. */
  const inner: Dispatcher = {
    ...plain,
    matches: () => true,
    async handle(request) {
      const answer = await plain.handle(request)
      const made: Made = { answer, chunks: [], failures: [] }
      answers.set(request.headers[MARK] ?? '', made)
      return answer.chunks === null || answer.cutOff !== undefined
        ? answer
        : { ...answer, chunks: noted(answer.chunks, made) }
    },
  }

  const start = (): Promise<Mounted> => {
    const starting = MOUNTS[name](inner, { ...EVERYDAY, trustProxy: true })
    onTestFinished(async () => {
      mounted = null
      await (await starting).close()
    })
    return starting
  }

  return {
    ...plain,
    async handle(request) {
      const isOwn = UNSENDABLE[name]?.includes(request.method) || !isSendable(request)
      if (isOwn || exceptionOf(name) !== null) return plain.handle(request)
      mounted ??= start()
      const there = await mounted
      const mark = String(++count)
      const headers = wireHeaders(request, mark)
      const query = request.query === '' ? '' : `?${request.query}`
      const path = `${there.base}${request.path}${query}`
      // Some tests show that a body is not read, and their body cannot be: then none is sent.
      const body = new Uint8Array(await request.body(Number.MAX_SAFE_INTEGER).catch(() => []))
      const came =
        there.server === null
          ? await direct(there, request.method, path, headers, body)
          : await overWire(there.server, request.method, path, headers, body)
      return asAnswered(came, answers.get(mark))
    },
  }
}
