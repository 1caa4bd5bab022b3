import type { EventNames, EventType } from '@colloquy/core/transport'
import * as z from 'zod'
import type { AgUiEvent } from './events.ts'

/** The owner of the conversation: the one who answers the visitor. */
export type Owner = 'no one' | 'agent' | 'queue' | 'person'

/** The progress of a run. */
export interface Progress {
  readonly owner: Owner
  /**
   * The ids of messages that the page has, or has got in this run. One growing set for the whole run, because a copy
   * for each message would take quadratic time.
   */
  readonly known: Set<string>
  /** The number of log events that earlier runs have sent. */
  readonly told: number
  /** The number of log events read, from the start. */
  readonly read: number
  /** The message that is being told. */
  readonly telling: string | null
  /** Whether the log has what the visitor said in this run. */
  readonly echoed: boolean
  /** Whether the agent or a person has said something since; without a message of the visitor, at all. */
  readonly answered: boolean
  /** Whether this run has sent the page a whole message. */
  readonly news: boolean
  /** Whether everything before the start of the run has been read. */
  readonly caughtUp: boolean
  readonly ended: boolean
  /** The error for the visitor, if a message was refused or failed. */
  readonly failure: string | null
}

const list = z.array(z.json()).default([])
const eventSchema = z.object({
  type: z.string(),
  sequence: z.number().nullish(),
  payload: z.record(z.string(), z.json()).default({}),
  metadata: z.object({ custom: z.object({ client_event_id: z.string().optional() }).optional() }).optional(),
})
const batchSchema = z.object({ events: z.array(eventSchema) })
const messageSchema = z.object({
  message_id: z.string(),
  text: z.string(),
  attachments: list,
  response_suggestions: list,
  chat_call_actions: list,
  is_complete: z.boolean().default(true),
  agent_name: z.string().optional(),
})
/** An event of the platform, with its name without prefix and brand; empty for one that is not known. */
type WireEvent = Omit<z.output<typeof eventSchema>, 'type'> & { readonly type: EventType | '' }

/**
 * Returns the events of a frame of the platform, a batch one by one.
 *
 * @param names those of the host's brand; the events have the names without a brand
 */
export function eventsOfFrame(frame: string, names: EventNames): readonly WireEvent[] {
  const event = eventSchema.parse(JSON.parse(frame))
  const events = event.type === names.wire('EVENT_BATCH') ? batchSchema.parse(event.payload).events : [event]
  return events.map(one => ({ ...one, type: names.short(one.type) ?? '' }))
}

/** Returns the initial state of a run. */
export const beginning = (known: ReadonlySet<string>, told: number): Progress => ({
  ...{ owner: 'no one', known: new Set(known), told, read: 0, telling: null, echoed: false, answered: false },
  ...{ news: false, caughtUp: false, ended: false, failure: null },
})

type Step = readonly [next: Progress, events: readonly AgUiEvent[]]

/**
 * Reports whether earlier runs have sent it. A page may give messages ids of its own, and join several to one: so the
 * position in the log counts as well. A chunk before the last has the sequence before its message's, or a later one.
 */
const isTold = ({ told }: Progress, sequence: number, complete: boolean): boolean =>
  complete ? sequence <= told : sequence < told

function tell(before: Progress, { payload, sequence }: WireEvent, from: 'agent' | 'person'): Step {
  const { message_id: messageId, text, is_complete: complete, ...more } = messageSchema.parse(payload)
  // The log tells what the page has already; only that somebody has answered is new.
  const answered = before.answered || complete
  const has = before.known.has(messageId) || isTold(before, sequence ?? Number.POSITIVE_INFINITY, complete)
  if (has && before.telling !== messageId) return [{ ...before, answered }, []]
  const events: AgUiEvent[] = []
  if (before.telling !== messageId) events.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
  if (text !== '') events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text })
  if (complete) {
    events.push({ type: 'TEXT_MESSAGE_END', messageId })
    const {
      attachments,
      response_suggestions: suggestions,
      chat_call_actions: calls,
      agent_name: name,
    } = more
    const extras = { attachments, suggestions, calls }
    const there = Object.values(extras).some(one => one.length > 0)
    if (there) events.push({ type: 'CUSTOM', name: 'colloquy.message', value: { messageId, ...extras } })
    if (from === 'person')
      events.push({ type: 'CUSTOM', name: 'colloquy.live_agent', value: { messageId, name: name ?? null } })
  }
  before.known.add(messageId)
  const telling = complete ? null : messageId
  return [{ ...before, answered, telling, news: before.news || complete }, events]
}

