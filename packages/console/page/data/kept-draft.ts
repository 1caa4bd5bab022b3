import { differing, type Fields, rebased } from './rebase.ts'

/** A form whose server does not have all of it. */
interface Unsaved<Value extends Fields> {
  readonly value: Value
  readonly saved: Value
  readonly clashes: ReadonlySet<string>
}

/** Returns the fields of a stored draft. */
export const fieldsIn = (given: unknown): Fields =>
  Object.fromEntries(
    Object.entries(Object(given)).flatMap(([field, one]) =>
      typeof one === 'string' || typeof one === 'boolean' ? [[field, one]] : [],
    ),
  )

/**
 * Returns the part of a form to keep: its changes, their base, and the open clashes. Null if there is nothing to keep.
 */
export function draftOf<Value extends Fields>({ value, saved, clashes }: Unsaved<Value>) {
  const mine = differing(value, saved)
  const fields = Object.keys(mine)
  if (fields.length === 0) return null
  const base = Object.fromEntries(fields.flatMap(field => (field in saved ? [[field, saved[field]]] : [])))
  return { mine, base, clashes: [...clashes] }
}

/** Returns the form with the stored draft over the server's current values. */
export function withDraft<Value extends Fields>(start: Value, draft: unknown): Unsaved<Value> {
  const mine = fieldsIn(Reflect.get(Object(draft), 'mine'))
  const base = fieldsIn(Reflect.get(Object(draft), 'base'))
  const open: unknown = Reflect.get(Object(draft), 'clashes')
  const { value, clashes } = rebased<Value>({ ...start, ...base }, { ...start, ...base, ...mine }, start)
  const still = (Array.isArray(open) ? open : []).filter(
    (field: unknown) => typeof field === 'string' && value[field] !== start[field],
  )
  return { value, saved: start, clashes: new Set([...clashes, ...still]) }
}
