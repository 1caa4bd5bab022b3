import { compareStores, copyStore, examineTarget, type Files, isPlatformError } from '@colloquy/core'
import type { CopyableStore, CopySource } from '@colloquy/core/store'
import {
  compareBytes,
  dropBytes,
  moveBytes,
  type ReadBytes,
  readPort,
  type WithBytes,
} from '../bytes/stored-bytes.ts'
import type { ConnectionOptions } from '../connection.ts'
import { Failure, UsageError } from '../failure.ts'
import { confirm, json, plain, type Terminal, table } from '../terminal.ts'
import { nameOf, type Place, placeOf } from './place.ts'
import {
  comparisonJson,
  comparisonRows,
  createProgress,
  differences,
  PART_NAMES,
  type ShownContent,
  type ShownCounts,
} from './progress.ts'

/** Options of the commands that move a store to another place. */
export interface TransferOptions extends ConnectionOptions {
  readonly from?: string
  readonly to?: string
  readonly fromSchema?: string
  readonly toSchema?: string
  readonly fromFiles?: string
  readonly toFiles?: string
  readonly compare?: boolean
  readonly yes?: boolean
}

/** Words in messages for a command and its two sides. */
export interface Words {
  readonly command: string
  /** Subject of a sentence that says that both sides are equal. */
  readonly same: string
  /** Subject of a sentence that says that they differ. */
  readonly different: string
  /** Advice if they differ: a sentence without its full stop. */
  readonly remedy: string
}

/** Returns the store that an option, or else the environment, names. @throws UsageError */
export function givenPlace(side: 'from' | 'to', options: TransferOptions, env: Terminal['env']): Place {
  const variable = `COLLOQUY_COPY_${side.toUpperCase()}`
  // An empty variable counts as not given.
  const value = options[side] ?? (env[variable] || undefined)
  if (value === undefined)
    throw new UsageError(`Name the store with --${side} <file or postgres://…> (${variable}).`)
  return placeOf(`--${side}`, value, options[`${side}Schema`])
}

/** @throws UsageError for the options of other commands */
export function refuseConnection(options: ConnectionOptions, command: string, own: string): void {
  if (options.database !== undefined || options.url !== undefined)
    throw new UsageError(`${command} takes ${own}; --database and --url are for the other commands.`)
}

/** Works with what is opened, which is closed again whatever happens. */
export async function closing<Opened extends { close(): Promise<void> }, Result>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await opening
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** @throws Failure for a target that must not be overwritten, or if removing its conversations is not confirmed */
async function checkTarget(
  { from, to, place, source }: Transfer,
  options: TransferOptions,
  terminal: Terminal,
): Promise<void> {
  const { state, onlyThere } = await examineTarget(from, to)
  if (state === 'another')
    throw new Failure(
      `--to: ${nameOf(place)} holds the data of another store, which a copy would remove. Name an empty one, or one that is a copy of ${source}.`,
    )
  if (state === 'later')
    throw new Failure(
      `--to: ${nameOf(place)} was written to after it was copied: a server has used it. To copy again would take away what it has got since. Name an empty store.`,
    )
  if (onlyThere === 0) return
  const act = `Removing ${onlyThere} conversations from ${nameOf(place)} that are not in ${source}, or not any more,`
  await confirm(terminal, options.yes ?? false, act, 'remove')
}

/** Prints the progress of work that continues with the same command. @throws Failure with the reason if it stops */
export async function inSteps(
  { command }: Words,
  terminal: Terminal,
  work: (onProgress: (counts: ShownCounts) => void) => Promise<unknown>,
): Promise<void> {
  const { onProgress, end } = createProgress(line => terminal.err(plain(line)))
  try {
    await work(onProgress)
    end()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isPlatformError(error) && error.code === 'SCHEMA_VALIDATION_FAILED') throw new Failure(reason)
    // The messages of an adapter end with a full stop, those of Node do not.
    const sentence = reason.endsWith('.') ? reason : `${reason}.`
    throw new Failure(
      `The ${command} was interrupted: ${sentence} The same command goes on where it stopped.`,
    )
  }
}

/** Returns a store with what reads its bytes, if anything does. */
export const withBytes = ({ audit, copies }: CopySource, read: ReadBytes | null = null): WithBytes => ({
  ...{ audit, copies, read },
})

/** Compares both sides, and shows it. @throws Failure where they are not equal */
export async function compare(
  [from, to]: readonly [WithBytes, WithBytes],
  { same, different, remedy }: Words,
  options: TransferOptions,
  terminal: Terminal,
): Promise<void> {
  terminal.err('Comparing counts and content.')
  const compared: ShownContent[] = [...(await compareStores(from, to))]
  if (from.read && to.read)
    compared.push(
      ...(await compareBytes({ copies: from.copies, read: from.read }, { copies: to.copies, read: to.read })),
    )
  const columns = ['what', 'from', 'to', 'hash of from', 'hash of to', 'equal']
  terminal.out(options.json ? json(comparisonJson(compared), 2) : table(comparisonRows(compared), columns))
  const kinds = differences(compared).map(({ part }) => PART_NAMES[part])
  if (kinds.length > 0) throw new Failure(`${different} differ in ${kinds.join(', ')}. ${remedy}.`)
  if (!options.json) terminal.out(`${same} hold the same.`)
}

/** Both ends of the bytes of files. */
export interface MovedBytes {
  readonly from: ReadBytes
  readonly to: Files
}

/** Source and target of a transfer. */
interface Transfer {
  /** Null leaves the bytes of files out. */
  readonly bytes: MovedBytes | null
  readonly from: CopySource
  readonly to: CopyableStore
  readonly place: Place
  /** Name of `from` in messages: its option, or its kind. */
  readonly source: string
  /** Its name. */
  readonly sourceName: string
}

/** Copies into a store unless it is only to be compared, and compares. */
export async function transfer(
  moved: Transfer,
  words: Words,
  options: TransferOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.compare !== true) {
    await checkTarget(moved, options, terminal)
    const names = `Copying ${moved.sourceName} to ${nameOf(moved.place)}.`
    terminal.err(plain(`${names} Ctrl-C stops it; the same command goes on.`))
    const { bytes, from, to } = moved
    await inSteps(words, terminal, async onProgress => {
      if (bytes !== null) await dropBytes(from.copies, to.copies, bytes.to)
      await copyStore(from, to, { onProgress })
      if (bytes !== null) await moveBytes({ copies: from.copies, read: bytes.from }, bytes.to, onProgress)
    })
  }
  const { bytes, from, to } = moved
  const sides = [withBytes(from, bytes?.from), withBytes(to, bytes && readPort(bytes.to))] as const
  await compare(sides, words, options, terminal)
}
