import type { AgentFunction, FunctionConversation } from '@colloquy/core'
import { z } from 'zod'

/** The state key that holds the id under which the payment provider reports. */
const EVENT_ID_KEY = 'deposit_event_id'
/** The state key that says how the payment stands: `pending`, `paid` or `failed`. */
const STATUS_KEY = 'deposit_status'

const PAID = ['paid', 'succeeded', 'success', 'completed']

const reportSchema = z.object({ status: z.string() })

/**
 * Asks for the deposit and waits for the payment provider's report, an external event: JSON, a form, XML or plain text with
 * a `status` (decisions.md section 11, Demo data).
 */
export const takeDeposit: AgentFunction = {
  description:
    'Starts the payment of the deposit; when the payment provider reports, says whether it went through.',
  async execute(conversation) {
    const event = conversation.externalEvent
    return event === null ? start(conversation) : finish(conversation, event)
  },
}

async function start(conversation: FunctionConversation) {
  const eventId = await conversation.expectExternalEvent({ delayResponse: true })
  conversation.setVariable(EVENT_ID_KEY, eventId)
  conversation.setVariable(STATUS_KEY, 'pending')
  conversation.say(
    'I have opened the payment page for your deposit. I will tell you here as soon as the payment is through.',
  )
  return { status: 'pending', event_id: eventId }
}

function finish(
  conversation: FunctionConversation,
  event: NonNullable<FunctionConversation['externalEvent']>,
) {
  const paid = PAID.includes(depositStatus(event.contentType, event.text).toLowerCase())
  conversation.setVariable(STATUS_KEY, paid ? 'paid' : 'failed')
  conversation.say(
    paid
      ? 'Thank you, your payment went through. The deposit is paid and will be taken off your bill.'
      : 'I am sorry, the payment did not go through. No money was taken; you can try again, or pay at reception when you arrive.',
  )
  return { status: paid ? 'paid' : 'failed' }
}

/** The `status` that a report of any accepted content type carries; empty when there is none. */
export function depositStatus(contentType: string, text: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json') return statusOfJson(text)
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(text).get('status')?.trim() ?? ''
  if (type === 'application/xml') return (/<status>\s*([^<]*?)\s*<\/status>/i.exec(text)?.[1] ?? '').trim()
  const pair = /(?:^|[\n&;])\s*status\s*[=:]\s*([^\n&;]*)/i.exec(text)
  return (pair?.[1] ?? text).trim()
}

function statusOfJson(text: string): string {
  try {
    const report = reportSchema.safeParse(JSON.parse(text))
    return report.success ? report.data.status.trim() : ''
  } catch {
    return ''
  }
}
