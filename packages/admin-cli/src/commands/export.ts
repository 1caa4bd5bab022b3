import type { FileHandle } from 'node:fs/promises'
import { examineTarget } from '@colloquy/core'
import type { Command } from 'commander'
import { namedFiles, openFiles } from '../bytes/place.ts'
import { BYTE_KINDS, readPort } from '../bytes/stored-bytes.ts'
import { openPlace } from '../copy/place.ts'
import {
  closing,
  compare,
  givenPlace,
  inSteps,
  refuseConnection,
  type TransferOptions,
  transfer,
  withBytes,
} from '../copy/transfer.ts'
import { type ExportRead, openExport, readExport } from '../export/export-file.ts'
import { writeExport } from '../export/write-export.ts'
import { Failure } from '../failure.ts'
import { plain, type Terminal } from '../terminal.ts'

/** Kinds of documents that name bytes. */
const NAMED = ['conversation_file', 'call_recording']

const SIDES = { same: 'The file and the store', different: 'The file and the store' } as const

async function runExport(name: string, options: TransferOptions, terminal: Terminal): Promise<void> {
  refuseConnection(options, 'export', '--from')
  const words = {
    command: 'export',
    ...SIDES,
    remedy:
      'Where a server was writing to --from meanwhile, that is to be expected: the file is whole, but not of one moment. For one that is, stop the server, and export into another file',
  }
  const say = (line: string): void => terminal.err(plain(line))
  const place = namedFiles(options.files, terminal.env)
  const read = place === undefined ? null : readPort(openFiles('--files', place, terminal.env))
  await closing(openPlace(givenPlace('from', options, terminal.env), 'source'), from =>
    closing(openExport(name, options.compare ? 'read' : 'write'), async file => {
      const begun = await readExport(file, name)
      if (options.compare !== true) {
        if (read === null && BYTE_KINDS.some(kind => begun.counts.has(kind)))
          throw new Failure(`${name} was begun with the bytes of files. Name --files again, or another file.`)
        if (begun.isWhole)
          throw new Failure(
            `${name} is a whole export, and is not written over. Name another file, or remove it.`,
          )
        if (['another', 'later'].includes((await examineTarget(from, begun)).state))
          throw new Failure(
            `${name} was begun from another store, or from a later state of it. Name another file.`,
          )
        say(
          begun.lines === 0
            ? `Exporting to ${name}. Ctrl-C stops it; the same command goes on.`
            : `Going on with ${name} behind line ${begun.lines}. Ctrl-C stops it; the same command goes on.`,
        )
        await inSteps(words, terminal, onProgress =>
          writeExport(withBytes(from, read), file, begun, onProgress),
        )
      }
      const whole = await readWhole(file, name)
      await compare([withBytes(from, read), whole], words, options, terminal)
      if (read === null && NAMED.some(kind => whole.counts.has(kind)))
        say('The export has the names of files, and not their bytes. For these, name --files.')
    }),
  )
}

/** @throws Failure for an export that was cut off */
async function readWhole(file: FileHandle, name: string): Promise<ExportRead> {
  const read = await readExport(file, name)
  if (read.isWhole) return read
  throw new Failure(
    `${name} was cut off behind line ${read.lines}. Run the same colloquy-admin export again: it goes on there.`,
  )
}

async function runImport(name: string, options: TransferOptions, terminal: Terminal): Promise<void> {
  refuseConnection(options, 'import', '--to')
  const place = givenPlace('to', options, terminal.env)
  const words = { command: 'import', ...SIDES, remedy: 'Run the same import again' }
  await closing(openExport(name, 'read'), async file => {
    // Read to its end before anything is made in the target (CY30).
    const from = await readWhole(file, name)
    const where = namedFiles(options.files, terminal.env)
    if (where === undefined && BYTE_KINDS.some(kind => from.counts.has(kind)))
      throw new Failure(
        `${name} has the bytes of files. Say with --files where they go: a folder, or https://<host>/<bucket>.`,
      )
    const bytes =
      where === undefined ? null : { from: from.read, to: openFiles('--files', where, terminal.env) }
    await closing(openPlace(place, options.compare ? 'compared' : 'target'), to =>
      transfer({ from, to, bytes, place, source: 'the file', sourceName: name }, words, options, terminal),
    )
  })
}

/** `export` and `import` */
export function addExportCommands(program: Command, terminal: Terminal): void {
  const side = (command: Command, name: 'from' | 'to', text: string): Command =>
    command
      .option(`--${name} <store>`, `a file, or postgres://…${text}; or COLLOQUY_COPY_${name.toUpperCase()}`)
      .option(`--${name}-schema <name>`, 'the schema of a store in PostgreSQL (default: colloquy)')
      .option('--compare', 'write nothing, only compare')

  const exporting = program
    .command('export')
    .argument('<file>', 'made with mode 600: it holds all secrets of the store')
    .description('write a whole store into a file, a line of JSON for each document; compare them at the end')
    .addHelpText(
      'after',
      `
Servers may use --from meanwhile; then the file is not of one moment. One that was cut off is continued.
Exit code 0: both hold the same. A password goes into PGPASSWORD: others see the arguments of a process.`,
    )
  side(exporting, 'from', '').action(async (name: string) =>
    runExport(name, exporting.optsWithGlobals(), terminal),
  )

  const importing = program
    .command('import')
    .argument('<file>', 'what export has written')
    .description('make a store hold what such a file holds, and nothing else; compare them at the end')
    .option('--yes', 'do not ask before conversations are removed that are in --to alone')
    .addHelpText(
      'after',
      `
Nothing may use --to meanwhile. Repeated, or after an interruption, it writes only what is missing.
Exit code 0: both hold the same. A password goes into PGPASSWORD: others see the arguments of a process.`,
    )
  side(importing, 'to', ', made when missing').action(async (name: string) =>
    runImport(name, importing.optsWithGlobals(), terminal),
  )
}
