import { useEffect, useRef, useState } from 'preact/hooks'

/** How long nothing may be changed before it is saved, milliseconds. */
const REST = 600

export interface Draft<Value> {
  readonly value: Value
  /** Whether the server has what is shown. */
  readonly state: 'saved' | 'saving' | 'unsaved'
  /** Null while nothing went wrong. */
  readonly error: unknown
  change(value: Value): void
  /** Saves at once what is not saved. */
  flush(): void
}

/**
 * A text that saves itself once nothing has been changed for a moment, and when it is left. One request is under way at
 * a time: what is changed meanwhile goes with the next.
 *
 * @param start what the server has
 * @param save rejects where it was not saved; then the draft stays, and the next change tries again
 */
export function useAutosave<Value>(start: Value, save: (value: Value) => Promise<unknown>): Draft<Value> {
  const [value, setValue] = useState(start)
  const [status, setStatus] = useState<Pick<Draft<Value>, 'state' | 'error'>>({ state: 'saved', error: null })
  const held = useRef({ value: start, saved: start, isBusy: false, isGone: false })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef(save)
  latest.current = save

  const tell = (next: Pick<Draft<Value>, 'state' | 'error'>) => {
    if (!held.current.isGone) setStatus(next)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer.current)
    const mine = held.current
    if (mine.isBusy) return
    if (mine.value === mine.saved) {
      tell({ state: 'saved', error: null })
      return
    }
    mine.isBusy = true
    tell({ state: 'saving', error: null })
    try {
      while (mine.value !== mine.saved) {
        const sent = mine.value
        await latest.current(sent)
        mine.saved = sent
      }
      tell({ state: 'saved', error: null })
    } catch (error) {
      tell({ state: 'unsaved', error })
    } finally {
      mine.isBusy = false
    }
  }

  useEffect(() => {
    held.current.isGone = false
    const hide = () => void flush()
    const leave = (event: Event) => {
      hide()
      // The browser asks whether to leave what the server does not have yet.
      if (held.current.value !== held.current.saved) event.preventDefault()
    }
    addEventListener('pagehide', hide)
    addEventListener('beforeunload', leave)
    return () => {
      removeEventListener('pagehide', hide)
      removeEventListener('beforeunload', leave)
      held.current.isGone = true
      void flush()
    }
  }, [])

  return {
    ...status,
    value,
    flush: () => void flush(),
    change(next) {
      held.current.value = next
      setValue(next)
      setStatus({ state: held.current.isBusy ? 'saving' : 'unsaved', error: null })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), REST)
    },
  }
}
