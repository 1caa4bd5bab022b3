import type { AccountId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine.ts'
import type { Desk } from './desk.ts'

/** Tells waiting visitors their place: when the line changes, and every `Settings.queueStatusInterval`. */
export interface QueueAnnouncer {
  start(): void
  stop(): void
  changed(accountId: AccountId): void
}

export function createQueueAnnouncer(
  context: Context,
  desk: () => Desk,
  engine: () => Pick<Engine, 'execute'>,
): QueueAnnouncer {
  const { clock, settings, store } = context
  let cancel = (): void => undefined
  let stopped = true

  async function announce(accountId: AccountId): Promise<void> {
    const waiting = await desk().handoffs(accountId, 'waiting')
    await Promise.all(
      waiting.map(({ sessionId, handoffId, position }) =>
        engine().execute(sessionId, {
          type: 'queue_status',
          handoffId,
          position,
          estimatedWaitSeconds: null,
        }),
      ),
    )
  }

  async function announceAll(): Promise<void> {
    for (const account of await store.access.accounts()) await announce(account.id)
  }

  const guarded = (work: Promise<void>): Promise<void> =>
    work.catch(error => {
      if (!stopped) settings.onError(error, 'queue status')
    })

  function tick(): void {
    void guarded(announceAll()).then(() => {
      if (!stopped) cancel = clock.schedule(settings.queueStatusInterval, tick)
    })
  }

  return {
    start() {
      if (!stopped) return
      stopped = false
      tick()
    },
    stop() {
      stopped = true
      cancel()
    },
    changed: accountId => void guarded(announce(accountId)),
  }
}
