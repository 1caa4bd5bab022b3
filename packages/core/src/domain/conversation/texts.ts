import type { Command } from './command.ts'
import {
  beginDraft,
  type Decision,
  type Draft,
  decide,
  effect,
  journal,
  type MachineRules,
  type Moment,
  patch,
  refuse,
  withTurns,
} from './draft.ts'
import { allows, move } from './move.ts'
import { projectTurn } from './project-turn.ts'
import { textsOfEvent } from './split-text.ts'
import type { ConversationState, OutgoingText, SettledText, TextState } from './state.ts'

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

/** Returns a text session in which nothing was said yet. */
export const newText = (
  pair: Pick<TextState, 'ours' | 'theirs' | 'channel' | 'service' | 'grace'>,
): TextState => ({
  ...pair,
  ...{ replied: false, warnedAt: null, outgoing: [], newest: 0, sendAt: null, settled: [] },
})

/** The number of settled texts to keep per session, the newest ones (TX32). */
const SETTLED_TEXTS = 20

/** The first pause before a text is tried again; each further one is twice as long, up to the longest (TX21). */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 300_000

/** Returns the pause after that many attempts, or as long as the carrier asks for, milliseconds (TX21). */
export const pauseAfter = (attempts: number, asked = 0): number =>
  Math.min(Math.max(FIRST_PAUSE * 2 ** Math.min(attempts - 1, 20), asked), LONGEST_PAUSE)

const patchText = (draft: Draft, text: TextState, change: Partial<TextState>): Draft =>
  patch(draft, { text: { ...text, ...change } })

/**
 * Returns the time at which a text session's silence causes a warning or ends it. Returns null for every other
 * conversation (TX10).
 */
export function silenceOfTextsDueAt({ idleTimeout, seenAt, text }: ConversationState): number | null {
  if (text === null) return null
  const { grace, replied, warnedAt } = text
  if (!replied) return seenAt + idleTimeout + grace
  return warnedAt === null ? seenAt + idleTimeout : warnedAt + grace
}

/** Reports whether a text session takes a text. An expired one does not, even if nothing has noticed yet. */
export function takesText(state: ConversationState, now: number): boolean {
  const { text } = state
  const mayBeWarned = text === null || (text.replied && text.warnedAt === null)
  return mayBeWarned || now < (silenceOfTextsDueAt(state) ?? now)
}

/**
 * The user has been silent for long. Warns them with a text, and starts the grace period from then on, however late the
 * warning was decided. A user who never replied is not warned (TX10).
 */
export function endSilentTexts(draft: Draft, moment: Moment): Draft {
  const { endedAt, text } = draft.state
  const dueAt = silenceOfTextsDueAt(draft.state)
  if (text === null || endedAt !== null || dueAt === null || moment.now < dueAt) return draft
  if (!text.replied || text.warnedAt !== null) return move(draft, 'visitor_vanishes', moment)
  const warning = { message_id: moment.id, text: moment.rules.textWarning }
  return journal(patchText(draft, text, { warnedAt: moment.now }), 'AI_AGENT_MESSAGE', {
    ...warning,
    attachments: [],
    response_suggestions: [],
  })
}

/** The process that asks a carrier has been silent for a whole lease, or the pause before another attempt is over. */
export const repeatText = (draft: Draft, moment: Moment): Draft => {
  const sendAt = draft.state.text?.sendAt ?? null
  return sendAt !== null && moment.now >= sendAt ? attempt(draft, moment) : draft
}

/**
 * Requests that the oldest text is sent. The attempt is counted in the same write, before any carrier is called: after
 * a crash it is known that the text may have been sent (TX20).
 */
function attempt(draft: Draft, moment: Moment): Draft {
  const { text } = draft.state
  const [first, ...others] = text?.outgoing ?? []
  if (text === null) return draft
  if (first === undefined) return text.sendAt === null ? draft : patchText(draft, text, { sendAt: null })
  if (first.attempts >= moment.rules.textAttempts) return settle(draft, text, { status: 'failed' }, moment)
  const tried = { ...first, attempts: first.attempts + 1, triedAt: first.triedAt ?? moment.now }
  return effect(
    patchText(draft, text, { outgoing: [tried, ...others], sendAt: moment.now + moment.rules.textLease }),
    { type: 'send_text', number: tried.number, attempt: tried.attempts },
  )
}

/** Settles the oldest text, and tries the next one (TX20). */
function settle(
  draft: Draft,
  text: TextState,
  { status, carrierId = null }: Pick<SettledText, 'status'> & { readonly carrierId?: string | null },
  moment: Moment,
): Draft {
  const [first, ...outgoing] = text.outgoing
  if (first === undefined) return draft
  const settled = [...text.settled, { number: first.number, status, carrierId }].slice(-SETTLED_TEXTS)
  return attempt(patchText(draft, text, { outgoing, settled, sendAt: null }), moment)
}

/**
 * Applies the result of asking the carrier. A sent text counts whoever reports it. Anything else counts only for the
 * newest attempt (TX20, TX21).
 */
