import { isApiError } from '@colloquy/client/http'

/** A refusal that is the caller's to read: its message alone is printed. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** A call that cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns the answer of a call. @throws Failure if it is refused */
export async function answerOf<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    throw isApiError(error) ? new Failure(`${error.code}: ${error.message}`) : error
  }
}
