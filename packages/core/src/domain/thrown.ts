/** Returns the message of a thrown value; empty when it has no message, or when reading it throws. */
export function thrownMessage(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error)
    return String(error.message).trim() === '' ? String(error.name) : String(error.message)
  } catch {
    return ''
  }
}

/** Returns the message and the stack of an error, for those who run the platform. */
export function thrownDetails(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? error) : String(error)
  } catch {
    return 'A value was thrown that cannot be shown as text.'
  }
}
