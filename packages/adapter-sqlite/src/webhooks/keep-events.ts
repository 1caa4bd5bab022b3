import type { WebhookEndpointId, WebhookEvent } from '@colloquy/core'
import { newDelivery } from '@colloquy/core/store'
import { fromDelivery, fromEvent } from './webhook-rows.ts'
import type { WebhookStatements } from './webhook-statements.ts'

/** Keeps an event, as it is, for endpoints given by their rows. To be called inside a write. */
export function keepFor(run: WebhookStatements, event: WebhookEvent, endpoints: readonly WebhookRow[]): void {
  if (endpoints.length === 0) return
  const { row } = run.insertEvent.run(fromEvent(event))
  for (const endpoint of endpoints) {
    const delivery = fromDelivery(newDelivery(event, endpoint.id))
    run.insertDelivery.run({ ...delivery, event: row, endpoint: endpoint.row, exchange: null })
  }
}

interface WebhookRow {
  readonly row: number
  readonly id: WebhookEndpointId
}
