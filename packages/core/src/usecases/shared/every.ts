import type { Clock, ScheduleOptions } from '../../ports/clock.ts'
import type { Context } from '../context.ts'

/**
 * Calls `task` after `interval` milliseconds and from then on as often, however long what it begins takes, until the
 * returned function is called.
 */
export function every(
  clock: Pick<Clock, 'schedule'>,
  interval: number,
  task: () => void,
  options?: ScheduleOptions,
): () => void {
  let cancel = clock.schedule(interval, run, options)
  function run(): void {
    cancel = clock.schedule(interval, run, options)
    task()
  }
  return () => cancel()
}

/** The number of renewals of a lease while it lasts. One renewal may fail or come late. */
export const LEASE_RENEWALS = 3

/**
 * Renews what this process holds for `Settings.turnLease`, a turn or a test run, until the returned function is called:
 * three times in that time, so that a renewal may fail or come late.
 */
export const renewLease = (
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  renew: () => void,
  options?: ScheduleOptions,
): (() => void) => every(clock, settings.turnLease / LEASE_RENEWALS, renew, options)
