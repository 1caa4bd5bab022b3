import type { TimerStore } from '../../ports/store/timers.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { TIMER, type Timer } from './kinds.ts'

/** When conversations are woken. */
export function timersOver({ first, scan, write }: Guarded): TimerStore {
  /** Moves a timer that is still as it was read. */
  const move = async (timer: Timer, at: number, claims: number): Promise<boolean> =>
    (await write({
      when: [unchanged(TIMER, timer)],
      put: [{ kind: TIMER, value: { ...timer, at, claims, moves: timer.moves + 1 } }],
    })) === null

  /** Those that could be moved, of what is found, until there are so many or none is left. */
  async function moveEach(
    limit: number,
    find: (limit: number) => Promise<readonly Timer[]>,
    moved: (timer: Timer) => Promise<boolean>,
  ): Promise<readonly Timer[]> {
    const done = new Map<string, Timer>()
    while (done.size < limit) {
      // What was moved may stand there again.
      const found = await find(limit + done.size)
      const left = found.filter(({ conversationId }) => !done.has(conversationId)).slice(0, limit - done.size)
      if (left.length === 0) break
      const are = await Promise.all(left.map(moved))
      for (const [at, timer] of left.entries()) if (are[at] === true) done.set(timer.conversationId, timer)
    }
    return [...done.values()]
  }

  return {
    async claimDue(now, limit, until, longest = until - now) {
      const pause = ({ claims }: Timer) =>
        Math.min((until - now) * 2 ** claims, Math.max(longest, until - now))
      const claimed = await moveEach(
        limit,
        most => scan(TIMER, 'due', { prefix: [], through: now, limit: most }),
        timer => move(timer, now + pause(timer), timer.claims + 1),
      )
      return claimed.map(({ conversationId }) => conversationId)
    },
    nextDue: async () => (await first(TIMER, 'due', []))?.at ?? null,
    async hasten(after, to, limit) {
      const hastened = await moveEach(
        limit,
        most =>
          scan(TIMER, 'due', { prefix: [], from: Math.floor(after) + 1, descending: true, limit: most }),
        timer => move(timer, to, timer.claims),
      )
      return hastened.length
    },
  }
}
