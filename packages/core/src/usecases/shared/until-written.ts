import type { PlatformError } from '../../errors.ts'

/** The number of attempts at a write that another one forestalled. */
const ATTEMPTS = 20

/**
 * Runs `attempt` until no other writer is first. `stale` says that one was: everything is read again then.
 * @throws the error of `conflict`, when that does not come to an end
 */
export async function untilWritten<Result>(
  conflict: () => PlatformError,
  attempt: () => Promise<Result | 'stale'>,
): Promise<Result> {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const result = await attempt()
    if (result !== 'stale') return result
  }
  throw conflict()
}
