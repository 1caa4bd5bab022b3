import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** One line each: a link, with this `tabIndex`. */
  readonly cell: (row: Row, tabIndex: 0 | -1) => ComponentChildren
  /** The key of the row that is to be seen. */
  readonly current: string | null
}

/** The height of a row, as in the style sheet, in pixels: more where fingers press it. */
const ROW = matchMedia('(pointer: coarse)').matches ? 44 : 36

/** Rows beyond the visible ones, so that a quick hand sees no gap. */
const SPARE = 10

/** The row that an arrow leads to. */
const SIDES = new Map([
  ['ArrowDown', 'nextElementSibling'],
  ['ArrowUp', 'previousElementSibling'],
] as const)

/** Leads from row to row. The next one is always in the page: rows beyond the visible ones are. */
function step(event: KeyboardEvent): void {
  const { altKey, ctrlKey, key, metaKey, shiftKey, target } = event
  const side = SIDES.get(key as 'ArrowDown')
  const row = target instanceof Element ? target.closest('li') : null
  if (side === undefined || row === null || altKey || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  row[side]?.querySelector('a')?.focus()
}

/** Shows a list of which only what is to be seen is in the page, however long it is. */
export function VirtualList<Row>({ label, rows, keyOf, cell, current }: VirtualListProps<Row>) {
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const look = () => {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {}
    setView({ top: scrollTop, height: clientHeight })
  }
  useLayoutEffect(look, [rows.length])
  useEffect(() => {
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  }, [])
  useLayoutEffect(() => {
    const at = rows.findIndex(row => keyOf(row) === current)
    const element = box.current
    if (element === null || at < 0) return
    const isSeen = at * ROW >= element.scrollTop && (at + 1) * ROW <= element.scrollTop + element.clientHeight
    if (!isSeen) element.scrollTop = Math.max(0, at * ROW - element.clientHeight / 2)
  }, [current])
  const first = Math.max(0, Math.floor(view.top / ROW) - SPARE)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + SPARE)
  const chosen = rows.findIndex(row => keyOf(row) === current)
  // Tab stops once: at the chosen row, or at the first that is to be seen.
  const stop =
    chosen >= first && chosen < last ? chosen : Math.min(Math.ceil(view.top / ROW), rows.length - 1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="rows" ref={box} onScroll={look} onKeyDown={step} tabIndex={0} aria-label={label}>
      <ul style={{ height: `${rows.length * ROW}px` }}>
        {rows.slice(first, last).map((row, at) => (
          <li
            key={keyOf(row)}
            style={{ top: `${(first + at) * ROW}px` }}
            aria-setsize={rows.length}
            aria-posinset={first + at + 1}
          >
            {cell(row, first + at === stop ? 0 : -1)}
          </li>
        ))}
      </ul>
    </section>
  )
}
