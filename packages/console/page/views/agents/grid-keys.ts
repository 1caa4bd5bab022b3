/** Position of the cursor in a field's text. */
interface Cursor {
  readonly at: number
  readonly end: number
  /** Whether Shift, Alt, Control or Meta is held. */
  readonly isHeld: boolean
}

/**
 * Returns the number of rows that a key moves down in a grid of fields: Enter to the next one, arrows at the ends of
 * the text. Shift and Enter make a new line.
 */
export function nextCell(key: string, { at, end, isHeld }: Cursor): -1 | 0 | 1 {
  if (isHeld) return 0
  if (key === 'Enter') return 1
  if (key === 'ArrowDown' && at === end) return 1
  return key === 'ArrowUp' && at === 0 ? -1 : 0
}
