import type { JsonObject, Log } from '@colloquy/core'
import {
  type CallToolResult,
  Client,
  type StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { boundedFetch, calling } from './bounded-fetch.ts'
import { type Failure, failureOf, Lost } from './failure.ts'
import { httpTransport } from './http-transport.ts'
import type { Bounds, McpServer, McpServerState } from './options.ts'
import { toolListSchema } from './read-tool.ts'
import type { Conceal } from './result.ts'
import { validator } from './validator.ts'

/** A server, connected to again whenever it is lost (MC10 and MC20). */
export interface Connection {
  /** Resolves when the first try is over, whether it worked or not. */
  readonly tried: Promise<void>
  readonly state: Omit<McpServerState, 'functions'>
  /** @throws Error in words */
  call(tool: Tool, args: JsonObject, meta: JsonObject, signal: AbortSignal): Promise<CallToolResult>
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly name: string
  readonly server: McpServer
  readonly bounds: Bounds
  readonly log: Log
  readonly conceal: Conceal
  /** Values that must not be repeated. */
  known(secrets: Iterable<string>): void
  /** The tools that there are now. */
  listed(tools: readonly unknown[]): void
}

const SOON = 100
/** Requests end with their signals; the SDK's own limit is never what ends one. */
const LONGEST = 2_147_483_647
const MOST_PAGES = 50

type Transport = StreamableHTTPClientTransport | StdioClientTransport

function transportFor({ server, bounds, known }: ConnectionOptions): Transport {
  if (!('url' in server)) {
    const { command, args = [], env, cwd, stderr = 'ignore' } = server
    return new StdioClientTransport({
      ...{ command, args: [...args], stderr, maxBufferSize: bounds.messageBytes },
      ...(env === undefined ? {} : { env: { ...env } }),
      ...(cwd === undefined ? {} : { cwd }),
    })
  }
  const { headers = {} } = server
  async function current(): Promise<Readonly<Record<string, string>>> {
    const given = typeof headers === 'function' ? await headers() : headers
    known(Object.values(given))
    return given
  }
  return httpTransport(new URL(server.url), { fetch: boundedFetch(bounds.messageBytes, current) })
}

/**
 * Returns all tools, page by page, no more than are of use. What each of them is, is read later: one may be odd (MC10).
 */
async function readTools(
  client: Client,
  { bounds, server }: Pick<ConnectionOptions, 'bounds' | 'server'>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const tools: unknown[] = []
  if (client.getServerCapabilities()?.tools === undefined) return tools
  let cursor: string | undefined
  // A server may list them one by one.
  const most = Math.max(MOST_PAGES, bounds.tools + 1)
  for (let page = 0; page < most; page++) {
    const { tools: more, nextCursor } = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      toolListSchema,
      { signal, timeout: LONGEST },
    )
    tools.push(...more)
    // One more than allowed, to notice that there are too many. Named ones may be on any page.
    const enough = server.tools === undefined && tools.length > bounds.tools
    if (nextCursor === undefined || nextCursor === cursor || enough) break
    cursor = nextCursor
  }
  return tools
}

/** Rejects as soon as the signal aborts, whatever becomes of the work. */
function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

interface Open {
  readonly client: Client
  /** Settles when the connection is of no more use. */
  readonly ended: Promise<Failure>
  end(failure: Failure): void
}

const within = (closing: AbortSignal, milliseconds: number): AbortSignal =>
  AbortSignal.any([closing, AbortSignal.timeout(milliseconds)])

async function connect(options: ConnectionOptions, closing: AbortSignal): Promise<Open> {
  const { bounds, listed, server } = options
  let end: Open['end'] = () => undefined
  const ended = new Promise<Failure>(resolve => {
    end = resolve
  })
  let reading = Promise.resolve()
  const client = new Client(
    { name: 'colloquy', version: '1' },
    {
      capabilities: {},
      jsonSchemaValidator: validator,
      // A server of either age; a program is not started twice to find out.
      versionNegotiation: { mode: 'url' in server ? 'auto' : 'legacy' },
      inputRequired: { autoFulfill: false },
      listChanged: { tools: { autoRefresh: false, debounceMs: SOON, onChanged: () => void refresh() } },
    },
  )
  async function read(): Promise<void> {
    try {
      const signal = within(closing, bounds.connectTimeout)
      listed(await orAborted(signal, readTools(client, options, signal)))
    } catch (error) {
      end(failureOf(error))
      throw error
    }
  }
  /** One at a time, so that an older list never follows a newer one. */
  const refresh = (): Promise<void> => {
    reading = reading.then(read).catch(() => undefined)
    return reading
  }
  let wrong: Failure | null = null
  client.onerror = error => {
    const failure = failureOf(error)
    if (failure.broken) wrong = failure
  }
  client.onclose = () => end(wrong ?? { reason: 'It has closed the connection.', broken: true })
  try {
    const signal = within(closing, bounds.connectTimeout)
    await orAborted(signal, client.connect(transportFor(options), { signal, timeout: LONGEST }))
    await read()
  } catch (error) {
    void client.close().catch(() => undefined)
    throw error
  }
  const timer = setInterval(refresh, bounds.refreshEvery).unref()
  void ended.then(() => clearInterval(timer))
  return { client, ended, end }
}

