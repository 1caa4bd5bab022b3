/**
 * Makes a value when it is first asked for, and keeps it: for schemas that a process may never need, since each one
 * that is made while modules load lets a process start later.
 */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
