import { useLayoutEffect, useRef } from 'preact/hooks'

/** For a row of links that may be wider than the window: scrolls it, and nothing else, to the one that is current. */
export function useCurrentInSight(current: string | undefined) {
  const row = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const link = row.current?.querySelector('[aria-current]')
    if (row.current === null || !link) return
    const [outer, inner] = [row.current.getBoundingClientRect(), link.getBoundingClientRect()]
    if (inner.left >= outer.left && inner.right <= outer.right) return
    row.current.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2
  }, [current])
  return row
}
