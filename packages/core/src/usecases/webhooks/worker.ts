import { millisecondsInHour } from 'date-fns/constants'
import type { WebhookEndpointId } from '../../domain/ids.ts'
import { isGone, settle, shownOutcome } from '../../domain/webhook/attempt.ts'
import { exchangeOf } from '../../domain/webhook/exchange.ts'
import { ENDPOINT_LIMITS } from '../../domain/webhook/schemas.ts'
import { signedHeaders } from '../../domain/webhook/signature.ts'
import type { ClaimedDelivery } from '../../ports/store/webhook-deliveries.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import { until } from '../../schedule/until.ts'
import type { Context } from '../context.ts'
import { Lock } from '../shared/serial.ts'
import { createSweep } from '../shared/sweep.ts'
import { disableEndpoint } from './disable-endpoint.ts'
import { createEndpointSlots } from './endpoint-slots.ts'

/** The time that a delivery is in flight beyond its timeout before it counts as lost, milliseconds. */
const LEASE_MARGIN = 15_000
/**
 * Returns the time that a delivery is in flight before it counts as lost. An endpoint's own timeout is known only once
 * the delivery is claimed.
 */
const leaseOf = (timeout: number): number => Math.max(ENDPOINT_LIMITS.timeout.most, timeout) + LEASE_MARGIN
/** The number of endpoints in a round. */
const DUE_ENDPOINTS = 1_000
/** The number of deliveries to bring forward in one write. */
const HASTENED_AT_ONCE = 500
/** The time until the next check if due deliveries have busy endpoints, milliseconds. */
const BUSY = 500
/** The time between removals of events that were kept long enough, milliseconds, and the number removed at a time. */
const FORGET_INTERVAL = millisecondsInHour
const FORGET_BATCH = 500

/** Sends what is due. */
export interface WebhookWorker {
  /**
   * Takes no more deliveries, and waits up to `Settings.drainTimeout` for those in progress. The rest count as failed.
   */
  stop(): Promise<void>
}

/**
 * Makes one attempt, writes its outcome, and returns whether it arrived. When the process dies in between, the delivery
 * is sent again.
 */
async function attempt(
  context: Context,
  sender: WebhookSender,
  { delivery, event, endpoint }: ClaimedDelivery,
  controller: AbortController,
): Promise<boolean> {
  const { clock, log, settings, store, telemetry } = context
  const { retryDelays } = settings.webhooks
  const { timeout } = endpoint
  const abort = () => controller.abort(new Error(`The receiver did not answer within ${timeout} ms`))
  const cancel = clock.schedule(timeout, abort)
  const sentAt = clock.now()
  const headers = signedHeaders(event, endpoint, settings.brand, sentAt)
  const outcome = await sender
    .send({ url: endpoint.url, headers, body: event.body, signal: controller.signal })
    .finally(cancel)
  if (delivery.attempts === 0)
    telemetry?.measure('colloquy.webhook.lag', Math.max(clock.now() - event.at, 0), { outcome: outcome.type })
  const { aborted, reason } = controller.signal
  const calledOff = aborted && reason instanceof Error ? reason.message : null
  if (outcome.type !== 'answered')
    log.warn('a webhook got no answer', {
      ...{ endpointId: endpoint.id, eventId: event.id },
      reason: calledOff ?? outcome.reason,
    })
  const next = settle(delivery, shownOutcome(outcome, calledOff), clock.now(), retryDelays)
  const body = outcome.type === 'answered' ? (outcome.body ?? null) : null
  const exchange = exchangeOf(endpoint.url, sentAt, body)
  await store.webhooks.deliveries.update(delivery.version, next, exchange)
  if (isGone(outcome)) await disableEndpoint(context, endpoint, 'The receiver answered 410 Gone')
  return next.status === 'delivered'
}

/**
 * Sends deliveries as they become due. Several processes may do
 * so over one store: a claim gives each delivery to one of them. An endpoint has a few slots in each process, so that a
 * slow receiver does not delay others. Without a sender nothing is sent, but old events are still removed.
 */
export function startWebhookWorker(context: Context): WebhookWorker {
  const { clock, settings, store, webhookSender } = context
  const { timeout, retention, retryDelays } = settings.webhooks
  const reach = { waiting: [0, ...retryDelays], inFlight: leaseOf(timeout) }
  const slots = createEndpointSlots(context)
  let stopped = false
  /** The tasks that claim deliveries or remove events run one after another. */
  const working = new Lock()
  /**
   * Deliveries written while the clock was ahead would not be due until it has caught up; an earlier process may have
   * written some.
   */
  let tooLate = true

  /** Fills the endpoint's free slots; a delivery that leaves its slot checks whether more is due. */
  async function fill(sender: WebhookSender, id: WebhookEndpointId): Promise<void> {
    const free = slots.free(id)
    if (stopped || free <= 0) return
    const now = clock.now()
    const claimed = await store.webhooks.deliveries.claim(id, now, free, now + leaseOf(timeout))
    for (const one of claimed) {
      const work = (controller: AbortController) => attempt(context, sender, one, controller)
      slots.run(id, work, arrived => {
        if (arrived && claimed.length === free) void working.during(() => fill(sender, id)).catch(report)
      })
    }
  }

  const report = (error: unknown): void => settings.onError(error, 'webhooks')

  const forget = createSweep(clock, FORGET_INTERVAL, async () => {
    const removed = await store.webhooks.deliveries.forgetEvents(clock.now() - retention, FORGET_BATCH)
    return { more: removed === FORGET_BATCH }
  })

  /** Brings deliveries forward after a step back: nothing is due later than it could be set now (TM4). */
  async function hasten(): Promise<void> {
    if (!tooLate) return
    for (let count = HASTENED_AT_ONCE; count === HASTENED_AT_ONCE && !stopped; )
      count = await store.webhooks.deliveries.hasten(clock.now(), reach, HASTENED_AT_ONCE)
    tooLate = false
  }

  /** Sends due deliveries. Returns the time until the next round. */
  async function sendDue(sender: WebhookSender): Promise<number | null> {
    await hasten()
    const due = await store.webhooks.deliveries.dueEndpoints(clock.now(), DUE_ENDPOINTS)
    for (const id of due) await fill(sender, id)
    return until(await store.webhooks.deliveries.nextDue(), clock.now(), BUSY)
  }

  async function round(): Promise<number | null> {
    const next = webhookSender === null ? FORGET_INTERVAL : await working.during(() => sendDue(webhookSender))
    await forget()
    return next
  }

  const job = context.scheduler.begin({
    name: 'webhooks',
    // A process that sends none leaves them to others.
    ...(webhookSender === null ? {} : { kind: 'webhooks' }),
    round,
    lapsed({ stepped }) {
      if (stepped < 0) tooLate = true
    },
  })
  return {
    async stop() {
      stopped = true
      await job.stop()
      await working.during(async () => undefined)
      const giveUp = () => slots.abort(new Error('The server went away before the receiver answered'))
      const callOff = clock.schedule(settings.drainTimeout, giveUp, { keepAlive: true })
      await Promise.all(slots.sending)
      callOff()
      await working.during(async () => undefined)
    },
  }
}
