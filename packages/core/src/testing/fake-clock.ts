import type { Clock } from '../ports/clock.ts'
import { START } from './fixtures.ts'

/** A clock whose time passes only when a test says so. */
export interface FakeClock extends Clock {
  /**
   * Advances the time by `milliseconds`: runs due tasks in the order of their moments and, at one moment, in the order
   * in which they were scheduled. Everything settles before the first task and after each. Tasks that are scheduled on
   * the way run as well when they become due. Rejects with a task's error, at that moment.
   */
  advance(milliseconds: number): Promise<void>
  /**
   * Sets the wall clock on by `milliseconds`, or back when they are negative. No time passes, so nothing becomes due
   * (ST10).
   */
  step(milliseconds: number): void
  /**
   * Advances the time by `milliseconds` as if the process were stopped: nothing runs. Tasks that become due run late,
   * with the next `advance` (ST10).
   */
  pause(milliseconds: number): void
  /**
   * Waits until everything has run that needs neither this clock nor the outside world: promises, and work that was
   * deferred to the next turns of the event loop. Does not wait for sockets, child processes or real timers.
   */
  settle(): Promise<void>
  /** The number of tasks that wait for their moment. */
  readonly pending: number
}

interface Task {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

/**
 * The start of the monotonic clock. It is far from both zero and the wall clock, to detect code that mixes them up.
 */
const ORIGIN = 5_000

/** More turns of the event loop than any chain of writes that stores put off by a turn each. */
const TURNS = 32

/** The number of turns of the event loop in a row without deferred work, after which there is none. */
const QUIET_TURNS = 3

/** Reports whether work is deferred to the next turn of the event loop; true if the host cannot tell. */
const isPutOff = (): boolean => process.getActiveResourcesInfo?.().includes('Immediate') ?? true

async function settle(): Promise<void> {
  for (let turn = 0, quiet = 0; turn < TURNS && quiet < QUIET_TURNS; turn++) {
    await new Promise<void>(resolve => setImmediate(resolve))
    quiet = isPutOff() ? 0 : quiet + 1
  }
}

/** Returns a clock for tests, standing at `startAt`. @default 2026-01-01T00:00:00.000Z */
export function createFakeClock(startAt: number = START): FakeClock {
  let now = ORIGIN
  let wallAtZero = startAt - ORIGIN
  let scheduled = 0
  const tasks = new Set<Task>()

  const nextDue = (end: number): Task | undefined =>
    [...tasks].filter(task => task.due <= end).sort((a, b) => a.due - b.due || a.order - b.order)[0]

  return {
    now: () => wallAtZero + now,
    monotonic: () => now,
    schedule(delay, run) {
      const task = { due: now + Math.max(0, delay), order: scheduled++, run }
      tasks.add(task)
      return () => {
        tasks.delete(task)
      }
    },
    async advance(milliseconds) {
      const end = now + milliseconds
      await settle()
      for (let task = nextDue(end); task !== undefined; task = nextDue(end)) {
        tasks.delete(task)
        now = Math.max(now, task.due)
        task.run()
        await settle()
      }
      now = Math.max(now, end)
    },
    step(milliseconds) {
      wallAtZero += milliseconds
    },
    pause(milliseconds) {
      now += milliseconds
    },
    settle,
    get pending() {
      return tasks.size
    },
  }
}
