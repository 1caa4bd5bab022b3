import type { Command } from './command.ts'
import { type Asked, beginDraft, type Decision, decide, type Moment } from './draft.ts'
import * as fromAgent from './from-agent.ts'
import * as fromLiveAgents from './from-live-agents.ts'
import * as fromRecording from './from-recording.ts'
import * as fromVisitor from './from-visitor.ts'
import { withinBounds } from './outgrow.ts'
import { movedOn, withinReach } from './reach.ts'
import type { ConversationState } from './state.ts'
import { addedChanges } from './state-changes.ts'
import { openText, textDone, textStatus, withTexts } from './texts.ts'
import { transferred } from './transfer.ts'
import { close, wake } from './wake.ts'

/**
 * Returns the conversation machine: what one command does to a conversation, decided without I/O, clock or randomness.
 * The same state, command and moment give the same decision.
 */
export function transition(state: ConversationState, command: Command, asked: Asked): Decision {
  const { now, id, rules } = asked
  const moment = { now, id, rules, at: Math.max(now, state.lastAt) }
  const near = withinReach(beginDraft(state), asked)
  const answered = answer(near.state, command, moment)
  if (answered.refused !== null) return answered
  const decision = { ...answered, changes: addedChanges(near.changes, answered.changes) }
  return withTexts(withinBounds(decision, moment), command, moment)
}

function answer(state: ConversationState, command: Command, moment: Moment): Decision {
  switch (command.type) {
    case 'join':
      return fromVisitor.join(state, command, moment)
    case 'message':
      return fromVisitor.message(state, command, moment)
    case 'typing':
      return fromVisitor.typing(state, command)
    case 'end':
      return fromVisitor.end(state, command, moment)
    case 'seen':
      return fromVisitor.seen(state, command.seenAt)
    case 'replies_asked':
      return fromVisitor.repliesAsked(state, command)
    case 'set_context':
      return fromVisitor.setContext(state, command.context, moment)
    case 'call_progress':
      return fromVisitor.callProgress(state, command)
    case 'rate':
      return fromVisitor.rate(state, command.rating, moment)
    case 'turn_completed':
      return fromAgent.completed(state, command, moment)
    case 'turn_failed':
      return fromAgent.failed(state, command, moment)
    case 'turn_alive':
      return fromAgent.alive(state, command, moment)
    case 'open_text':
      return openText(state, command, moment)
    case 'text_done':
      return textDone(state, command, moment)
    case 'text_status':
      return textStatus(state, command, moment)
    case 'external_event':
      return fromAgent.externalEvent(state, command, moment)
    case 'handoff_accepted':
      return fromLiveAgents.accepted(state, command, moment)
    case 'handoff_failed':
      return fromLiveAgents.failed(state, command, moment)
    case 'live_agent_joined':
      return fromLiveAgents.joined(state, command, moment)
    case 'live_agent_message':
      return fromLiveAgents.said(state, command, moment)
    case 'live_agent_typing':
      return fromLiveAgents.typing(state, command, moment)
    case 'queue_status':
      return fromLiveAgents.queueStatus(state, command)
    case 'live_agent_watched':
      return fromLiveAgents.watched(state, command, moment)
    case 'live_agent_left':
      return fromLiveAgents.left(state, command, moment)
    case 'live_agent_returned':
      return fromLiveAgents.returned(state, command, moment)
    case 'handoff_transferred':
      return transferred(state, command, moment)
    case 'deliveries_done':
      return fromLiveAgents.deliveriesDone(state, command, moment)
    case 'record_turns':
      return fromRecording.recordTurns(state, command.turns, moment)
    case 'finish_recording':
      return fromRecording.finish(state, command.end, moment)
    case 'close':
      return close(state, command.reason, moment)
    case 'wake':
      return wake(state, moment)
    case 'clock_stepped':
      return decide(movedOn(beginDraft(state), command.by, moment))
  }
}
