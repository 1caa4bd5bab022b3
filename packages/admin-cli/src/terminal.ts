import type { Shown } from './administration.ts'
import { Failure } from './failure.ts'

/** Input and output of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a line for the caller's eyes, or the caller's script. */
  out(text: string): void
  /** Prints a line about what went wrong. */
  err(text: string): void
  /** Asks a person and resolves with the answer; null without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null
}

/** Characters that control a terminal, break a line, or reverse the direction of the text beside them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go
const STEERING = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** Returns a line of other people's text: it must not steer a terminal, nor look like a second line. */
export const plain = (text: string): string => text.replace(STEERING, '?')

/** Returns a value as JSON that says the same to programs and steers no terminal. */
export const json = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(STEERING, found =>
    // The line feeds that indent it are JSON's own; texts contain none any more.
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Returns rows under their columns' names, or a line that the list is empty. */
export function table(rows: readonly Shown[], columns: readonly string[]): string {
  if (rows.length === 0) return 'None.'
  const cells = [columns, ...rows.map(row => columns.map(column => cell(row[column])))]
  const widths = columns.map((_, at) =>
    cells.reduce((most, line) => Math.max(most, line[at]?.length ?? 0), 0),
  )
  return cells
    .map(line =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Returns a resource, a field a line. */
export function fields(resource: Shown): string {
  const lines = Object.entries(resource).map(([name, value]) => [plain(name), cell(value)] as const)
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

/**
 * Asks a person to confirm an irreversible act by typing `word`; `yes` confirms without asking.
 *
 * @throws Failure when it is not confirmed, and without a terminal to ask on
 */
export async function confirm({ ask }: Terminal, yes: boolean, act: string, word: string): Promise<void> {
  if (yes) return
  if (ask === null)
    throw new Failure(`${act} cannot be undone, and there is no terminal on which to confirm it. Give --yes.`)
  const answer = await ask(`${act} cannot be taken back. Type ${word} to go on: `)
  if (answer.trim() !== word) throw new Failure('Nothing was done.')
}
