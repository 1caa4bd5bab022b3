import type { ListPage } from '../../data/list-page.ts'
import { shownOf } from '../../data/rating.ts'
import type { Row } from './row.ts'

/** The formats of an export, by the endings of their files. */
export const FORMATS = ['csv', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

/** The type of each format's file. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv;charset=utf-8',
  jsonl: 'application/jsonl;charset=utf-8',
}

/** Columns of a table beside the visitor's rating: fields of a record. */
const COLUMNS = [
  ...['id', 'project_id', 'started_at', 'in_progress', 'environment', 'channel', 'language', 'variant_name'],
  ...['deployment_id', 'num_turns'],
  ...['total_duration', 'handoff', 'handoff_destination', 'handoff_reason', 'num_silences', 'num_ood'],
  ...['from_number', 'to_number', 'topics', 'first_words', 'state'],
] as const

/** A text that begins so is a formula to spreadsheets, which would compute it. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns the field of a table: RFC 4180, and plain text to a spreadsheet. */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /["\r\n,;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const lineOf = (values: readonly unknown[]): string => `${values.map(fieldOf).join(',')}\r\n`

/** Returns the first line of a file. Spreadsheets know by the mark before it that the table is UTF-8. */
export const headOf = (format: Format): string =>
  format === 'csv' ? `\uFEFF${lineOf([...COLUMNS, 'rating', 'comment', 'metrics'])}` : ''

/** Returns conversations in a format: each is a line. */
function linesOf(format: Format, rows: readonly Row[]): string {
  if (format === 'jsonl')
    return rows.map(row => `${JSON.stringify({ ...row, passage: undefined })}\n`).join('')
  return rows
    .map(row => {
      const { comment, others, score } = shownOf(row.metrics)
      const fields = COLUMNS.map(name => Reflect.get(row, name))
      return lineOf([...fields, score, comment, others.length === 0 ? '' : Object.fromEntries(others)])
    })
    .join('')
}

/** An export as far as it has come. */
export interface Exported {
  /** The parts of the file: a browser may keep them on its disk. */
  readonly parts: readonly Blob[]
  readonly count: number
  /** The share of the time that was read, 0 to 1: the number of conversations is known at the end alone. */
  readonly share: number
  /** The start of the next page. Null at the end. */
  readonly cursor: string | null | undefined
  /** The start of the newest conversation, milliseconds. */
  readonly newest: number | null
}

/** Nothing was read yet. */
export const NOTHING: Exported = { parts: [], count: 0, share: 0, cursor: undefined, newest: null }

/** Returns an export with one more page, of which no more than `most` conversations are taken in all. */
export function withPage(
  before: Exported,
  { cursor = null, rows }: ListPage<Row>,
  { format, most, oldest }: { readonly format: Format; readonly most: number; readonly oldest: number },
): Exported {
  const taken = rows.slice(0, most - before.count)
  const last = taken.at(-1)
  const newest = before.newest ?? (taken[0] === undefined ? null : Date.parse(taken[0].started_at))
  const reached = last === undefined || newest === null ? null : newest - Date.parse(last.started_at)
  const span = newest === null ? 0 : newest - oldest
  const share = reached === null || span <= 0 ? before.share : Math.min(reached / span, 1)
  return {
    parts: [...before.parts, new Blob([linesOf(format, taken)])],
    count: before.count + taken.length,
    share: cursor === null ? 1 : Math.max(before.share, share),
    cursor,
    newest,
  }
}