/** Chunks before the last are not of the log. */
const readTo = ({ read }: Progress, { sequence, payload }: WireEvent): number =>
  payload.is_complete === false ? read : Math.max(read, sequence ?? 0)

const handoff = (event: string, value: WireEvent['payload']): readonly AgUiEvent[] => [
  { type: 'CUSTOM', name: 'colloquy.handoff', value: { ...value, event } },
]

/**
 * Returns the next state of a run after an event of the platform, and the events for the page (UI3, UI2).
 *
 * @param said the id of the visitor's message in this run
 */
export function step(earlier: Progress, event: WireEvent, said: string | null): Step {
  const { type, payload, metadata } = event
  const before = { ...earlier, read: readTo(earlier, event) }
  // Events from before this run are not sent again: the page has seen them, or was not there.
  const live = (events: readonly AgUiEvent[]): readonly AgUiEvent[] => (before.caughtUp ? events : [])
  switch (type) {
    case 'AI_AGENT_MESSAGE':
    case 'AI_AGENT_MESSAGE_CHUNK':
      return tell(before, event, 'agent')
    case 'AI_AGENT_JOINED':
      return [{ ...before, owner: 'agent' }, []]
    case 'AI_AGENT_LEFT':
      return [{ ...before, owner: before.owner === 'agent' ? 'no one' : before.owner }, []]
    case 'AI_AGENT_TRIGGERED_HANDOFF':
      return [{ ...before, owner: 'queue' }, live(handoff('requested', {}))]
    case 'USER_MESSAGE':
      return said !== null && metadata?.custom?.client_event_id === said
        ? [{ ...before, echoed: true, answered: false }, []]
        : [before, []]
    case 'HANDOFF_ACCEPTED':
      return [{ ...before, owner: 'queue' }, live(handoff('accepted', payload))]
    case 'HANDOFF_FAILED':
    case 'HANDOFF_TIMEOUT':
      return [{ ...before, owner: 'no one' }, live(handoff('failed', payload))]
    case 'CLIENT_HANDOFF_REQUIRED':
      return [before, live(handoff('client_required', payload))]
    case 'HANDOFF_QUEUE_STATUS':
      return [before, handoff('queue', payload)]
    case 'LIVE_AGENT_JOINED':
      return [{ ...before, owner: 'person' }, live(handoff('joined', payload))]
    case 'LIVE_AGENT_LEFT':
      return [{ ...before, owner: 'no one' }, live(handoff('left', payload))]
    case 'LIVE_AGENT_MESSAGE':
      return tell(before, event, 'person')
    case 'HEARTBEAT':
      // A log that was reset to a backup is shorter than its told part: new events follow.
      return [{ ...before, caughtUp: true, told: Math.min(before.told, before.read) }, []]
    case 'SESSION_END':
      return [{ ...before, ended: true }, [{ type: 'CUSTOM', name: 'colloquy.ended', value: { ...payload } }]]
    case 'SYSTEM_MESSAGE':
      if (!before.caughtUp) return [before, []]
      return payload.level === 'SYSTEM_MESSAGE_LEVEL_ERROR'
        ? [{ ...before, failure: String(payload.message) }, []]
        : [before, [{ type: 'CUSTOM', name: 'colloquy.notice', value: { ...payload } }]]
    default:
      return [before, []]
  }
}

/** Reports whether the run has reached its end (UI2). */
export function isDone(
  { owner, echoed, answered, news, ended, failure, caughtUp }: Progress,
  said: boolean,
): boolean {
  if (ended || failure !== null) return true
  if (!caughtUp) return false
  // No reply is due if a person is to answer.
  if (said) return echoed && (answered || owner === 'queue' || owner === 'person')
  return answered && (owner === 'agent' || news)
}
