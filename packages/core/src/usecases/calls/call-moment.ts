import type { CallMoment } from '../../domain/call/outbound-call.ts'
import type { Context } from '../context.ts'

/**
 * Returns the current time, and the longest durations of calls. A process without a provider leaves it to the others to
 * ask theirs.
 */
export function momentOf({ callProvider, clock, settings }: Context): CallMoment {
  const cannotAsk = callProvider !== null && callProvider.status === undefined
  return {
    now: clock.now(),
    deadline: settings.callDeadline,
    longest: settings.longestCall,
    silence: cannotAsk ? Number.POSITIVE_INFINITY : settings.callSilence,
  }
}
