import type { Background } from '../ports/background.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import { createBackground } from './background.ts'

/** The longest delay that a timer takes; a longer one fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const URL_SAFE = `${ALPHANUMERIC}-_`

/** Random characters, each as likely as any other: bytes beyond the last whole round of the alphabet are left out. */
function randomText(alphabet: string, length: number): string {
  const usable = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const bytes = globalThis.crypto.getRandomValues(new Uint8Array(length - text.length))
    for (const byte of bytes) if (byte < usable) text += alphabet.charAt(byte % alphabet.length)
  }
  return text
}

/**
 * The clock of the process (SY1). Delays are measured on the monotonic clock, so that a corrected wall clock
 * neither hastens nor holds up a task. A task that throws is an uncaught exception of the process.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delay, task, { keepAlive = false } = {}) {
    const due = performance.now() + delay
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      // A timer may fire up to a millisecond early, and none waits longer than LONGEST_TIMER.
      const left = due - performance.now()
      if (left > 0) arm(left)
      else task()
    }
    const arm = (left: number): void => {
      timer = globalThis.setTimeout(wait, Math.min(Math.ceil(left), LONGEST_TIMER))
      // Outside of Node a timer is a number, and keeps nothing alive.
      if (!keepAlive && typeof timer === 'object') timer.unref()
    }
    arm(Math.max(delay, 0))
    return () => globalThis.clearTimeout(timer)
  },
}

/** Ids from the process's cryptographic random numbers (SY3). */
export const systemIds: Ids = {
  uuid: () => globalThis.crypto.randomUUID(),
  // 71 bits, and 192.
  short: () => randomText(ALPHANUMERIC, 12),
  secret: () => randomText(URL_SAFE, 32),
}

/** Resolves after everything else that is ready has had its turn. Without `setImmediate` a timer stands in for it. */
export const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    if (typeof globalThis.setImmediate === 'function') globalThis.setImmediate(resolve)
    else globalThis.setTimeout(resolve, 0)
  })

/**
 * Work beside everything else in this process: all that is given to it shares one slice for each turn of the event loop
 * (IX6).
 */
export const systemBackground: Background = createBackground({
  now: () => performance.now(),
  turn: nextTurn,
})
