import { useEffect, useRef } from 'preact/hooks'
import { type Resource, useResource } from './resource.ts'

/**
 * Reads something like `useResource`, and again at an interval while the page is visible, because others change it on
 * the server.
 *
 * @param pace milliseconds
 */
export function useWatched<Value>(
  load: (abort: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  pace: number,
): Resource<Value> {
  const resource = useResource(load, keys)
  const latest = useRef(resource)
  latest.current = resource
  useEffect(() => {
    const look = (): void => {
      // A slow server is not asked twice.
      if (document.visibilityState !== 'hidden' && !latest.current.pending) latest.current.refresh()
    }
    const timer = setInterval(look, pace)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [pace])
  return resource
}
