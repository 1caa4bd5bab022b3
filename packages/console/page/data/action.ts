import { useRef, useState } from 'preact/hooks'

/** Something that the person does, and that takes a while. */
export interface Action<Given extends readonly unknown[]> {
  /** Runs it, unless it is in progress. Resolves to whether it was done. */
  start(...given: Given): Promise<boolean>
  readonly pending: boolean
  /** Null while nothing went wrong. */
  readonly error: unknown
}

export function useAction<Given extends readonly unknown[]>(
  run: (...given: Given) => Promise<unknown>,
): Action<Given> {
  const [state, setState] = useState<{ readonly pending: boolean; readonly error: unknown }>({
    pending: false,
    error: null,
  })
  const isBusy = useRef(false)
  return {
    ...state,
    async start(...given) {
      if (isBusy.current) return false
      isBusy.current = true
      setState({ pending: true, error: null })
      try {
        await run(...given)
        setState({ pending: false, error: null })
        return true
      } catch (error) {
        setState({ pending: false, error })
        return false
      } finally {
        isBusy.current = false
      }
    },
  }
}
