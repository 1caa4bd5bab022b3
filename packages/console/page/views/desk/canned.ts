/** Parses this device's saved replies; none if they are invalid. */
export function repliesOf(kept: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(list)
      ? list.filter((one): one is string => typeof one === 'string' && one !== '')
      : []
  } catch {
    return []
  }
}

/** Returns a text with a reply in the place of what is selected, and where the cursor is then. */
export function inserted(
  text: string,
  selection: { readonly start: number; readonly end: number },
  reply: string,
): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, selection.start)
  const after = text.slice(selection.end)
  const gap = before === '' || /\s$/.test(before) ? '' : ' '
  const tail = after === '' || /^\s/.test(after) ? '' : ' '
  const start = `${before}${gap}${reply}`
  return { text: `${start}${tail}${after}`, cursor: start.length }
}
