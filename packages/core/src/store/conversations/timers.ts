import type { TimerStore } from '../../ports/store/timers.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { progressOf } from './held.ts'
import { TIMER, type Timer } from './kinds.ts'
import { type Progress, still } from './steps.ts'

/** A timer, and the conversation that it wakes where that was read. */
interface Found {
  readonly timer: Timer
  readonly held: Progress | null
}

/** Returns the timers that wake conversations. */
export function timersOver(over: Guarded): TimerStore {
  const { first, scan, write } = over
  /** Moves a timer that is still as it was read. */
  const move = async (timer: Timer, at: number, claims: number): Promise<boolean> =>
    (await write({
      when: [unchanged(TIMER, timer)],
      put: [{ kind: TIMER, value: { ...timer, at, claims, moves: timer.moves + 1 } }],
    })) === null

  /** Moves timers that are found until so many were moved, or none is left. Returns those that could be moved. */
  async function moveEach(
    limit: number,
    find: (limit: number) => Promise<readonly Found[]>,
    moved: (found: Found) => Promise<boolean>,
  ): Promise<readonly Found[]> {
    const done = new Map<string, Found>()
    while (done.size < limit) {
      // A moved timer may be found again.
      const found = await find(limit + done.size)
      const left = found.filter(({ timer }) => !done.has(timer.conversationId)).slice(0, limit - done.size)
      if (left.length === 0) break
      const are = await Promise.all(left.map(moved))
      for (const [at, one] of left.entries()) if (are[at] === true) done.set(one.timer.conversationId, one)
    }
    return [...done.values()]
  }

  /** Claims one that is due. Where its conversation wants it later it is put there, and not claimed. */
  async function claim(timer: Timer, held: Progress | null, now: number, pause: number) {
    // One that was moved since stands where that has put it.
    const wakeAt = timer.moves === 0 && held?.timer?.of === timer.of ? held.wakeAt : null
    if (held === null || wakeAt === null || wakeAt <= now) return move(timer, now + pause, timer.claims + 1)
    await write({
      when: [unchanged(TIMER, timer), ...still(held)],
      put: [{ kind: TIMER, value: { ...timer, at: wakeAt, moves: 1 } }],
    })
    return false
  }

  return {
    async claimDue(now, limit, until, longest = until - now) {
      const pause = ({ claims }: Timer) =>
        Math.min((until - now) * 2 ** claims, Math.max(longest, until - now))
      const find = async (most: number) => {
        const due = await scan(TIMER, 'due', { prefix: [], through: now, limit: most })
        const held = await progressOf(
          over,
          due.map(({ conversationId }) => conversationId),
        )
        return due.map((timer, at) => ({ timer, held: held[at] ?? null }))
      }
      const claimed = await moveEach(limit, find, ({ held, timer }) => claim(timer, held, now, pause(timer)))
      return claimed.map(({ timer }) => timer.conversationId)
    },
    nextDue: async () => (await first(TIMER, 'due', []))?.at ?? null,
    async hasten(after, to, limit) {
      const hastened = await moveEach(
        limit,
        async most => {
          const range = { prefix: [], from: Math.floor(after) + 1, descending: true, limit: most }
          return (await scan(TIMER, 'due', range)).map(timer => ({ timer, held: null }))
        },
        ({ timer }) => move(timer, to, timer.claims),
      )
      return hastened.length
    },
  }
}