export function textDone(
  state: ConversationState,
  { number, attempt: made, outcome }: Of<'text_done'>,
  moment: Moment,
): Decision {
  const { text } = state
  const first = text?.outgoing[0]
  if (text === null || first?.number !== number) return refuse('fenced')
  const draft = beginDraft(state)
  if (outcome.type === 'sent')
    return decide(settle(draft, text, { status: 'sent', carrierId: outcome.carrierId }, moment))
  if (made !== first.attempts) return refuse('fenced')
  if (outcome.type !== 'again') return decide(settle(draft, text, { status: outcome.type }, moment))
  if (first.attempts >= moment.rules.textAttempts)
    return decide(settle(draft, text, { status: 'failed' }, moment))
  const sendAt = moment.now + pauseAfter(first.attempts, outcome.after)
  return decide(patchText(draft, text, { sendAt }))
}

/** The order of a text's statuses. It never goes back to an earlier one (TX32). */
const STAGE = { sent: 0, delivered: 1, failed: 1, dropped: 1 } as const satisfies Record<
  SettledText['status'],
  number
>

/**
 * Applies the carrier's status of a text. The carrier has accepted it, even if the request failed. Late, repeated and
 * unordered statuses change nothing (TX32).
 */
export function textStatus(
  state: ConversationState,
  { number, carrierId, status }: Of<'text_status'>,
  moment: Moment,
): Decision {
  const { text } = state
  const draft = beginDraft(state)
  if (text === null) return refuse('fenced')
  if (text.outgoing[0]?.number === number) return decide(settle(draft, text, { status, carrierId }, moment))
  const known = text.settled.find(settled => settled.number === number)
  if (known === undefined || STAGE[status] <= STAGE[known.status]) return decide(draft)
  const settled = text.settled.map(one => (one === known ? { ...one, status, carrierId } : one))
  return decide(patchText(draft, text, { settled }))
}

/**
 * The agent's side begins: the message stands in the conversation like a greeting, with the agent there (TX1).
 */
export function openText(state: ConversationState, command: Of<'open_text'>, moment: Moment): Decision {
  if (state.endedAt !== null || state.text === null) return refuse('ended')
  if (state.deploymentId === null) return refuse('no_deployment')
  const { agentName, agentAvatarUrl: picture } = state
  const greeted = patch(beginDraft(state), { greeted: true })
  // The user may have texted in the moment before.
  const joined = allows(state, 'agent_joins')
    ? move(greeted, 'agent_joins', moment, {
        payloads: { AI_AGENT_JOINED: { agent_name: agentName, agent_avatar_url: picture, avatar: picture } },
      })
    : greeted
  const said = { message_id: moment.id, text: command.text, attachments: [], response_suggestions: [] }
  const spoken = journal(joined, 'AI_AGENT_MESSAGE', said)
  const at = moment.at
  const turn = projectTurn({
    ...{ userInput: '', userInputAt: at, agentResponse: command.text, agentResponseAt: at },
  })
  const details = { turn_id: moment.id, deployment_id: state.deploymentId }
  const counted = patch(spoken, { record: { turns: state.record.turns + 1 } })
  return decide(withTurns(counted, [{ record: turn, details }]))
}

/** Reports whether the event is something that the user of a text session is sent. */
const isSaid = (type: string): boolean => type === 'AI_AGENT_MESSAGE' || type === 'LIVE_AGENT_MESSAGE'

/**
 * Applies a decision to a text session. Messages of the agent's side become texts to send, in their order and in the
 * same write. A message of the user's is a reply, after which silence counts from zero.
 */
export function withTexts(decision: Decision, command: Command, moment: Moment): Decision {
  if (decision.refused !== null || decision.state.text === null) return decision
  const { events, state } = decision
  const heard =
    command.type === 'message'
      ? { ...decision.state.text, replied: true, warnedAt: null }
      : decision.state.text
  const before = state.sequence - events.length
  const said = events.flatMap(({ type, payload }, index) =>
    isSaid(type) ? textsOfEvent(payload).map((_, part) => ({ sequence: before + index + 1, part })) : [],
  )
  const added = said.map((place, index): OutgoingText => {
    return { number: heard.newest + 1 + index, ...place, attempts: 0, triedAt: null }
  })
  const same = heard === decision.state.text && added.length === 0
  if (same) return decision
  const outgoing = [...heard.outgoing, ...added]
  const text = { ...heard, outgoing, newest: heard.newest + added.length }
  const queued = patch(decision, { text })
  return decide(text.sendAt !== null || added.length === 0 ? queued : attempt(queued, moment))
}

/** Returns the deadlines of a text session's sending, none further away than it could be set now (TM4). */
export function textsWithin(
  text: TextState | null,
  now: number,
  { textLease }: MachineRules,
): TextState | null {
  if (text === null) return null
  const sendAt = text.sendAt === null ? null : Math.min(text.sendAt, now + Math.max(textLease, LONGEST_PAUSE))
  const warnedAt = text.warnedAt === null ? null : Math.min(text.warnedAt, now)
  return sendAt === text.sendAt && warnedAt === text.warnedAt ? text : { ...text, sendAt, warnedAt }
}

/** The same after the clock was put forward by that much (TM3). */
export function textsMovedOn(text: TextState | null, by: number): TextState | null {
  if (text === null) return null
  const later = (moment: number | null): number | null => (moment === null ? null : moment + by)
  return { ...text, sendAt: later(text.sendAt), warnedAt: later(text.warnedAt) }
}
