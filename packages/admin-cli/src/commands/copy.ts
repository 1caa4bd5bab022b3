import {
  type ComparedContent,
  compareStores,
  copyStore,
  examineTarget,
  isPlatformError,
} from '@colloquy/core'
import type { CopyableStore } from '@colloquy/core/store'
import type { Command } from 'commander'
import type { ConnectionOptions } from '../connection.ts'
import { isSamePlace, nameOf, openPlace, type Place, placeOf } from '../copy/place.ts'
import { comparisonJson, comparisonRows, createProgress, differences, PART_NAMES } from '../copy/progress.ts'
import { Failure, UsageError } from '../failure.ts'
import { confirm, json, plain, type Terminal, table } from '../terminal.ts'

interface CopyOptions extends ConnectionOptions {
  readonly from?: string
  readonly to?: string
  readonly fromSchema?: string
  readonly toSchema?: string
  readonly compare?: boolean
  readonly yes?: boolean
}

/** The two places that are named. @throws UsageError */
function placesOf(options: CopyOptions, env: Terminal['env']): { readonly from: Place; readonly to: Place } {
  if (options.database !== undefined || options.url !== undefined)
    throw new UsageError('copy takes --from and --to; --database and --url are for the other commands.')
  // An empty variable counts as not given.
  const given = (option: string, text: string | undefined, variable: string): string => {
    const value = text ?? (env[variable] || undefined)
    if (value === undefined)
      throw new UsageError(`Name the store with ${option} <file or postgres://…> (${variable}).`)
    return value
  }
  const from = placeOf('--from', given('--from', options.from, 'COLLOQUY_COPY_FROM'), options.fromSchema)
  const to = placeOf('--to', given('--to', options.to, 'COLLOQUY_COPY_TO'), options.toSchema)
  if (isSamePlace(from, to))
    throw new UsageError(`--from and --to name the same store: ${nameOf(to)}. Name another one.`)
  return { from, to }
}

interface Stores {
  readonly one: CopyableStore
  readonly other: CopyableStore
}

/** Looks at both, one after the other, closed again whatever happens. */
async function withStores<Result>(
  { from, to }: { readonly from: Place; readonly to: Place },
  compare: boolean,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const one = await openPlace(from, 'source')
  try {
    const other = await openPlace(to, compare ? 'compared' : 'target')
    try {
      return await work({ one, other })
    } finally {
      await other.close()
    }
  } finally {
    await one.close()
  }
}

/** @throws Failure for a target that must not be written over, or whose conversations nobody wants removed */
async function checkTarget({ one, other }: Stores, to: Place, options: CopyOptions, terminal: Terminal) {
  const { state, onlyThere } = await examineTarget(one, other)
  if (state === 'another')
    throw new Failure(
      `--to: ${nameOf(to)} holds the data of another store, which a copy would remove. Name an empty one, or one that is a copy of --from.`,
    )
  if (state === 'later')
    throw new Failure(
      `--to: ${nameOf(to)} was written to after it was copied: a server has used it. To copy again would take away what it has got since. Name an empty store.`,
    )
  if (onlyThere === 0) return
  const act = `Removing ${onlyThere} conversations from ${nameOf(to)} that are not in --from, or not any more,`
  await confirm(terminal, options.yes ?? false, act, 'remove')
}

async function copy({ one, other }: Stores, say: (line: string) => void): Promise<void> {
  const { onProgress, end } = createProgress(say)
  try {
    await copyStore(one, other, { onProgress })
    end()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isPlatformError(error) && error.code === 'SCHEMA_VALIDATION_FAILED') throw new Failure(reason)
    throw new Failure(`The copy was interrupted: ${reason} The same command goes on where it stopped.`)
  }
}

/** @throws Failure where they are not equal */
function showComparison(
  compared: readonly ComparedContent[],
  options: CopyOptions,
  terminal: Terminal,
): void {
  const columns = ['what', 'from', 'to', 'hash of from', 'hash of to', 'equal']
  terminal.out(options.json ? json(comparisonJson(compared), 2) : table(comparisonRows(compared), columns))
  const different = differences(compared).map(({ part }) => PART_NAMES[part])
  if (different.length > 0)
    throw new Failure(
      `The stores differ in ${different.join(', ')}. Where a server was writing to --from meanwhile, that is to be expected: stop it, and run copy again.`,
    )
  if (!options.json) terminal.out('Both stores hold the same.')
}

async function run(options: CopyOptions, terminal: Terminal): Promise<void> {
  const places = placesOf(options, terminal.env)
  const say = (line: string): void => terminal.err(plain(line))
  const compare = options.compare ?? false
  await withStores(places, compare, async stores => {
    if (!compare) {
      await checkTarget(stores, places.to, options, terminal)
      say(
        `Copying ${nameOf(places.from)} to ${nameOf(places.to)}. Ctrl-C stops it; the same command goes on.`,
      )
      await copy(stores, say)
    }
    say('Comparing counts and content.')
    showComparison(await compareStores(stores.one, stores.other), options, terminal)
  })
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
