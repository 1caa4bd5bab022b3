import { useRef, useState } from 'preact/hooks'
import { keepDraft, readDraft } from './drafts.ts'
import { fieldsIn } from './kept-draft.ts'
import { differing } from './rebase.ts'

/** Fields that somebody fills in and sends. */
export interface Written<Value> {
  readonly value: Value
  change(changes: Partial<Value>): void
  /** Resets the fields after they were sent. */
  sent(): void
}

/**
 * Keeps fields that are sent, and not saved automatically. Until they are sent, their texts and choices are kept by
 * their place, through reloads and sign-ins (CO251). Lists are not.
 *
 * @param place names the fields among all others
 * @param start their initial values
 */
export function useWritten<Value extends object>(place: string, start: Value): Written<Value> {
  const held = useRef<{ readonly place: string; readonly value: Value } | null>(null)
  const [, draw] = useState(0)
  if (held.current?.place !== place) {
    const kept = Object.entries(fieldsIn(readDraft(place))).filter(([field]) => field in start)
    held.current = { place, value: { ...start, ...Object.fromEntries(kept) } }
  }
  const { value } = held.current
  const put = (next: Value): void => {
    held.current = { place, value: next }
    const mine = differing(fieldsIn(next), fieldsIn(start))
    keepDraft(place, Object.keys(mine).length === 0 ? null : mine)
    draw(times => times + 1)
  }
  return {
    value,
    change: changes => put({ ...(held.current?.value ?? value), ...changes }),
    sent: () => put(start),
  }
}
