import { type Credentials, createApi, isApiError } from '@colloquy/client/http'
import { type CallToolResult, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import { json } from '../terminal.ts'
import { adminTools, type KeyKind } from './tools.ts'

/** Options of an MCP server over a platform. */
export interface McpAdminOptions {
  readonly url: string
  /** Tools are those that these open. */
  readonly keys: Partial<Readonly<Record<KeyKind, string>>>
  /** Whether tools that change something may be called. */
  readonly write: boolean
  /** Bytes of an answer; what is longer is cut. */
  readonly outputBytes: number
  readonly version: string
}

const INSTRUCTIONS = `These tools are the HTTP interface of a Colloquy platform, one tool for each call.
An agent's content is edited on a branch: createBranch, then updateTopic and the like on it, triggerTestRun with its branchId to test it, readTestingRun for how it went,
diffBranch to see what would change, and mergeBranch, which deploys it to the sandbox environment. promoteDeployment brings it to visitors: ask the person first.
Fields of the request's body are in "body". Lists may come in pages: give the cursor of the one before.`

const said = (text: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError,
})

/** Cuts a text to at most so many bytes, in whole characters, with a note on how to get the rest. */
export function bounded(text: string, bytes: number): string {
  const size = Buffer.byteLength(text)
  if (size <= bytes) return text
  const note = `\n… cut at ${bytes} of ${size} bytes. Ask for less: a limit, a filter, or a single resource.`
  const kept = Buffer.from(text).subarray(0, Math.max(bytes - Buffer.byteLength(note), 0))
  // As of a stream: a character that is not whole waits for its end.
  return `${new TextDecoder().decode(kept, { stream: true })}${note}`
}

function wordsOf(error: unknown): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error)
  const more = error.body === null ? '' : `\n${json(error.body, 2)}`
  return `${error.code}: ${error.message}${more}`
}

/**
 * Runs a tool: one call, whose input is the tool's arguments unchanged, because both are generated from one document. A
 * refusal is returned as text, as the tool's error (CL30).
 */
async function run(
  call: unknown,
  args: object,
  within: { signal: AbortSignal; bytes: number },
): Promise<CallToolResult> {
  const { signal, bytes } = within
  if (typeof call !== 'function') return said('There is no such call.', true)
  try {
    const answer: unknown = await Reflect.apply(call, undefined, [args, { signal }])
    return said(bounded(answer === null || answer === undefined ? 'Done.' : json(answer, 2), bytes))
  } catch (error) {
    return said(bounded(wordsOf(error), bytes), true)
  }
}

/** Returns an MCP server whose tools are the operations that the keys open (CL30). */
export function createAdminServer(options: McpAdminOptions): McpServer {
  const credentials: Credentials = options.keys
  const api = createApi({ server: options.url, credentials })
  const validator = new CfWorkerJsonSchemaValidator()
  const server = new McpServer(
    { name: 'colloquy-admin', version: options.version },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: validator },
  )
  for (const tool of adminTools()) {
    if (options.keys[tool.key] === undefined) continue
    const { name, title, description, annotations } = tool
    const reads = annotations.readOnlyHint
    // Listed all the same, so that an assistant can tell its person what is missing.
    const refusal = `${name} changes something, and this server only reads. Start it as \`colloquy-admin mcp --write\` to allow it.`
    server.registerTool(
      name,
      {
        title,
        description: reads || options.write ? description : `${description} Not allowed: needs --write.`,
        annotations,
        inputSchema: fromJsonSchema<object>(tool.inputSchema, validator),
      },
      async (args, { mcpReq }) =>
        reads || options.write
          ? run(Reflect.get(api, name), args, { signal: mcpReq.signal, bytes: options.outputBytes })
          : said(refusal, true),
    )
  }
  return server
}
