import type { Clock } from '../ports/clock.ts'
import { START } from './fixtures.ts'

/** A clock whose time passes only when a test says so. */
export interface FakeClock extends Clock {
  /**
   * Lets `milliseconds` pass: runs what becomes due, in the order of its moments and, at one moment, in the order in
   * which it was scheduled. Before the first task, and after each, everything that can go on settles. Tasks that are
   * scheduled on the way run as well when they become due on the way. Rejects with what a task throws, at that moment.
   */
  advance(milliseconds: number): Promise<void>
  /**
   * Sets the wall clock on by `milliseconds`, or back when they are negative. No time passes, so nothing becomes due
   * (ST19).
   */
  step(milliseconds: number): void
  /**
   * Lets `milliseconds` pass while the process stands still, as when it is stopped: nothing runs, and what becomes due
   * meanwhile runs late, with the next `advance` (ST19).
   */
  pause(milliseconds: number): void
  /**
   * Lets everything go on that waits for neither this clock nor the outside world: promises, and work that was put off
   * to the next turns of the event loop. Does not wait for sockets, child processes or real timers.
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

/** Turns in a row in which nobody had put off work to the next: then nobody will. */
const QUIET_TURNS = 3

/** Whether work is put off to the next turn of the event loop; true where the host cannot tell. */
const isPutOff = (): boolean => process.getActiveResourcesInfo?.().includes('Immediate') ?? true

async function settle(): Promise<void> {
  for (let turn = 0, quiet = 0; turn < TURNS && quiet < QUIET_TURNS; turn++) {
    await new Promise<void>(resolve => setImmediate(resolve))
    quiet = isPutOff() ? 0 : quiet + 1
  }
}

/** A clock for tests, standing at `startAt`. @default 2026-01-01T00:00:00.000Z */
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
