import { type FunctionConversation, type JsonObject, PlatformError } from '@colloquy/core'
import * as z from 'zod'

/** Options of a server, for every transport. */
export interface McpServerCommon {
  /** The tools that agents may call, as the server names them. @default all of them */
  readonly tools?: readonly string[]
  /** Milliseconds that a call may take, below `Settings.turnDeadline`. @default `Settings.functionTimeout` */
  readonly timeout?: number
  /** Whether test runs may call its tools when the test case gives no result (TE13). @default false */
  readonly callInTests?: boolean
  /**
   * Returns the `_meta` of a call, for example the visitor's id, for the server only. No model reads or writes it.
   * @default the call's idempotency key alone, which is always there
   */
  meta?(conversation: FunctionConversation): JsonObject
}

/** A server that is reached over Streamable HTTP. */
export interface McpHttpServer extends McpServerCommon {
  /** `https:`, or `http:` where nothing else listens. */
  readonly url: string
  /** Headers of every request, or a function that is called for each request. They are never logged. @default none */
  readonly headers?: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>)
}

/** A server that is a program, started by this process and spoken to over stdio. */
export interface McpStdioServer extends McpServerCommon {
  readonly command: string
  readonly args?: readonly string[]
  /** Added to the few harmless variables that it inherits, such as `PATH`. They are never logged. @default none */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The destination of the server's stderr. @default 'ignore' */
  readonly stderr?: 'ignore' | 'inherit'
}

/** A server whose tools become functions. */
export type McpServer = McpHttpServer | McpStdioServer

/** Bounds of what a server may cost (MC10 and MC3). */
export interface McpLimits {
  /** Tools of one server; those beyond are left out. @default 64 */
  readonly tools?: number
  /** Characters of a tool's description; what is longer is cut. @default 2,000 */
  readonly descriptionLength?: number
  /** Bytes of a tool's schemas, each; a tool with a larger one is left out. @default 32,768 */
  readonly schemaBytes?: number
  /** Bytes of a result: longer text is cut and says so, larger structured content is refused. @default 32,768 */
  readonly resultBytes?: number
  /** Bytes of one message of a server; with a larger one its call fails. @default 1,048,576 */
  readonly messageBytes?: number
  /** Milliseconds for connecting, and for reading the list of tools. @default 10,000 */
  readonly connectTimeout?: number
  /** Milliseconds before reconnecting; twice as long after each failure. @default 500 */
  readonly retryDelay?: number
  /** The longest such pause. @default 60,000 */
  readonly longestRetryDelay?: number
  /** Milliseconds after which the list of tools is read again, told of a change or not. @default 60,000 */
  readonly refreshEvery?: number
}

/** The state of a server. */
export interface McpServerState {
  readonly state: 'connecting' | 'connected' | 'waiting' | 'closed'
  /** The names of its functions. */
  readonly functions: readonly string[]
  /** The reason why it is not connected, in words and without secrets; null if it is. */
  readonly problem: string | null
}

/** The bounds that hold. */
export type Bounds = Required<McpLimits>

const whole = (least: number, most: number, standard: number) =>
  z.int().min(least).max(most).default(standard)

const LONGEST = 2_147_483_647

const boundsSchema = z.strictObject({
  tools: whole(0, 1_000, 64),
  descriptionLength: whole(1, 100_000, 2_000),
  schemaBytes: whole(2, 1_048_576, 32_768),
  resultBytes: whole(100, 10_485_760, 32_768),
  messageBytes: whole(1_024, 104_857_600, 1_048_576),
  connectTimeout: whole(1, LONGEST, 10_000),
  retryDelay: whole(1, LONGEST, 500),
  longestRetryDelay: whole(1, LONGEST, 60_000),
  refreshEvery: whole(10, LONGEST, 60_000),
})

const common = {
  tools: z.array(z.string()).optional(),
  timeout: z.int().min(1).optional(),
  callInTests: z.boolean().optional(),
  meta: z.custom(value => typeof value === 'function', 'must be a function').optional(),
}

const texts = z.record(z.string(), z.string())

const serverSchema = z.union([
  z.strictObject({
    ...common,
    url: z.url({ protocol: /^https?$/ }),
    headers: z.union([texts, z.custom(value => typeof value === 'function')]).optional(),
  }),
  z.strictObject({
    ...common,
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().optional(),
    stderr: z.enum(['ignore', 'inherit']).optional(),
  }),
])

/** A name of a server: what the names of its functions begin with. */
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,23}$/

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** @throws SCHEMA_VALIDATION_FAILED naming the limit, and what is allowed */
export function resolveBounds(limits: unknown): Bounds {
  const { data, error } = boundsSchema.safeParse(limits ?? {})
  if (data !== undefined) return data
  const [issue] = error.issues
  throw refusal(`limits.${issue?.path.join('.') ?? ''} is not valid: ${issue?.message ?? 'unknown'}.`)
}

/** @throws SCHEMA_VALIDATION_FAILED naming the server; values of its fields are not repeated */
export function checkServer(name: string, server: unknown): void {
  if (!NAME.test(name))
    throw refusal(
      `The MCP server ${JSON.stringify(name)} must be named by a letter and up to 23 letters, digits and hyphens.`,
    )
  if (serverSchema.safeParse(server).success) return
  const fields = 'url and headers, or command, args, env, cwd and stderr'
  throw refusal(`The MCP server ${name} must have ${fields}; and may have tools, timeout, callInTests, meta.`)
}
