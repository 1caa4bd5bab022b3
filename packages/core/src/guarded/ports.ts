import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Store } from '../ports/store/store.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Settings } from '../settings/settings.ts'
import { systemClock, systemIds } from '../system/system.ts'
import { guardClock } from './clock.ts'
import { guardIds } from './ids.ts'
import { createNotices } from './notices.ts'
import { guardStore } from './store.ts'
import { guardWebhookSender } from './webhook-sender.ts'

/** The ports as a host gives them; it may leave out all but the store. */
interface HostPorts {
  readonly store: Store
  readonly bus: Bus | undefined
  readonly clock: Clock | undefined
  readonly ids: Ids | undefined
  readonly webhookSender: WebhookSender | null | undefined
}

/**
 * The one place where a host's ports come in (EM1): behind it a call into the host does not throw, save that what
 * returns a promise may reject. Failures are reported to `onError`. Ports that the host leaves out are the process's
 * own.
 */
export function guardPorts(
  { store, bus, clock, ids, webhookSender = null }: HostPorts,
  onError: Settings['onError'],
) {
  return {
    store: guardStore(store),
    // Not by the host's ids: two processes of one name would not hear each other.
    notices: createNotices(bus ?? null, systemIds.uuid(), onError),
    clock: clock === undefined ? systemClock : guardClock(clock, onError),
    ids: ids === undefined ? systemIds : guardIds(ids, onError),
    webhookSender: webhookSender === null ? null : guardWebhookSender(webhookSender, onError),
  }
}
