import type { Shown } from './administration.ts'
import { Failure } from './failure.ts'

/** Where a command reads and writes. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a line for the caller's eyes, or the caller's script. */
  out(text: string): void
  /** Prints a line about what went wrong. */
  err(text: string): void
  /** Asks a person and resolves with the answer; null where nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // Names are other people's text: they must not steer a terminal, nor look like a second row.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')
}

/** Rows under their columns' names, or a line that says that there is nothing. */
export function table(rows: readonly Shown[], columns: readonly string[]): string {
  if (rows.length === 0) return 'None.'
  const cells = [columns, ...rows.map(row => columns.map(column => cell(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map(line => line[at]?.length ?? 0)))
  return cells
    .map(line =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A resource, a field a line. */
export function fields(resource: Shown): string {
  const width = Math.max(...Object.keys(resource).map(name => name.length))
  return Object.entries(resource)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
    .join('\n')
}

/**
 * Lets a person confirm what cannot be taken back by typing `word`; `yes` confirms without asking.
 * @throws Failure when it is not confirmed, and when nobody can be asked
 */
export async function confirm({ ask }: Terminal, yes: boolean, act: string, word: string): Promise<void> {
  if (yes) return
  if (ask === null)
    throw new Failure(`${act} cannot be taken back, and nobody is there to confirm it. Give --yes`)
  const answer = await ask(`${act} cannot be taken back. Type ${word} to go on: `)
  if (answer.trim() !== word) throw new Failure('Nothing was done')
}
