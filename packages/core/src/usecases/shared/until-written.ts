import type { PlatformError } from '../../errors.ts'

/** How often a write that another one forestalled is decided again. */
const ATTEMPTS = 20

/**
 * Runs `attempt` until no other writer is first; `stale` says that one was, and everything is read anew.
 * @throws what `conflict` makes, when that does not come to an end
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
