/** A refusal that is the caller's to read: its message alone is printed. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** A call that cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
