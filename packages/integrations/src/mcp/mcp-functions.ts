import {
  type AgentFunction,
  consoleLog,
  type FunctionSource,
  type JsonObject,
  type Log,
  PlatformError,
  refuseUnknown,
} from '@colloquy/core'
import { type Connection, keepConnection } from './connection.ts'
import {
  type Bounds,
  checkServer,
  type McpLimits,
  type McpServer,
  type McpServerState,
  resolveBounds,
} from './options.ts'
import { type Conceal, resultOf } from './result.ts'
import { createConcealing } from './secrets.ts'
import { type NamedTool, namedTools } from './tools.ts'

/** Servers and their limits. */
export interface McpFunctionsOptions {
  /** By name: a letter and up to 23 letters, digits and hyphens, with which the names of its functions begin. */
  readonly servers: Readonly<Record<string, McpServer>>
  readonly limits?: McpLimits
  /**
   * Called with servers that are lost and found, and with tools that are left out; without secrets.
   *
   * @default the console
   */
  readonly log?: Pick<Log, 'info' | 'warn'>
}

/** The tools of MCP servers, for `PlatformOptions.functionSources`. */
export interface McpFunctions extends FunctionSource {
  /**
   * Resolves when each server has been tried once. A server that is away does not keep a platform from starting: its
   * tools come with it.
   */
  ready(): Promise<void>
  /** Returns the state of each server by name. */
  servers(): Readonly<Record<string, McpServerState>>
  /** Ends all connections, and the programs that were started. */
  close(): Promise<void>
}

/** The name under which a call's idempotency key goes to the server. */
const IDEMPOTENCY_KEY = 'colloquy/idempotency-key'

interface Held {
  readonly server: McpServer
  readonly connection: Connection
  readonly conceal: Conceal
}

function functionOf({ server, connection, conceal }: Held, named: NamedTool, bounds: Bounds): AgentFunction {
  const { timeout, callInTests = false } = server
  return {
    description: named.description,
    callInTests,
    ...(timeout === undefined ? {} : { timeout }),
    describeParameters: () => named.parameters,
    async prepare(args: JsonObject) {
      const wrong = named.check(args)
      if (wrong !== null)
        throw new PlatformError('SCHEMA_VALIDATION_FAILED', `The arguments are not valid: ${wrong}`)
      return async (conversation, signal) => {
        const meta = { ...server.meta?.(conversation), [IDEMPOTENCY_KEY]: conversation.idempotencyKey }
        const answer = await connection.call(named.tool, args, meta, signal)
        return resultOf(answer, bounds.resultBytes, conceal)
      }
    },
  }
}

/**
 * Connects to MCP servers, in the background, and gives their tools as functions: pass it as `functionSources` to
 * `createPlatform` (MC1 to MC10).
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the server, the limit or the option that is not valid
 */
export function createMcpFunctions(options: McpFunctionsOptions): McpFunctions {
  refuseUnknown('createMcpFunctions', options, ['servers', 'limits', 'log'])
  const { servers, limits, log = consoleLog } = options
  const bounds = resolveBounds(limits)
  for (const [name, server] of Object.entries(servers)) checkServer(name, server)
  const lists = new Map<string, Readonly<Record<string, AgentFunction>>>()
  let united: Readonly<Record<string, AgentFunction>> = {}
  const told = new Map<string, string>()

  const held = new Map(Object.entries(servers).map(([name, server]) => [name, hold(name, server)]))

  function hold(name: string, server: McpServer): Held {
    const { conceal, add } = createConcealing(server)
    const connection = keepConnection({
      ...{ name, server, bounds, conceal, known: add },
      log: { ...consoleLog, info: log.info.bind(log), warn: log.warn.bind(log) },
      listed(tools) {
        const { named, leftOut } = namedTools(name, tools, server.tools, bounds)
        // The same list is the same object: running platforms do not check it again.
        const signature = JSON.stringify([tools, leftOut])
        if (told.get(name) === signature) return
        told.set(name, signature)
        for (const one of leftOut)
          log.warn('A tool of an MCP server is left out', {
            server: name,
            tool: one.tool,
            reason: one.reason,
          })
        const made = { server, connection, conceal }
        lists.set(name, Object.fromEntries(named.map(one => [one.name, functionOf(made, one, bounds)])))
        united = Object.assign({}, ...lists.values())
      },
    })
    return { server, connection, conceal }
  }

  return {
    functions: () => united,
    async ready() {
      await Promise.all([...held.values()].map(({ connection }) => connection.tried))
    },
    servers: () =>
      Object.fromEntries(
        [...held].map(([name, { connection }]) => [
          name,
          { ...connection.state, functions: Object.keys(lists.get(name) ?? {}) },
        ]),
      ),
    async close() {
      await Promise.all([...held.values()].map(({ connection }) => connection.close()))
    },
  }
}
