import { z } from 'zod'
import type { ServerEvent } from './visitor-client.ts'

const text = z.string().catch('')
const count = z.number().nullable().catch(null)

const payloadSchema = z.object({
  text,
  message: text,
  reason: text,
  state: text,
  agent_name: text,
  queue_name: text,
  position_in_queue: count,
  estimated_wait_seconds: count,
  agent: z.object({ name: text }).catch({ name: '' }),
})
type Payload = z.output<typeof payloadSchema>

const because = ({ reason }: Payload): string => (reason === '' ? '' : ` (${reason})`)

function place({ position_in_queue: position, estimated_wait_seconds: seconds }: Payload): string {
  const wait = seconds === null ? '' : `, about ${Math.ceil(seconds / 60)} min`
  return position === null ? `* You wait${wait}.` : `* You are number ${position} in the queue${wait}.`
}

/** Text that a person reads for an event, by its name. Other events have none. */
const PHRASES: Readonly<Record<string, (payload: Payload) => string | null>> = {
  AI_AGENT_JOINED: ({ agent_name }) => `* ${agent_name} joins.`,
  AI_AGENT_THINKING: () => '* The agent thinks …',
  AI_AGENT_TRIGGERED_HANDOFF: () => '* The agent hands you over to a person.',
  HANDOFF_ACCEPTED: ({ queue_name }) => `* You are in the queue ${queue_name}.`,
  HANDOFF_QUEUE_STATUS: place,
  LIVE_AGENT_JOINED: ({ agent }) => `* ${agent.name} joins.`,
  LIVE_AGENT_TYPING: ({ state }) => (state === 'TYPING_STATE_STARTED' ? '* The live agent types …' : null),
  LIVE_AGENT_LEFT: payload => `* The live agent leaves${because(payload)}.`,
  HANDOFF_FAILED: payload => `* Nobody can come${because(payload)}. The agent answers when you write again.`,
  HANDOFF_TIMEOUT: payload =>
    `* Nobody came in time${because(payload)}. The agent answers when you write again.`,
  CLIENT_HANDOFF_REQUIRED: ({ queue_name }) => `* Your own client has to find somebody of ${queue_name}.`,
  SYSTEM_MESSAGE: ({ message }) => `! ${message}`,
  SESSION_END: payload => `* The session has ended${because(payload)}.`,
}

/** The line for an event other than a message; null when there is nothing to say. */
export function phraseOf({ type, payload }: ServerEvent): string | null {
  return PHRASES[type.replace('EVENT_TYPE_', '')]?.(payloadSchema.parse(payload)) ?? null
}
