import { defineFunction, type FunctionConversation } from '@colloquy/core'
import { z } from 'zod'

/** The state key that holds the id under which the payment provider reports. */
const EVENT_ID_KEY = 'deposit_event_id'
/** The state key that says how the payment stands: `pending`, `paid` or `failed`. */
const STATUS_KEY = 'deposit_status'

const PAID = ['paid', 'succeeded', 'success', 'completed']

const reportSchema = z.object({ status: z.string() })

// Nothing in these can match in more than one way, so that a long report takes no longer than its length.
const XML_STATUS = /<(?:[\w.-]+:)?status(?:\s[^<>]*)?>(?:<!\[CDATA\[([^\]]*)\]\]>|([^<]*))</i
const FORM_STATUS = /(?:^|[.[])status\]?$/i
const PAIR_STATUS = /(?:^|[\n\r&;])[ \t]*status[ \t]*[=:]([^\n\r&;]*)/i

/**
 * Asks for the deposit and waits for the payment provider's report, an external event: JSON, a form, XML or plain text
 * with a `status` (contract/operator.md, Demo data).
 */
export const takeDeposit = defineFunction({
  description:
    'Starts the payment of the deposit; when the payment provider reports, says whether it went through.',
  parameters: z.object({}),
  async execute(conversation) {
    const event = conversation.externalEvent
    return event === null ? start(conversation) : finish(conversation, event)
  },
})

async function start(conversation: FunctionConversation) {
  const status = conversation.variables[STATUS_KEY]
  // Asked again, nobody pays twice.
  if (status === 'pending' || status === 'paid') {
    conversation.say(
      status === 'paid'
        ? 'Your deposit is paid already; there is nothing left to do.'
        : 'The payment page for your deposit is open; the payment provider has not reported yet. I will tell you here as soon as the payment is through.',
    )
    return { status }
  }
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
  switch (contentType.split(';')[0]?.trim().toLowerCase()) {
    case 'application/json':
      return statusOfJson(text).trim()
    case 'application/x-www-form-urlencoded':
      return [...new URLSearchParams(text)].find(([key]) => FORM_STATUS.test(key))?.[1].trim() ?? ''
    case 'application/xml': {
      const [, data, plain] = XML_STATUS.exec(text) ?? []
      return (data ?? plain ?? '').trim()
    }
    default:
      return (PAIR_STATUS.exec(text)?.[1] ?? text).trim()
  }
}

/** The status of a report, or of the object that wraps it. */
function statusOfJson(text: string): string {
  const report = parseJson(text)
  const inner = typeof report === 'object' && report !== null ? Object.values(report) : []
  for (const one of [report, ...inner]) {
    const parsed = reportSchema.safeParse(one)
    if (parsed.success) return parsed.data.status
  }
  return ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
