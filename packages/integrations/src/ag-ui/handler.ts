import { isPlatformError, type Platform, PlatformError, refuseNumbers, refuseUnknown } from '@colloquy/core'
import { createEventNames } from '@colloquy/core/transport'
import { withNewestMessages } from './history.ts'
import { answerRun } from './run.ts'
import { isDeep, readRun } from './run-input.ts'
import { createThreads } from './threads.ts'

/** The visitor, by the host's own sign-in or cookie. A thread belongs to its visitor. */
export interface AgUiVisitor {
  readonly id: string
  readonly name?: string
  /** A tag of BCP 47. */
  readonly language?: string
}

/** Options of a handler of runs. */
export interface AgUiOptions {
  /** The token of the connector whose agent answers. It stays in this process. */
  readonly connectorToken: string
  /** One of the connector's hosts. */
  readonly host: string
  /** Returns the visitor who makes the request; null refuses it with 401. */
  authorize(request: Request): AgUiVisitor | null | Promise<AgUiVisitor | null>
  /**
   * Bytes of a request, as far as it is read: of its history the newest messages that there is room for. @default
   * 1,048,576
   */
  readonly bodyBytes?: number
  /** Bytes of a request with all of its history. @default 16 times `bodyBytes` */
  readonly historyBytes?: number
  /** Characters of the page's state as JSON. @default 262,144 */
  readonly stateLength?: number
  /** Milliseconds of a run. @default 120,000 */
  readonly runTimeout?: number
  /** Milliseconds for which a run without a message waits for a person's next one. @default 20,000 */
  readonly liveWait?: number
  /** Threads whose sessions this process remembers; the page's state has all others. @default 10,000 */
  readonly threads?: number
  /** Called with errors that are no client's fault. @default they are dropped */
  onError?(error: unknown): void
}

/** Answers a run of AG-UI, on whatever path it is mounted. Never rejects. */
export type AgUiHandler = (request: Request) => Promise<Response>

/** A page sends its whole history with each run. */
const HISTORY_TIMES = 16

const refuse = (status: number, error: string): Response =>
  Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } })

const NO_RUN = 'The body must be an input of a run: threadId, runId and messages, within their bounds.'

/** Null above the limit. */
async function readBody(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null
  const parts: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || value === undefined) break
    length += value.byteLength
    if (length > limit) {
      await reader?.cancel()
      return null
    }
    parts.push(value)
  }
  return new TextDecoder().decode(await new Blob(parts).arrayBuffer())
}

const NUMBERS = {
  ...{ bodyBytes: { least: 1 }, historyBytes: { least: 1 }, stateLength: { least: 0 } },
  ...{ runTimeout: { least: 1 }, liveWait: { least: 0 }, threads: { least: 1 } },
}

function checked(options: AgUiOptions): void {
  const texts = ['connectorToken', 'host', 'authorize', 'onError']
  refuseUnknown('createAgUiHandler', options, [...texts, ...Object.keys(NUMBERS)])
  refuseNumbers(options, NUMBERS)
  const { connectorToken, host, authorize } = options
  const wrong = [
    [connectorToken, 'string', 'connectorToken must be the token of a connector.'],
    [host, 'string', 'host must be one of the hosts of the connector.'],
    [authorize, 'function', 'authorize must be a function that says who asks.'],
  ].find(([given, type]) => typeof given !== type || given === '')
  if (wrong !== undefined) throw new PlatformError('SCHEMA_VALIDATION_FAILED', String(wrong[2]))
}

/**
 * Answers runs of AG-UI with an agent of a platform, for every host that speaks `Request` and `Response` (UI1 to UI7).
 *
 * @throws SCHEMA_VALIDATION_FAILED naming an option that is not valid
 */
export function createAgUiHandler(
  platform: Pick<Platform, 'messaging' | 'settings'>,
  options: AgUiOptions,
): AgUiHandler {
  checked(options)
  const names = createEventNames(platform.settings.brand.events)
  const {
    bodyBytes = 1_048_576,
    stateLength = 262_144,
    runTimeout = 120_000,
    liveWait = 20_000,
    onError = () => undefined,
    historyBytes = bodyBytes * HISTORY_TIMES,
  } = options
  const { connectorToken, host, threads: most = 10_000 } = options
  const threads = createThreads(platform, { connectorToken, host, most })

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, 'A run is asked for by POST.')
    const visitor = await options.authorize(request)
    if (visitor === null) return refuse(401, 'You are not signed in.')
    const whole = await readBody(request, historyBytes)
    if (whole === null) return refuse(413, `A request may have ${historyBytes} bytes.`)
    if (isDeep(whole)) return refuse(400, NO_RUN)
    const body = withNewestMessages(whole, bodyBytes)
    if (body === null)
      return refuse(413, `A request without its earlier messages may have ${bodyBytes} bytes.`)
    const run = readRun(body, stateLength)
    if (run === null) return refuse(400, NO_RUN)
    const entered = await threads.enter(visitor, run)
    if ('status' in entered) return refuse(entered.status, entered.message)
    return answerRun(run, entered, { runTimeout, liveWait, onError, names, signal: request.signal })
  }

  return async request => {
    try {
      return await answer(request)
    } catch (error) {
      if (isPlatformError(error) && error.code === 'RATE_LIMITED') return refuse(429, error.message)
      onError(error)
      return refuse(500, 'The run could not begin.')
    }
  }
}
