import { isPlatformError } from '@colloquy/core'
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/accounts.ts'
import { addAgentFileCommands } from './commands/agent-files.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addConnectorCommands } from './commands/connectors.ts'
import { addContextKeyCommands } from './commands/context-keys.ts'
import { addConversationCommands } from './commands/conversations.ts'
import { addCopyCommand } from './commands/copy.ts'
import { addExportCommands } from './commands/export.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addReplayCommands } from './commands/replay.ts'
import { addRolloutCommands } from './commands/rollouts.ts'
import { addTokenKeyCommands } from './commands/token-keys.ts'
import { addVisitorCommands } from './commands/visitors.ts'
import { addConnectionOptions } from './connection.ts'
import { Failure, UsageError } from './failure.ts'
import { plain, type Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  colloquy-admin --database colloquy.db accounts create --slug hotel --name "Hotel"
  COLLOQUY_URL=https://chat.example COLLOQUY_OPERATOR_KEY=… colloquy-admin keys list
  colloquy-admin connectors create --account hotel --agent PROJECT-DESK --environment live --host hotel.example
  colloquy-admin audit list --since 2026-01-01 --json
  colloquy-admin --database colloquy.db pull --agent PROJECT-DESK --dir agents/desk
  colloquy-admin --database colloquy.db rollout start --agent PROJECT-DESK --percent 10
  COLLOQUY_URL=https://chat.example COLLOQUY_WORKSPACE_KEY=… colloquy-admin replay --agent PROJECT-DESK --branch BRANCH-1 --fail-on worse
  COLLOQUY_URL=https://chat.example COLLOQUY_WORKSPACE_KEY=… colloquy-admin mcp --write
  colloquy-admin copy --from colloquy.db --to postgres://colloquy@db.example/colloquy
  colloquy-admin export backup.jsonl --from colloquy.db`

/** Every command of the tool, writing to that terminal. */
function createProgram(terminal: Terminal): Command {
  const program = addConnectionOptions(new Command('colloquy-admin'))
    .description("Administers Colloquy: over a server's database, or over its Operator API")
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: text => terminal.out(text.trimEnd()),
      writeErr: text => terminal.err(text.trimEnd()),
    })
  addAccountCommands(program, terminal)
  addKeyCommands(program, terminal)
  addConnectorCommands(program, terminal)
  addContextKeyCommands(program, terminal)
  addTokenKeyCommands(program, terminal)
  addAuditCommands(program, terminal)
  addConversationCommands(program, terminal)
  addVisitorCommands(program, terminal)
  addCopyCommand(program, terminal)
  addExportCommands(program, terminal)
  addAgentFileCommands(program, terminal)
  addRolloutCommands(program, terminal)
  addReplayCommands(program, terminal)
  addMcpCommand(program, terminal)
  return program
}

/** A refusal may repeat what a server or a store has said. */
const refusal = ({ message }: Error): string => `error: ${message.split('\n').map(plain).join('\n')}`

/** @throws anything that is not a refusal: a defect, which its stack explains */
function exitCodeOf(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UsageError) {
    terminal.err(refusal(error))
    return 2
  }
  if (error instanceof Failure || isPlatformError(error)) {
    terminal.err(refusal(error))
    return 1
  }
  throw error
}

/**
 * Runs the command line and resolves with the exit code: 0 done, 1 refused or failed, 2 not understood (CL4).
 * @param args without the program's name
 */
export async function runAdmin(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return exitCodeOf(error, terminal)
  }
}