function pause(bounds: Bounds, failures: number, closing: AbortSignal): Promise<void> {
  const longest = Math.min(bounds.retryDelay * 2 ** Math.min(failures, 30), bounds.longestRetryDelay)
  // Not all processes at once.
  const delay = longest * (0.5 + Math.random() / 2)
  return new Promise(resolve => {
    const timer = setTimeout(resolve, delay).unref()
    closing.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function callOpen(
  { conceal, name }: ConnectionOptions,
  { client, end, ended }: Open,
  [tool, args, meta]: readonly [Tool, JsonObject, JsonObject],
  outer: AbortSignal,
): Promise<CallToolResult> {
  const own = new AbortController()
  const { signal } = own
  const abort = (): void => own.abort(outer.reason)
  outer.addEventListener('abort', abort, { once: true })
  void ended.then(failure => own.abort(new Lost(failure)))
  try {
    const asked = calling.run(own, () =>
      client.callTool(
        { name: tool.name, arguments: args, _meta: meta },
        { signal, timeout: LONGEST, toolDefinition: tool },
      ),
    )
    return await orAborted(signal, asked)
  } catch (error) {
    if (outer.aborted) throw outer.reason
    const failure = failureOf(own.signal.aborted ? own.signal.reason : error)
    if (failure.broken) end(failure)
    throw new Error(`The MCP server ${name} failed. ${conceal(failure.reason)}`)
  } finally {
    outer.removeEventListener('abort', abort)
  }
}

/** Keeps a connection to a server until it is closed. */
export function keepConnection(options: ConnectionOptions): Connection {
  const { name, bounds, log, conceal } = options
  const closing = new AbortController()
  let state: Connection['state'] = { state: 'connecting', problem: null }
  let open: Promise<Open> | null = null

  let tried: () => void = () => undefined
  const firstTry = new Promise<void>(resolve => {
    tried = resolve
  })

  async function keep(): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      state = { state: 'connecting', problem: state.problem }
      let failure: Failure
      try {
        open = connect(options, closing.signal)
        const opened = await open
        const since = performance.now()
        state = { state: 'connected', problem: null }
        log.info('An MCP server is connected', { server: name })
        tried()
        failure = await opened.ended
        void opened.client.close().catch(() => undefined)
        // A server that fails repeatedly is not asked more and more often.
        if (performance.now() - since > bounds.longestRetryDelay) failures = 0
      } catch (error) {
        failure = failureOf(error)
      }
      open = null
      if (closing.signal.aborted) break
      const problem = conceal(failure.reason)
      state = { state: 'waiting', problem }
      log.warn('An MCP server is not connected', { server: name, reason: problem })
      tried()
      await pause(bounds, failures++, closing.signal)
    }
    state = { state: 'closed', problem: 'It is closed.' }
    tried()
  }
  const kept = keep()

  return {
    tried: firstTry,
    get state() {
      return state
    },
    async call(tool, args, meta, signal) {
      const away = (): Error =>
        new Error(`The MCP server ${name} is not connected. ${state.problem ?? 'It is being connected.'}`)
      if (open === null) throw away()
      const opened = await orAborted(signal, open).catch(() => {
        if (signal.aborted) throw signal.reason
        throw away()
      })
      return callOpen(options, opened, [tool, args, meta], signal)
    },
    async close() {
      closing.abort(new Error('It was closed.'))
      const opened = await open?.catch(() => null)
      opened?.end({ reason: 'It is closed.', broken: true })
      await opened?.client.close().catch(() => undefined)
      await kept
    },
  }
}
