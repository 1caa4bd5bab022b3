import { type AgentFunction, defineFunction } from '@colloquy/core'
import { z } from 'zod'

/** The requests that the payment service takes: to collect the money, and to notify the address when it has. */
export interface PaymentService {
  begin(order: { readonly pounds: number; readonly tell: URL }): Promise<void>
}

/** The address for notifications of the payment service: the id is in the query, under the name `ref`. */
function webhookOf(server: string, owner: { accountId: string; agentId: string }, eventId: string): URL {
  const address = new URL('/v1/external-events/webhook', server)
  address.search = new URLSearchParams({
    ...{ account_id: owner.accountId, project_id: owner.agentId },
    ...{ event_id_location: 'querystring', event_id_path: 'ref', ref: eventId },
  }).toString()
  return address
}

/** Takes a payment, and is called again when the service tells how it went. */
export const paymentFunction = (service: PaymentService, server: string): AgentFunction =>
  defineFunction({
    description: 'Takes the payment for the booking',
    parameters: z.object({}),
    async execute(conversation) {
      const { externalEvent } = conversation
      if (externalEvent !== null) {
        const { paid } = z.object({ paid: z.boolean() }).parse(JSON.parse(externalEvent.text))
        conversation.say(paid ? 'Your payment has arrived. Thank you!' : 'The payment was declined.')
        return { paid }
      }
      const eventId = await conversation.expectExternalEvent()
      await service.begin({ pounds: 120, tell: webhookOf(server, conversation, eventId) })
      conversation.say('Please confirm the payment on your phone.')
      return { asked: true }
    },
  })
