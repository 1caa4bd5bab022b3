import type { Offer } from '../../domain/conversation/desk-roster.ts'
import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { ConversationState, Handoff } from '../../domain/conversation/state.ts'
import type { SessionVisitor } from '../../domain/conversation/visitor.ts'
import type { ConversationId, HandoffId } from '../../domain/ids.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import type { HistoryLine } from '../../ports/agent-runtime.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import type { DeskNote } from './desk-note.ts'
import type { DeskSummary } from './desk-summary.ts'
import type { LastLine } from './last-line.ts'

/** A live agent, as visitors see them. */
export interface LiveAgent {
  /** The host's own id, 1 to 200 characters. */
  readonly id: string
  /** 1 to 200 characters. */
  readonly name: string
  /** Empty without one. */
  readonly avatarUrl: string
}

/** A visitor who waits for, or talks to, a live agent. Times are milliseconds since the epoch. */
export interface DeskHandoff {
  readonly handoffId: HandoffId
  readonly sessionId: ConversationId
  /** `requested` until the live-agent system has accepted, which the built-in desk does at once. */
  readonly status: Handoff['status']
  readonly queueName: string
  readonly reason: string
  /**
   * The destination that the agent named, as in `{{ho:billing}}`. It is the queue as well if the connector names none.
   */
  readonly destination: string
  readonly waitingSince: number
  /** Among those who wait in the same queue, from 1; null while not waiting. */
  readonly position: number | null
  readonly agent: LiveAgent | null
  /** To whom a waiting visitor is offered, and until when (DK611). Null for a visitor who is for anyone. */
  readonly offered: Pick<Offer, 'liveAgent' | 'until'> | null
  /** From whom the visitor was transferred last, and why; null for one who came from the agent. */
  readonly transferred: {
    readonly from: { readonly id: string; readonly name: string }
    readonly reason: string
  } | null
  /** Whether a live agent may give the visitor back to the AI agent (DK41). */
  readonly canReturn: boolean
  /** The visitor's identity as the host gives it. Null for a visitor without a name (MS45). */
  readonly visitor: SessionVisitor | null
  /** The visitor's newest words while they wait, as far as they are known (DK640). Null otherwise. */
  readonly lastLine: LastLine | null
}

/**
 * A handoff with the newest 500 lines of what was said in its conversation, at most `limits.sliceBytes` of them (EN45),
 * and the notes of colleagues about it, each oldest first.
 */
export type DeskHandoffWithTranscript = DeskHandoff & {
  readonly transcript: readonly HistoryLine[]
  readonly notes: readonly DeskNote[]
  /** The summary that a model made at the handoff (DK645). Null if none was asked for. */
  readonly summary: DeskSummary | null
  /** Whether the host has an assistant, which suggests replies and summarizes again (DK650). */
  readonly canSuggest: boolean
}

/** Returns the error for an id that is not that of a handoff of the account. */
export const notFound = (handoffId: string) =>
  new PlatformError('HANDOFF_NOT_FOUND', `There is no handoff ${handoffId}.`)

/** Returns the error for an act that a handoff does not allow now. */
const conflict = (message: string) => new PlatformError('HANDOFF_CONFLICT', message)

/** Returns the error that says why a handoff does not allow something, and what it allows. */
function refusal(handoff: Handoff | null, handoffId: string): PlatformError {
  if (handoff?.id !== handoffId || handoff.status === 'over') return conflict('The handoff is over.')
  if (handoff.status === 'active') {
    const taken = `The handoff was accepted by ${handoff.liveAgent?.name}: type, write, leave, return or transfer.`
    return conflict(`${taken} It can no longer be accepted or rejected.`)
  }
  return conflict(
    'The handoff waits: accept it before you type, write, leave, return or transfer, or reject it.',
  )
}

/** Returns the error that says why a command about a handoff changed nothing (DK19, DK41). */
export function refusalOf(outcome: Outcome, handoffId: string, talksAtOnce?: number): PlatformError {
  const handoff = outcome.status === 'refused' ? outcome.state.handoff : null
  if (outcome.status === 'refused' && outcome.refusal === 'talks_full')
    return new PlatformError(
      'TALKS_LIMIT',
      `${handoff?.liveAgent?.name} may talk to ${talksAtOnce} visitors at once, and has no room for another one. Allowed: another live agent, or the same one after a talk has ended.`,
    )
  if (outcome.status === 'refused' && outcome.refusal === 'transfer_to_self')
    return conflict(`The visitor is with ${handoff?.liveAgent?.name} already. Transfer to somebody else.`)
  if (outcome.status === 'refused' && outcome.refusal === 'return_not_allowed')
    return conflict(
      'The visitor must not be returned to the agent: the setting returnToAgent is off. Leave instead.',
    )
  if (outcome.status !== 'refused' || outcome.refusal !== 'not_accepted_by')
    return refusal(handoff, handoffId)
  return new PlatformError(
    'USER_ACCESS_FORBIDDEN',
    `The handoff was accepted by ${handoff?.liveAgent?.name}, who alone types, writes, leaves, returns and transfers. Take it over first: accept it with take_over.`,
  )
}

/** Returns the error for accepting a visitor who is offered to somebody else (DK610). */
export const offeredRefusal = ({ liveAgent, until }: Offer): PlatformError =>
  conflict(
    `The visitor is offered to ${liveAgent.name} until ${isoTime(until)}. Wait, or accept the visitor with take_over.`,
  )

/** A handoff as its conversation's state has it. */
export interface Found {
  readonly state: ConversationState
  readonly handoff: Handoff
}

/** Returns a handoff as a live agent sees it. `position` and `lastLine` are null while it does not wait. */
export const describe = (
  { state, handoff }: Found,
  position: number | null,
  { returnToAgent }: Pick<Settings, 'returnToAgent'>,
  {
    lastLine = null,
    offer = null,
  }: { readonly lastLine?: LastLine | null; readonly offer?: Offer | null } = {},
): DeskHandoff => ({
  handoffId: handoff.id,
  sessionId: state.id,
  status: handoff.status,
  queueName: handoff.queueName,
  reason: handoff.reason,
  destination: handoff.destination,
  waitingSince: handoff.requestedAt,
  position,
  agent: handoff.liveAgent,
  offered: offer === null ? null : { liveAgent: offer.liveAgent, until: offer.until },
  transferred: handoff.transferred ?? null,
  canReturn: returnToAgent,
  visitor: state.visitor,
  lastLine,
})

/**
 * Refuses a message whose id stands for another one (DK19): it is no repetition, and taking it for one would lose it.
 *
 * @throws HANDOFF_CONFLICT
 */
export function refuseOtherWords(
  { payload }: ConversationEvent,
  { text, messageId }: { readonly text: string; readonly messageId: string },
): void {
  if (payload.text === text) return
  const message = `The messageId "${messageId}" stands for another message. Send it with a new id.`
  throw new PlatformError('HANDOFF_CONFLICT', message)
}
