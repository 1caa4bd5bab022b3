import { useEffect, useRef, useState } from 'preact/hooks'
import { isChangedElsewhere, isPassing } from '../api.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { draftOf, withDraft } from './kept-draft.ts'
import { differing, type Fields, rebased } from './rebase.ts'

/** Time without changes before the form is saved, milliseconds. */
const REST = 600

/** The number of steps that can be undone. */
const STEPS = 50

/** Most attempts to save if somebody else was faster. */
const ATTEMPTS = 5

/** Delay before a retry after a network failure, milliseconds: longer each time. */
const FIRST_WAIT = 2_000
const LONGEST_WAIT = 30_000

/** The form that writes to each place. A form that was left keeps retrying until another one is opened there. */
const writers = new Map<string, object>()

/** State of saving a draft. */
export interface DraftStatus {
  /** Whether the server has what is shown; `clash`: not all, because somebody else has changed the same. */
  readonly state: 'saved' | 'saving' | 'unsaved' | 'clash'
  /** Null while nothing went wrong. */
  readonly error: unknown
  /**
   * Fields that somebody else has changed to something else than what is shown: they are not saved until it is said.
   */
  readonly clashes: readonly string[]
  /** Time of the last save that can be undone, milliseconds; null if there is nothing to undo. */
  readonly undoable: number | null
}

/** Actions on a draft. */
export interface DraftActs {
  /** Saves at once what is not saved. */
  flush(): void
  /** Undoes the last save, except for fields that somebody else has changed since. */
  undo(): void
  /** Reads the server's current value, and takes over the fields that were not changed here. */
  refresh(): void
  /** Settles a clash: what is shown here stays, or what somebody else has written. */
  settle(field: string, side: 'mine' | 'theirs'): void
  /** Returns the value that somebody else has written there. */
  theirs(field: string): string | boolean
}

export interface Draft<Value extends Fields> extends DraftStatus, DraftActs {
  readonly value: Value
  change(changes: Partial<Value>): void
}

/** Connection of a draft to the server. */
export interface DraftServer<Value extends Fields> {
  /**
   * Saves the changes where the server still has what is expected of these fields; rejects otherwise, and where it was
   * not saved: then the draft stays, and the next change tries again. `all` is the whole form.
   */
  save(changes: Partial<Value>, expected: Partial<Value>, all: Value): Promise<unknown>
  /** Returns the server's current value. */
  read(): Promise<Value>
}

interface Step<Value> {
  readonly before: Partial<Value>
  readonly after: Partial<Value>
}

/** State of a draft between two renderings of the page; changed in place. */
interface Held<Value> {
  value: Value
  saved: Value
  clashes: ReadonlySet<string>
  steps: Step<Value>[]
  at: number
  saves: number
  wait: number
  error: unknown
  isBusy: boolean
  isUndoing: boolean
  isGone: boolean
}

const picked = <Value extends Fields>(value: Value, fields: object): Partial<Value> =>
  Object.fromEntries(
    Object.keys(fields).flatMap(field => (field in value ? [[field, value[field]]] : [])),
  ) as Partial<Value>

/**
 * Keeps a form that saves itself after a moment without changes, and when it is left. One request is in progress at a
 * time: later changes go with the next one. Changes by others appear in it, and are never overwritten without asking.
 * Unsaved changes are kept by their place, through reloads and sign-ins, and are retried when the network is back
 * (CO251). Long because its acts share their state.
 *
 * @param place names the form among all others
 * @param start the server's value
 */
