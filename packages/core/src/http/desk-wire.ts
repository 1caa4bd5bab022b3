import { isoTime } from '../domain/time.ts'
import type { HistoryLine } from '../ports/agent-runtime.ts'
import type { DeskEvent } from '../usecases/desk/desk-event.ts'
import type { DeskHandoff, DeskHandoffWithTranscript } from '../usecases/desk/desk-handoff.ts'

/** A handoff as live agents' clients see it, over HTTP and over the socket (contract/desk.md). */
export const handoffOnWire = (handoff: DeskHandoff) => ({
  handoff_id: handoff.handoffId,
  session_id: handoff.sessionId,
  status: handoff.status,
  queue_name: handoff.queueName,
  reason: handoff.reason,
  destination: handoff.destination,
  waiting_since: isoTime(handoff.waitingSince),
  position_in_queue: handoff.position,
  ...(handoff.agent === null
    ? {}
    : { agent: { id: handoff.agent.id, name: handoff.agent.name, avatar_url: handoff.agent.avatarUrl } }),
})

const lineOnWire = ({ from, text, at }: HistoryLine) => ({ from, text, at: isoTime(at) })

/** A handoff with what was said so far. */
export const handoffWithTranscriptOnWire = ({ transcript, ...handoff }: DeskHandoffWithTranscript) => ({
  ...handoffOnWire(handoff),
  transcript: transcript.map(lineOnWire),
})

/** One event of the desk's socket, ready for JSON (DK7). */
export function deskEventOnWire(event: DeskEvent) {
  const type = `handoff.${event.type}` as const
  if ('handoff' in event) return { type, handoff: handoffOnWire(event.handoff) }
  const of = { type, handoff_id: event.handoffId, session_id: event.sessionId }
  switch (event.type) {
    case 'visitor_message': {
      const { messageId, text, sentAt } = event.message
      return { ...of, message: { message_id: messageId, text, sent_at: isoTime(sentAt) } }
    }
    case 'visitor_typing':
      return { type, handoff_id: event.handoffId, state: event.state }
    case 'ended':
      return event.reason === null ? of : { ...of, reason: event.reason }
  }
}
