/** Returns the message of a thrown value; empty when it has no message, or when reading it throws. */
export function thrownMessage(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error)
    return String(error.message).trim() === '' ? String(error.name) : String(error.message)
  } catch {
    return ''
  }
}

/** Errors whose causes are named. */
const CAUSES = 4

/** A name or code of an error, which holds no sentence. */
const NAME = /^[A-Za-z]\w{0,59}$/

const isName = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value < 1_000 : NAME.test(String(value))

/**
 * Returns the names and codes of a thrown value and of its causes, such as `PlatformError AGENT_FAILED, APICallError
 * 401`: what can be told of it where its messages may hold what nobody may read.
 */
export function thrownNames(error: unknown): string {
  const found: string[] = []
  try {
    for (let at = error; at instanceof Error && found.length < CAUSES; at = at.cause) {
      const { name } = at
      const codes: readonly unknown[] = [Reflect.get(at, 'code'), Reflect.get(at, 'statusCode')]
      found.push([name, ...codes.filter(code => code !== undefined)].filter(isName).join(' '))
    }
  } catch {
    // Whoever throws may have made it so that reading it throws.
  }
  return found.filter(names => names !== '').join(', ')
}

/** Returns the message and the stack of an error, for those who run the platform. */
export function thrownDetails(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? error) : String(error)
  } catch {
    return 'A value was thrown that cannot be shown as text.'
  }
}
