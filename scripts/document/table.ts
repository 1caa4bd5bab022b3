/** A cell of a table in Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table in Markdown; empty where there are no rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [heads, heads.map(() => '---'), ...rows.map(row => row.map(cell))]
  return `${lines.map(line => `| ${line.join(' | ')} |`).join('\n')}\n`
}

/** First line of every generated page, after its title. */
export const MADE = 'This page is made from the sources by `npm run document`; a test keeps it current.'
