import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/settings.ts'
import { fitting } from '../shared/call-host.ts'
import { systemClock } from '../system/system.ts'

const isMoment = (value: unknown): value is number => Number.isFinite(value)
const isCallOff = (value: unknown): value is () => void => typeof value === 'function'

/**
 * Returns the host's clock, which never throws (EM1): where it fails, the process's own clock answers that call. A task
 * that throws is reported to `onError`.
 */
export function guardClock(clock: Clock, onError: Settings['onError']): Clock {
  function attempt<Result>(
    call: () => Result,
    fits: (result: unknown) => result is Result,
    instead: () => Result,
  ): Result {
    try {
      return fitting(call(), fits, 'A method of the clock returned a value of the wrong type')
    } catch (error) {
      onError(error, 'clock')
      return instead()
    }
  }
  return {
    now: () => attempt(() => clock.now(), isMoment, systemClock.now),
    monotonic: () => attempt(() => clock.monotonic(), isMoment, systemClock.monotonic),
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
        isCallOff,
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
