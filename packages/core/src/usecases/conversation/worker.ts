import type { ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from './engine.ts'

/** How many due conversations are taken at once. */
const BATCH = 100

/** Wakes conversations whose time has come. */
export interface Worker {
  /** Stops and waits for the conversations it is waking. */
  stop(): Promise<void>
}

/**
 * Looks for due conversations at once, and then every `Settings.wakeInterval`. Several processes may do so over one
 * store: a claim gives each conversation to one of them, and the machine is right even where two wake the same. One that cannot
 * be woken is told to the host, and left for twice as long each time (EN44).
 */
export function startWorker(context: Context, engine: Pick<Engine, 'execute'>): Worker {
  const { clock, settings, store } = context
  let stopped = false
  let cancel = (): void => undefined
  let running: Promise<void> = Promise.resolve()

  const wake = (id: ConversationId) =>
    engine.execute(id, { type: 'wake' }).catch(cause => {
      const message = `The conversation ${id} could not be woken; it is tried again later.`
      settings.onError(new PlatformError('INTERNAL', message, { cause }), 'worker')
    })

  async function round(): Promise<void> {
    const now = clock.now()
    // A process that dies between its claim and the wake-up must not hold up for long what is due.
    const until = now + settings.wakeInterval
    const due = await store.conversations.claimDue(now, BATCH, until, settings.longestWakeRetry)
    await Promise.all(due.map(wake))
    if (due.length === BATCH && !stopped) await round()
  }

  function tick(): void {
    running = round()
      .catch(error => settings.onError(error, 'worker'))
      .then(() => {
        if (!stopped) cancel = clock.schedule(settings.wakeInterval, tick)
      })
  }

  tick()
  return {
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}
