import type { Command } from 'commander'
import { openFiles } from '../bytes/place.ts'
import { readPort } from '../bytes/stored-bytes.ts'
import { isSamePlace, nameOf, openPlace } from '../copy/place.ts'
import {
  closing,
  givenPlace,
  type MovedBytes,
  refuseConnection,
  type TransferOptions,
  transfer,
} from '../copy/transfer.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

/** Returns the places of the bytes of files; null leaves them out. @throws UsageError for one place alone */
function movedBytes({ fromFiles, toFiles }: TransferOptions, env: Terminal['env']): MovedBytes | null {
  if (fromFiles === undefined && toFiles === undefined) return null
  if (fromFiles === undefined || toFiles === undefined)
    throw new UsageError('--from-files and --to-files go together. Name both, or none to leave bytes out.')
  const [from, to] = [openFiles('--from-files', fromFiles, env), openFiles('--to-files', toFiles, env)]
  return { from: readPort(from), to }
}

async function run(options: TransferOptions, terminal: Terminal): Promise<void> {
  refuseConnection(options, 'copy', '--from and --to')
  const [source, place] = [givenPlace('from', options, terminal.env), givenPlace('to', options, terminal.env)]
  if (isSamePlace(source, place))
    throw new UsageError(`--from and --to name the same store: ${nameOf(place)}. Name another one.`)
  const bytes = movedBytes(options, terminal.env)
  const words = {
    command: 'copy',
    same: 'Both stores',
    different: 'The stores',
    remedy:
      'Where a server was writing to --from meanwhile, that is to be expected: stop it, and run copy again',
  }
  await closing(openPlace(source, 'source'), from =>
    closing(openPlace(place, options.compare ? 'compared' : 'target'), to =>
      transfer(
        { from, to, bytes, place, source: '--from', sourceName: nameOf(source) },
        words,
        options,
        terminal,
      ),
    ),
  )
}

/** `copy` */
export function addCopyCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('copy')
    .description(
      'move a whole store into another one, from SQLite to PostgreSQL or back; compare them at the end',
    )
    .option('--from <store>', 'a file, or postgres://…; or COLLOQUY_COPY_FROM')
    .option('--to <store>', 'a file, or postgres://…, made when missing; or COLLOQUY_COPY_TO')
    .option('--from-schema <name>', 'the schema of a store in PostgreSQL (default: colloquy)')
    .option('--to-schema <name>', 'the schema of a store in PostgreSQL (default: colloquy)')
    .option(
      '--from-files <place>',
      'copy the bytes of files as well, from this folder or https://<host>/<bucket>',
    )
    .option('--to-files <place>', 'into this one')
    .option('--compare', 'copy nothing, only compare')
    .option('--yes', 'do not ask before conversations are removed that are in --to alone')
    .addHelpText(
      'after',
      `
Servers may use --from meanwhile, not --to. Repeated, or after an interruption, it writes only what is missing.
Exit code 0: both hold the same. A password goes into PGPASSWORD: others see the arguments of a process.`,
    )
  command.action(async () => run(command.optsWithGlobals(), terminal))
}
