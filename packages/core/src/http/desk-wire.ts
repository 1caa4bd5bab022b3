import { isoTime } from '../domain/time.ts'
import type { HistoryLine } from '../ports/agent-runtime.ts'
import type { DeskColleague } from '../usecases/desk/desk.ts'
import type { DeskEvent } from '../usecases/desk/desk-event.ts'
import type { DeskHandoff, DeskHandoffWithTranscript } from '../usecases/desk/desk-handoff.ts'
import type { DeskNote } from '../usecases/desk/desk-note.ts'
import type { DeskSummary } from '../usecases/desk/desk-summary.ts'
import type { DeskVisitor } from '../usecases/desk/visitor.ts'
import type { DeskFrame } from './answers/desk-events.ts'

/** Returns to whom a visitor is offered, and until when. */
const offeredOnWire = ({ liveAgent, until }: NonNullable<DeskHandoff['offered']>) => ({
  ...{ id: liveAgent.id, name: liveAgent.name, until: isoTime(until) },
})

/** Returns a handoff as live agents' clients see it, over HTTP and over the socket (contract/desk.md). */
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
  ...(handoff.offered === null ? {} : { offered_to: offeredOnWire(handoff.offered) }),
  ...(handoff.transferred === null ? {} : { transferred: handoff.transferred }),
  can_return: handoff.canReturn,
  ...(handoff.visitor === null ? {} : { visitor: handoff.visitor }),
  ...(handoff.lastLine === null
    ? {}
    : { last_line: { text: handoff.lastLine.text, at: isoTime(handoff.lastLine.at) } }),
})

const timeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at))

const lineOnWire = ({ at, ...line }: HistoryLine) => ({ ...line, at: isoTime(at) })

/** A note as colleagues' clients see it. */
export const noteOnWire = ({ at, changedAt, noteId, ...note }: DeskNote) => ({
  ...{ ...note, note_id: noteId, at: isoTime(at) },
  ...(changedAt === undefined ? {} : { changed_at: isoTime(changedAt) }),
})

/** Returns the facts about a visitor as live agents' clients see them. */
export const visitorOnWire = ({ device, earlier, page, rating, visitor, ...rest }: DeskVisitor) => ({
  ...(visitor === null ? {} : { visitor }),
  ...rest,
  ...{ page, device, rating },
  earlier: earlier.map(one => ({
    project_id: one.agentId,
    conversation_id: one.conversationId,
    channel: one.channel,
    started_at: isoTime(one.startedAt),
    ended_at: one.endedAt === null ? null : isoTime(one.endedAt),
    score: one.score,
  })),
})

/** A summary as live agents' clients see it. */
export const summaryOnWire = ({ at, ...summary }: DeskSummary) => ({ ...summary, at: isoTime(at) })

/** Returns a handoff with its transcript so far, and the notes about it. */
export const handoffWithTranscriptOnWire = ({
  canSuggest,
  notes,
  summary,
  transcript,
  ...handoff
}: DeskHandoffWithTranscript) => ({
  ...handoffOnWire(handoff),
  transcript: transcript.map(lineOnWire),
  notes: notes.map(noteOnWire),
  ...(summary === null ? {} : { summary: summaryOnWire(summary) }),
  can_suggest: canSuggest,
})

/** A live agent who is at the desk, as colleagues' clients see them. */
export const colleagueOnWire = ({ avatarUrl, awaySince, talksAtOnce, ...one }: DeskColleague) => ({
  ...{ ...one, avatar_url: avatarUrl, away_since: timeOrNull(awaySince), talks_at_once: talksAtOnce },
})

const of = ({
  handoffId,
  sessionId,
}: Pick<Extract<DeskEvent, { type: 'ended' }>, 'handoffId' | 'sessionId'>) => ({
  handoff_id: handoffId,
  session_id: sessionId,
})

/** One event of the desk's socket, ready for JSON (MS42). */
export function deskEventOnWire(event: DeskEvent): DeskFrame {
  switch (event.type) {
    case 'waiting':
      return { type: 'handoff.waiting', handoff: handoffOnWire(event.handoff) }
    case 'offered': {
      const offered = event.offered === null ? null : offeredOnWire(event.offered)
      return { type: 'handoff.offered', ...of(event), offered_to: offered }
    }
    case 'accepted':
      return { type: 'handoff.accepted', handoff: handoffOnWire(event.handoff) }
    case 'visitor_message': {
      const { messageId, sentAt, ...said } = event.message
      const message = { ...said, message_id: messageId, sent_at: isoTime(sentAt) }
      return { type: 'handoff.visitor_message', ...of(event), message }
    }
    case 'visitor_typing':
      return { type: 'handoff.visitor_typing', handoff_id: event.handoffId, state: event.state }
    case 'visitor_presence':
      return { type: 'handoff.visitor_presence', handoff_id: event.handoffId, state: event.state }
    case 'note':
      return { type: 'handoff.note', ...of(event), note: noteOnWire(event.note) }
    case 'away':
      return { type: 'colleague.away', agent_id: event.liveAgentId, away_since: timeOrNull(event.since) }
    case 'summary':
      return { type: 'handoff.summary', ...of(event), summary: summaryOnWire(event.summary) }
    case 'ended':
      return {
        type: 'handoff.ended',
        ...of(event),
        ...(event.reason === null ? {} : { reason: event.reason }),
      }
  }
}
