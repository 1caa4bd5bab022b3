/** Fields of a form, by their names. */
export type Fields = Readonly<Record<string, string | boolean>>

/** A form after the server's value has changed from the one it started with. */
export interface Rebased<Value extends Fields> {
  /** Value that the form shows: the changes made here, and everything else as on the server. */
  readonly value: Value
  /** Fields that were changed both here and there, to different values. */
  readonly clashes: readonly string[]
  /** Fields that the form takes over. */
  readonly arrived: readonly string[]
}

/**
 * A form after somebody else has changed what it began from, field by field: only what both have changed has to be
 * decided.
 */
export function rebased<Value extends Fields>(base: Value, mine: Value, theirs: Value): Rebased<Value> {
  const clashes: string[] = []
  const arrived: string[] = []
  const value: Record<string, string | boolean> = {}
  for (const field of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [was, here, there] = [base[field], mine[field], theirs[field]]
    const isMine = here !== was
    const isTheirs = there !== was
    if (isMine && isTheirs && here !== there) clashes.push(field)
    if (!isMine && isTheirs) arrived.push(field)
    const now = isMine ? here : there
    if (now !== undefined) value[field] = now
  }
  return { value: value as Value, clashes, arrived }
}

/** Returns the fields of `value` that `other` does not have so. */
export function differing<Value extends Fields>(value: Value, other: Fields): Partial<Value> {
  const entries = Object.entries(value).filter(([field, one]) => other[field] !== one)
  return Object.fromEntries(entries) as Partial<Value>
}