export function useAutosave<Value extends Fields>(
  place: string,
  start: Value,
  server: DraftServer<Value>,
): Draft<Value> {
  const held = useRef<Held<Value> | null>(null)
  held.current ??= {
    ...withDraft(start, readDraft(place)),
    ...{ steps: [], at: 0, saves: 0, wait: FIRST_WAIT, error: null },
    ...{ isBusy: false, isUndoing: false, isGone: false },
  }
  const [, draw] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef(server)
  latest.current = server
  const mine = held.current

  const redraw = (): void => {
    if (writers.get(place) === mine) keepDraft(place, draftOf(mine))
    if (!mine.isGone) draw(times => times + 1)
  }

  /** Returns the changes to send. */
  const changed = (): Partial<Value> => {
    const all = Object.entries(differing(mine.value, mine.saved))
    return Object.fromEntries(all.filter(([field]) => !mine.clashes.has(field))) as Partial<Value>
  }
  const isDone = (): boolean => Object.keys(changed()).length === 0

  /** Reads again until no save happened in the meantime: an earlier read may be older than the fields here. */
  async function meet(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { saves } = mine
      const theirs = await latest.current.read()
      if (saves !== mine.saves) continue
      const { value, clashes } = rebased(mine.saved, mine.value, theirs)
      const open = [...mine.clashes].filter(field => value[field] !== theirs[field])
      mine.value = value
      mine.saved = theirs
      mine.clashes = new Set([...open, ...clashes])
      return
    }
  }

  async function send(): Promise<void> {
    const changes = changed()
    const before = picked(mine.saved, changes)
    await latest.current.save(changes, before, { ...mine.saved, ...changes })
    mine.saved = { ...mine.saved, ...changes }
    mine.saves++
    mine.wait = FIRST_WAIT
    mine.at = Date.now()
    if (!mine.isUndoing) mine.steps = [...mine.steps, { before, after: changes }].slice(-STEPS)
    mine.isUndoing = false
  }

  async function flush(): Promise<void> {
    clearTimeout(timer.current)
    if (mine.isBusy || isDone() || writers.get(place) !== mine) return
    mine.isBusy = true
    mine.error = null
    redraw()
    let sent = mine.value
    try {
      for (let misses = 0; !isDone(); ) {
        try {
          sent = mine.value
          await send()
        } catch (error) {
          if (!isChangedElsewhere(error) || ++misses > ATTEMPTS) throw error
          await meet()
        }
      }
    } catch (error) {
      mine.error = error
      if (isPassing(error) && writers.get(place) === mine) {
        timer.current = setTimeout(() => void flush(), mine.wait)
        mine.wait = Math.min(2 * mine.wait, LONGEST_WAIT)
      } else if (mine.value !== sent) {
        // The value has changed since it was refused, so the new one is sent.
        timer.current = setTimeout(() => void flush(), REST)
      }
    } finally {
      mine.isBusy = false
      redraw()
    }
  }

  useEffect(() => {
    mine.isGone = false
    writers.set(place, mine)
    if (!isDone()) void flush()
    const hide = () => void flush()
    const leave = (event: Event) => {
      hide()
      // The browser asks whether to leave what the server does not have yet.
      if (Object.keys(differing(mine.value, mine.saved)).length > 0) event.preventDefault()
    }
    addEventListener('pagehide', hide)
    addEventListener('online', hide)
    addEventListener('beforeunload', leave)
    return () => {
      removeEventListener('pagehide', hide)
      removeEventListener('online', hide)
      removeEventListener('beforeunload', leave)
      mine.isGone = true
      void flush()
    }
  }, [])

  const put = (value: Value): void => {
    mine.value = value
    mine.error = null
    redraw()
  }

  return {
    value: mine.value,
    state: mine.isBusy ? 'saving' : !isDone() ? 'unsaved' : mine.clashes.size > 0 ? 'clash' : 'saved',
    error: mine.error,
    clashes: [...mine.clashes],
    undoable: mine.steps.length > 0 ? mine.at : null,
    change(changes) {
      put({ ...mine.value, ...changes })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), REST)
    },
    flush: () => void flush(),
    undo() {
      const step = mine.steps.pop()
      if (step === undefined) return
      const kept = Object.entries(step.after).filter(([field, value]) => mine.value[field] === value)
      mine.isUndoing = true
      put({ ...mine.value, ...picked(step.before as Value, Object.fromEntries(kept)) })
      void flush()
    },
    refresh() {
      if (mine.isBusy) return
      meet().then(redraw, () => undefined)
    },
    settle(field, side) {
      mine.clashes = new Set([...mine.clashes].filter(one => one !== field))
      if (side === 'theirs') mine.value = { ...mine.value, [field]: mine.saved[field] }
      redraw()
      void flush()
    },
    theirs: field => mine.saved[field] ?? '',
  }
}
