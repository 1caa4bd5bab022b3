import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { SharedLimits } from '../ports/shared-limits.ts'
import type { Store } from '../ports/store/store.ts'
import type { StoreClock } from '../ports/store/store-clock.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Settings } from '../settings/settings.ts'
import { createBreather } from '../shared/breather.ts'
import { createGate, EVENTS_AT_ONCE } from '../shared/gate.ts'
import { createLine } from '../shared/line.ts'
import { nextTurn, systemClock, systemIds } from '../system/system.ts'
import { guardClock } from './clock.ts'
import { guardIds } from './ids.ts'
import { createNotices } from './notices.ts'
import { createCipher, sealStore } from './secrets.ts'
import { guardSharedLimits } from './shared-limits.ts'
import { guardStore } from './store.ts'
import { guardWebhookSender } from './webhook-sender.ts'

/** The ports as a host gives them; it may leave out all but the store. */
interface HostPorts {
  readonly store: Store
  readonly bus: Bus | undefined
  readonly clock: Clock | undefined
  readonly ids: Ids | undefined
  readonly sharedLimits: SharedLimits | undefined
  readonly webhookSender: WebhookSender | null | undefined
}

/**
 * Returns the host's clock; else one whose moments are the store's, and the process's own where the store has none
 * (TM12).
 */
function clockOf(
  given: Clock | undefined,
  stores: StoreClock | undefined,
  onError: Settings['onError'],
): Clock {
  if (given !== undefined) return guardClock(given, onError)
  return stores === undefined ? systemClock : guardClock({ ...systemClock, now: () => stores.now() }, onError)
}

/**
 * Returns the key that signs messages on a bus: every process over the store has the same. Not by the host's ids
 * (NT37).
 */
const busKeyOf = ({ access }: Store): Promise<string> =>
  access.tokenKeys.secret('bus-key', systemIds.secret())

/**
 * Returns the one place where a host's ports come in (EM1): behind it a call into the host does not throw, save that
 * what returns a promise may reject. Failures are reported to `onError`. Ports that the host leaves out are the
 * process's own.
 */
export function guardPorts(
  { store, bus, sharedLimits, clock: given, ids, webhookSender = null }: HostPorts,
  { log, settings }: { readonly log: Log; readonly settings: Settings },
) {
  const { onError } = settings
  const clock = clockOf(given, store.clock, onError)
  // Not by the host's ids: two processes of one name would ignore each other, and hold each other's places.
  const owner = systemIds.uuid()
  const guarded = sealStore(guardStore(store), createCipher([settings.secretsKey ?? []].flat()))
  return {
    store: guarded,
    notices: createNotices(bus ?? null, { from: owner, key: () => busKeyOf(guarded), clock, log, onError }),
    sharedLimits:
      sharedLimits === undefined ? null : guardSharedLimits(sharedLimits, { clock, log, settings, owner }),
    clock,
    line: createLine(nextTurn),
    gate: createGate(EVENTS_AT_ONCE, nextTurn),
    breather: createBreather({ now: clock.monotonic, othersTurn: nextTurn }),
    ids: ids === undefined ? systemIds : guardIds(ids, onError),
    webhookSender: webhookSender === null ? null : guardWebhookSender(webhookSender, onError),
  }
}
