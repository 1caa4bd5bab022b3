import { parseIsoTime } from '@colloquy/core'
import type { Command } from 'commander'
import { milliseconds } from 'date-fns/milliseconds'
import { z } from 'zod'
import type { Administration, Shown, StoreAdministration } from '../administration.ts'
import { type ConnectionOptions, connect } from '../connection.ts'
import { UsageError } from '../failure.ts'
import { fields, json as jsonText, plain, type Terminal, table } from '../terminal.ts'

/** The target of a command, closed at its end. */
interface Target {
  close(): Promise<void>
}

/** The context of a command. */
export interface Work<Options, Admin extends Target = Administration> {
  readonly admin: Admin
  readonly options: Options
  /** The command's arguments, in order. */
  readonly args: readonly string[]
  readonly json: boolean
}

/** Returns the problems of options as a sentence, each with the option's name as it was given. */
const refusalOf = (command: Command, { issues }: z.ZodError): string =>
  issues
    .map(({ message, path: [name] }) => {
      const option = command.options.find(option => option.attributeName() === name)
      return option === undefined ? message : `option '${option.flags}' is not valid: ${message}`
    })
    .join('\n')

/** Returns an option that is a count: digits alone, no other way to write a number. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      text => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most,
      `expected a whole number from ${least} to ${most}`,
    )
    .transform(Number)

/** Runs commands over what `open` opens, with their options as the schema makes them. */
export const actionOver =
  <Admin extends Target>(open: (given: ConnectionOptions, terminal: Terminal) => Promise<Admin>) =>
  <Schema extends z.ZodType>(
    command: Command,
    terminal: Terminal,
    schema: Schema,
    work: (work: Work<z.output<Schema>, Admin>) => Promise<void>,
  ): void => {
    command.action(async () => {
      const given: ConnectionOptions = command.optsWithGlobals()
      const options = schema.safeParse(command.opts())
      if (!options.success) throw new UsageError(refusalOf(command, options.error))
      const empty = command.registeredArguments.find((_, at) => command.args[at]?.trim() === '')
      if (empty !== undefined) throw new UsageError(`The argument ${empty.name()} is empty.`)
      const admin = await open(given, terminal)
      try {
        await work({ admin, options: options.data, args: command.args, json: given.json ?? false })
      } finally {
        await admin.close()
      }
    })
  }

/** Runs a command over the target that the options name. */
export const action = actionOver(connect)

/** Prints a list: a table of some columns, or all of it as JSON. */
export function showList(
  terminal: Terminal,
  json: boolean,
  rows: readonly Shown[],
  columns: readonly string[],
): void {
  terminal.out(json ? jsonText(rows, 2) : table(rows, columns))
}

/** Prints a resource; a secret that it holds in `secret` comes last, and says that it does not come again. */
export function showOne(terminal: Terminal, json: boolean, resource: Shown, secret?: string): void {
  if (json) {
    terminal.out(jsonText(resource, 2))
    return
  }
  const { [secret ?? '']: hidden, ...rest } = resource
  terminal.out(fields(rest))
  if (secret !== undefined)
    terminal.out(`\n${secret} (shown this once, keep it now):\n${plain(String(hidden))}`)
}

/** Prints that something was done: a sentence, or as JSON. */
export function showDone(terminal: Terminal, json: boolean, done: Shown, sentence: string): void {
  terminal.out(json ? jsonText(done) : plain(sentence))
}

/** Returns the calls that need a store. @throws UsageError over HTTP */
export function needStore({ store }: Administration): StoreAdministration {
  if (store === null) throw new UsageError('The Operator API has no such call: use --database.')
  return store
}

/**
 * Returns the moment at which a credential is to end, given as ISO 8601, in UTC where it has no offset.
 *
 * @throws UsageError
 */
export function endOf(text: string): number {
  const at = parseIsoTime(text)
  if (at === null)
    throw new UsageError(`${text} is not a moment: give ISO 8601, such as 2027-03-01T09:30:00Z.`)
  return at
}

/**
 * Returns a moment given as ISO 8601, in UTC where it names no offset, or as an age such as 90d or 12h.
 *
 * @throws UsageError
 */
export function momentOf(text: string, now = Date.now()): number {
  const age = /^(\d{1,6})([dh])$/.exec(text)
  if (age !== null) {
    const count = Number(age[1])
    // Not `sub` of date-fns: a day of this machine's time zone may have 23 or 25 hours.
    return now - milliseconds(age[2] === 'd' ? { days: count } : { hours: count })
  }
  // Not `Date.parse`: what is purged by a day that no calendar has is gone.
  const at = parseIsoTime(text)
  if (at === null)
    throw new UsageError(`${text} is not a moment: give ISO 8601, or an age such as 90d or 12h.`)
  return at
}
