import { thrownDetails } from '../domain/thrown.ts'
import type { Log } from '../ports/log.ts'
import type { Settings } from '../settings/settings.ts'
import { callHost } from '../shared/call-host.ts'

/** Returns the host's `onError`, which never throws (EM1): what it does not take goes to the log. */
export function guardOnError(onError: Settings['onError'], log: Log): Settings['onError'] {
  return (error, where) =>
    callHost(
      () => onError(error, where),
      failure =>
        log.error('onError failed', { where, error: thrownDetails(error), failure: thrownDetails(failure) }),
    )
}
