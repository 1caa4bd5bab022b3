import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** One line each. */
  readonly cell: (row: Row) => ComponentChildren
  /** The key of the row that is to be seen. */
  readonly current: string | null
}

/** The height of a row, as in the style sheet, in pixels: more where fingers press it. */
const ROW = matchMedia('(pointer: coarse)').matches ? 44 : 36

/** Rows beyond the visible ones, so that a quick hand sees no gap. */
const SPARE = 10

/** A list of which only what is to be seen is in the page, however long it is. */
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="rows" ref={box} onScroll={look} tabIndex={0} aria-label={label}>
      <ul style={{ height: `${rows.length * ROW}px` }}>
        {rows.slice(first, last).map((row, at) => (
          <li
            key={keyOf(row)}
            style={{ top: `${(first + at) * ROW}px` }}
            aria-setsize={rows.length}
            aria-posinset={first + at + 1}
          >
            {cell(row)}
          </li>
        ))}
      </ul>
    </section>
  )
}
