/** A typed line, parsed. */
export type TypedLine =
  | { readonly type: 'nothing' | 'reconnect' | 'drop' | 'end' | 'help' }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'suggestion'; readonly number: number }
  | { readonly type: 'desk'; readonly words: string }
  | { readonly type: 'unknown'; readonly name: string }

/** Shown for `/help`. */
export const HELP = [
  '  anything         say it to whoever serves you',
  '  /1, /2 …         say the suggestion of that number',
  '  /drop            lose the connection',
  '  /reconnect       connect again, from the last event that came',
  '  /end             end the session',
  '  /desk take       answer as a live agent; also: typing, say …, leave, reject …',
]

/** Reads a typed line. What begins with two slashes is said with one. */
export function readTypedLine(line: string): TypedLine {
  const text = line.trim()
  if (text === '') return { type: 'nothing' }
  if (text.startsWith('//')) return { type: 'say', text: text.slice(1) }
  const [, name = '', words = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? []
  if (!text.startsWith('/')) return { type: 'say', text }
  if (name === 'reconnect' || name === 'drop' || name === 'end' || name === 'help') return { type: name }
  if (name === 'desk') return { type: 'desk', words }
  if (/^[1-9]\d?$/.test(name)) return { type: 'suggestion', number: Number(name) }
  return { type: 'unknown', name }
}
