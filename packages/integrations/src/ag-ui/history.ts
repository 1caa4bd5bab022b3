/** The position of a message in the text of a request. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the end of a string that begins at a quote: the index behind its closing one. */
function behindString(text: string, at: number): number {
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === BACKSLASH) index++
    else if (code === QUOTE) return index + 1
  }
  return text.length
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]
const OPENS: ReadonlySet<number> = new Set([123, 91])
const CLOSES: ReadonlySet<number> = new Set([125, 93])
const BLANK = /\s/

/** Returns the items of an array of JSON whose bracket is at that place. */
function itemsAt(text: string, bracket: number): readonly Span[] {
  const items: Span[] = []
  let depth = 0
  let from = bracket + 1
  const add = (to: number): void => {
    if (text.slice(from, Math.min(to, from + 100)).trim() !== '') items.push({ from, to })
    from = to + 1
  }
  for (let index = bracket; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = behindString(text, index) - 1
    else if (OPENS.has(code)) depth++
    else if (CLOSES.has(code) && --depth === 0) {
      add(index)
      return items
    } else if (code === COMMA && depth === 1) add(index)
  }
  return items
}

/** Returns the index at which the array of that field of a JSON object begins; -1 if there is none. */
function arrayOf(text: string, field: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (OPENS.has(code)) depth++
    else if (CLOSES.has(code)) depth--
    else if (code === QUOTE) {
      const end = behindString(text, index)
      const isField = depth === 1 && text.slice(index, end) === `"${field}"`
      index = end - 1
      if (!isField) continue
      let next = end
      while (text[next] === ':' || BLANK.test(text.charAt(next))) next++
      if (text[next] === '[') return next
    }
  }
  return -1
}

/**
 * Returns the text of a request with the newest of its messages, so many as there is room for; null if the last one
 * alone, or the rest, is too long. A page sends its whole history with each run, and the session has it already: a long
 * thread goes on, and earlier messages are known by how far the log was told (UI7). Nothing is parsed: the text may be
 * long.
 *
 * @param most characters
 */
export function withNewestMessages(text: string, most: number): string | null {
  if (text.length <= most) return text
  const bracket = arrayOf(text, 'messages')
  if (bracket < 0) return null
  const items = itemsAt(text, bracket)
  const last = items.at(-1)
  if (last === undefined) return null
  const room = most - (text.length - (last.to - bracket - 1))
  if (last.to - last.from > room) return null
  const first = items.find(({ from }) => last.to - from <= room) ?? last
  return `${text.slice(0, bracket + 1)}${text.slice(first.from)}`
}
