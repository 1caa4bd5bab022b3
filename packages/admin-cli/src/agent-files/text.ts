import { Document, Scalar } from 'yaml'

/** Characters that an editor, git or another system may change, or that make git call a file binary. */
const FRAGILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Surrogate}]/u

/**
 * A line with which git begins or ends a conflict; `=======` may also underline a heading. Without the flag `m`, for
 * which U+2028 ends a line too.
 */
const MARKER = /(?:^|\n)(?:<{7}|>{7}|\|{7})(?: |\n|$)/

/** Returns the number of the first line with a conflict marker; null without one. */
export function markerLine(text: string): number | null {
  const found = MARKER.exec(text)
  return found === null ? null : lineAt(text, found.index + 1)
}

/** Returns the number of the line, from 1, at the offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Reports whether text may stand in a file as it is and is read again as it was. */
export const isPlain = (text: string): boolean =>
  !FRAGILE.test(text) && !MARKER.test(text) && !text.startsWith('\n') && !text.endsWith('\n')

/**
 * Returns a text as YAML: block style for several lines, double quotes with escapes for what may not stand as it is.
 */
function scalarOf(text: string): Scalar<string> {
  const scalar = new Scalar(text)
  // A block of blanks alone is read as fewer of them.
  if (FRAGILE.test(text) || text.trim() === '') scalar.type = Scalar.QUOTE_DOUBLE
  else if (text.includes('\n')) scalar.type = Scalar.BLOCK_LITERAL
  return scalar
}

/** A field of a front matter. */
export type Field = string | boolean | readonly string[]

/** Returns a front matter with its two lines of `---`. */
export function frontMatter(fields: Readonly<Record<string, Field>>): string {
  const document = new Document({})
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') document.set(name, scalarOf(value))
    else if (typeof value === 'boolean') document.set(name, value)
    else document.set(name, document.createNode(value.map(scalarOf)))
  }
  const yaml = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
  return `---\n${yaml}---\n`
}

/** A text file taken apart. */
export interface Parts {
  /** Null without a front matter. */
  readonly yaml: string | null
  /** Without the empty lines around it. */
  readonly body: string
  /** The line, from 1, on which the body begins. */
  readonly bodyLine: number
}

/** Splits a text that begins with a line of `---`; null if the line that ends the front matter is missing. */
export function partsOf(text: string): Parts | null {
  const trimmed = (body: string) => body.replace(/^\n+/, '').replace(/(?<!\n)\n+$/, '')
  if (!/^---[ \t]*(?:\n|$)/.test(text)) return { yaml: null, body: trimmed(text), bodyLine: 1 }
  const lines = text.split('\n')
  const end = lines.findIndex((line, at) => at > 0 && /^---[ \t]*$/.test(line))
  if (end === -1) return null
  const yaml = lines.slice(1, end).join('\n')
  return { yaml: `${yaml}\n`, body: trimmed(lines.slice(end + 1).join('\n')), bodyLine: end + 2 }
}
