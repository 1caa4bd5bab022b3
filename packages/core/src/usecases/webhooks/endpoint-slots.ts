import type { WebhookEndpointId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { createLastUsed } from '../shared/last-used.ts'

/** Endpoints that a process remembers to have not reached last. */
const REMEMBERED = 10_000

/** The deliveries that this process is sending, each in a slot of its endpoint. */
export interface EndpointSlots {
  readonly sending: ReadonlySet<Promise<void>>
  /** Returns the number of further deliveries that the endpoint may be sent now. */
  free(id: WebhookEndpointId): number
  /** Runs a delivery. `work` tells whether it arrived. `then` runs when its slot is free again. */
  run(
    id: WebhookEndpointId,
    work: (controller: AbortController) => Promise<boolean>,
    then: (arrived: boolean) => void,
  ): void
  abort(reason: Error): void
}

/**
 * Creates the slots of endpoints. An endpoint that the last delivery did not reach has a single slot until a delivery
 * arrives, so that receivers that hang do not take all slots. At most `remembered` such endpoints are remembered. Those
 * that were tried longest ago get all their slots back (FZ5), because some of them are gone for good.
 */
export function createEndpointSlots(
  { settings }: Pick<Context, 'settings'>,
  remembered = REMEMBERED,
): EndpointSlots {
  const { perEndpoint, concurrency } = settings.webhooks
  const busy = new Map<WebhookEndpointId, number>()
  const ailing = createLastUsed<WebhookEndpointId, true>(remembered)
  const sending = new Set<Promise<void>>()
  const controllers = new Set<AbortController>()
  const at = (id: WebhookEndpointId): number => busy.get(id) ?? 0

  function release(id: WebhookEndpointId): void {
    if (at(id) === 1) busy.delete(id)
    else busy.set(id, at(id) - 1)
  }

  return {
    sending,
    free: id => Math.min((ailing.has(id) ? 1 : perEndpoint) - at(id), concurrency - sending.size),
    run(id, work, then) {
      const controller = new AbortController()
      busy.set(id, at(id) + 1)
      controllers.add(controller)
      const done = work(controller)
        .catch(error => {
          settings.onError(error, 'webhooks')
          return false
        })
        .then(arrived => {
          if (arrived) ailing.delete(id)
          else ailing.set(id, true)
          release(id)
          sending.delete(done)
          controllers.delete(controller)
          then(arrived)
        })
      sending.add(done)
    },
    abort(reason) {
      for (const controller of controllers) controller.abort(reason)
    },
  }
}
