import { VERSION } from '@colloquy/core'
import type { Command } from 'commander'
import { type ConnectionOptions, keyIn, serverOf } from '../connection.ts'
import { UsageError } from '../failure.ts'
import type { KeyKind } from '../mcp/tools.ts'
import type { Terminal } from '../terminal.ts'
import { wholeNumber } from './command.ts'

/** Environment variable of each key. Keys are not arguments, because other users can see the arguments of a process. */
const VARIABLES: Readonly<Record<KeyKind, string>> = {
  workspaceKey: 'COLLOQUY_WORKSPACE_KEY',
  projectKey: 'COLLOQUY_PROJECT_KEY',
  operatorKey: 'COLLOQUY_OPERATOR_KEY',
  deskKey: 'COLLOQUY_DESK_KEY',
}

const DEFAULT_OUTPUT = '60000'
const outputSchema = wholeNumber(1_000, 10_000_000)

function keysOf(env: Terminal['env']): Partial<Record<KeyKind, string>> {
  const keys: Partial<Record<KeyKind, string>> = {}
  for (const kind of ['workspaceKey', 'projectKey', 'operatorKey', 'deskKey'] as const) {
    const key = keyIn(VARIABLES[kind], env)
    if (key !== '') keys[kind] = key
  }
  if (Object.keys(keys).length === 0)
    throw new UsageError(`Set at least one key: ${Object.values(VARIABLES).join(', ')}.`)
  return keys
}

/** `mcp` */
export function addMcpCommand(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description(
      'an MCP server over stdio, so that an assistant sees and edits agents; it only reads unless told',
    )
    .option('--write', 'allow tools that change something')
    .option('--max-output <bytes>', 'of one answer; what is longer is cut', DEFAULT_OUTPUT)
    .addHelpText(
      'after',
      `\nTools are the calls that the keys of the environment open:\n  ${Object.values(VARIABLES).join('\n  ')}`,
    )
    .action(async (_, command: Command) => {
      const given: ConnectionOptions & { write?: boolean; maxOutput: string } = command.optsWithGlobals()
      const url = serverOf('mcp', given, terminal.env)
      const outputBytes = outputSchema.safeParse(given.maxOutput)
      if (!outputBytes.success)
        throw new UsageError(
          "option '--max-output <bytes>' is not valid: expected a whole number from 1000 to 10000000.",
        )
      const operator = given.operatorKey
      const keys = keysOf({
        ...terminal.env,
        ...(operator === undefined ? {} : { [VARIABLES.operatorKey]: operator }),
      })
      const options = {
        url,
        keys,
        write: given.write ?? false,
        outputBytes: outputBytes.data,
        version: VERSION,
      }
      // Loaded here: no other command has a use for it.
      const [{ serveStdio }, { createAdminServer }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../mcp/serve.ts'),
      ])
      const ended = new Promise<void>(resolve => process.stdin.once('close', resolve).once('end', resolve))
      const handle = serveStdio(() => createAdminServer(options), {
        onerror: error => terminal.err(`error: ${error.message}`),
      })
      await ended
      await handle.close()
    })
}
