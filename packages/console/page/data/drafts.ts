import { me } from '../session.ts'

/** The age at which a draft is removed, milliseconds: two weeks. */
const KEPT = 14 * 24 * 60 * 60 * 1_000

const PREFIX = 'colloquy-console-draft-'

/** Drafts that this page has read or written. Those of other tabs are not removed. */
const held = new Map<string, string>()

function stored(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

/** Drafts are a person's own: the next one on the device neither sees nor sends them. */
const keyOf = (place: string): string => `${PREFIX}${me.value?.person.id ?? ''} ${place}`

const parsed = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const timeOf = (text: string | null): number => Number(Reflect.get(Object(parsed(text)), 'at')) || 0

/** Removes old drafts. */
function tidy(storage: Storage): void {
  for (const key of Object.keys(storage))
    if (key.startsWith(PREFIX) && timeOf(storage.getItem(key)) < Date.now() - KEPT) storage.removeItem(key)
}

/** Returns the draft at a place that has not reached the server; null if there is none. */
export function readDraft(place: string): unknown {
  const key = keyOf(place)
  const text = held.get(key) ?? stored()?.getItem(key) ?? null
  if (text !== null) held.set(key, text)
  return Reflect.get(Object(parsed(text)), 'draft') ?? null
}

/** Stores a draft under a place, across tabs, reloads and sign-ins; null removes it. */
export function keepDraft(place: string, draft: unknown): void {
  const key = keyOf(place)
  const storage = stored()
  if (draft === null) {
    if (held.delete(key)) storage?.removeItem(key)
    return
  }
  const text = JSON.stringify({ at: Date.now(), draft })
  held.set(key, text)
  try {
    if (storage !== null) tidy(storage)
    storage?.setItem(key, text)
  } catch {
    // Storage is full: the page holds it.
  }
}
