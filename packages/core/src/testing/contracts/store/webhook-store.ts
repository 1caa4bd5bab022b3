import { describe } from 'vitest'
import type { StoreFactory } from './tools.ts'
import { describeDeliveries } from './webhook-deliveries.ts'
import { describeEndpoints } from './webhook-endpoints.ts'
import { describeOutbox } from './webhook-outbox.ts'

/** Declares the tests of the `WebhookStore` port (rules SW1 to SW39) for one adapter. To be called in a vitest file. */
export function testWebhookStore(name: string, factory: StoreFactory): void {
  describe(`${name}: webhook store`, () => {
    describeEndpoints(factory)
    describeOutbox(factory)
    describeDeliveries(factory)
  })
}
