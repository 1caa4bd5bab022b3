import { useEffect, useRef, useState } from 'preact/hooks'

/** Something that is read from the server. */
export interface Resource<Value> {
  /** Undefined until it is there, and once it is about something else. */
  readonly value: Value | undefined
  /** Null while nothing went wrong. */
  readonly error: unknown
  readonly pending: boolean
  /** Reads it again; the old value stays until then. */
  reload(): void
  /** Reads it again unasked; what went wrong before stays until then, too. */
  refresh(): void
}

interface State<Value> {
  readonly value: Value | undefined
  readonly error: unknown
  readonly pending: boolean
}

const START = { value: undefined, error: null, pending: true } as const

/**
 * Reads something when it is first shown, and again once one of the keys has changed. A reading that is no longer
 * wanted is cut off.
 *
 * @param keys all that `load` depends on
 */
export function useResource<Value>(
  load: (abort: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Resource<Value> {
  const [state, setState] = useState<State<Value>>(START)
  const [turn, setTurn] = useState({ count: 0, isUnasked: false })
  const about = useRef<readonly unknown[] | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const isOther = about.current?.some((key, at) => key !== keys[at]) ?? false
    about.current = keys
    setState(before =>
      isOther ? START : { ...before, pending: true, error: turn.isUnasked ? before.error : null },
    )
    const settle = (next: (before: State<Value>) => State<Value>) => {
      if (!gone.signal.aborted) setState(next)
    }
    load(gone.signal).then(
      value => settle(() => ({ value, error: null, pending: false })),
      (error: unknown) => settle(before => ({ ...before, error, pending: false })),
    )
    return () => gone.abort()
  }, [...keys, turn.count])
  const again = (isUnasked: boolean) => setTurn(({ count }) => ({ count: count + 1, isUnasked }))
  return { ...state, reload: () => again(false), refresh: () => again(true) }
}
