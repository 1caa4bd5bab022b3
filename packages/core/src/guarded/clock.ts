import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/settings.ts'
import { systemClock } from '../system/system.ts'

/**
 * The host's clock, which never throws (EM1): where it fails, the process's own clock answers that call. A task that
 * throws is reported to `onError`.
 */
export function guardClock(clock: Clock, onError: Settings['onError']): Clock {
  function attempt<Result>(
    call: () => Result,
    fits: (result: Result) => boolean,
    instead: () => Result,
  ): Result {
    try {
      const result = call()
      if (fits(result)) return result
      // An asynchronous one that rejects must not end the process.
      Promise.resolve(result).catch(() => undefined)
      throw new TypeError('A method of the clock returned a value of the wrong type.')
    } catch (error) {
      onError(error, 'clock')
      return instead()
    }
  }
  return {
    now: () => attempt(() => clock.now(), Number.isFinite, systemClock.now),
    monotonic: () => attempt(() => clock.monotonic(), Number.isFinite, systemClock.monotonic),
    schedule(delay, task, options) {
      const run = (): void => {
        try {
          task()
        } catch (error) {
          onError(error, 'scheduled task')
        }
      }
      const callOff = attempt(
        () => clock.schedule(delay, run, options),
        result => typeof result === 'function',
        () => systemClock.schedule(delay, run, options),
      )
      return () => {
        try {
          callOff()
        } catch (error) {
          onError(error, 'clock')
        }
      }
    },
  }
}
