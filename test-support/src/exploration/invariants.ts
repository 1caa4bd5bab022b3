import type { Command } from '../../../packages/core/src/domain/conversation/command.ts'
import { dueDeliveries } from '../../../packages/core/src/domain/conversation/deliveries.ts'
import type { Decision, Draft } from '../../../packages/core/src/domain/conversation/draft.ts'
import type { ConversationState } from '../../../packages/core/src/domain/conversation/state.ts'
import { wakeAt } from '../../../packages/core/src/domain/conversation/wake.ts'
import { EXPLORED_RULES } from './settings.ts'

/** Fails with a sentence that says what does not hold. */
export function claim(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence)
}

/** Checks the invariants of every state, however it was reached. */
export function checkState(state: ConversationState): void {
  if (state.endedAt !== null) checkEnded(state)
  else checkLiving(state)
  checkOwner(state)
  checkWaiting(state)
  checkDeliveries(state)
}

function checkEnded(state: ConversationState): void {
  claim(state.owner === 'nobody', 'a conversation that has ended has an owner')
  claim(state.turn === null && state.pending.length === 0, 'something waits for an answer after the end')
  claim(state.awaiting.length === 0 && state.externalCheckAt === null, 'an event is awaited after the end')
  const due = dueDeliveries(state)
  claim(due.length === state.deliveries.length, 'a call waits for a live agent after the end')
  claim((wakeAt(state) === null) === (due.length === 0), 'what has ended is woken for anything but its calls')
}

/** Everything that waits has a moment at which it stops waiting. */
function checkLiving(state: ConversationState): void {
  const next = wakeAt(state)
  claim(next !== null, 'nothing would ever wake a living conversation')
  const deadlines = [
    state.seenAt + state.idleTimeout - (state.idleWarned ? 0 : (state.idleWarning ?? 0)),
    state.turn?.leaseUntil ?? next,
    state.owner === 'queue' ? (state.handoff?.timeoutAt ?? null) : next,
    state.owner === 'live_agent' ? (state.handoff?.attendedUntil ?? next) : next,
    dueDeliveries(state).length > 0 ? state.deliveryUntil : next,
    state.externalCheckAt ?? next,
  ]
  for (const deadline of deadlines) claim(deadline !== null && next <= deadline, 'a deadline would be missed')
}

/** One owner, and nothing of another one's. */
function checkOwner(state: ConversationState): void {
  const { handoff, owner, turn } = state
  claim(turn === null || owner === 'ai_agent', `a turn runs while ${owner} owns the conversation`)
  claim(turn === null || turn.id === turn.input.turnId, 'a turn runs under another name')
  claim(
    owner !== 'ai_agent' || turn !== null || state.pending.length === 0,
    'the agent is free and inputs wait',
  )
  const statuses: readonly (string | undefined)[] =
    owner === 'queue' ? ['requested', 'waiting'] : owner === 'live_agent' ? ['active'] : ['over', undefined]
  claim(
    statuses.includes(handoff?.status),
    `${owner} owns the conversation and its handoff is ${handoff?.status}`,
  )
  claim((owner === 'live_agent') === (handoff?.status === 'active'), 'a live agent is there who owns nothing')
  claim(
    (state.record.aiSince === null) === (owner !== 'ai_agent'),
    'the time of the AI agent is not counted right',
  )
}

function checkWaiting(state: ConversationState): void {
  const messages = waiting(state)
  claim(
    new Set(messages.map(({ messageId }) => messageId)).size === messages.length,
    'a message has two owners',
  )
  claim(
    isAscending(messages.map(({ sequence }) => sequence)),
    'messages wait in another order than they came in',
  )
  const served = state.turn?.input.type === 'message' ? 1 : 0
  claim(messages.length - served <= EXPLORED_RULES.queuedMessages, 'more messages wait than may')
  const notStarted = state.pending.filter(({ type }) => type === 'message').length
  claim(
    notStarted === 0 || state.owner === 'ai_agent',
    `messages wait for the AI agent while ${state.owner} owns them`,
  )
}

function checkDeliveries(state: ConversationState): void {
  const { deliveries, deliveryNumber, deliveryUntil, handoff } = state
  const due = dueDeliveries(state)
  claim(
    isAscending([...deliveries.map(({ number }) => number), deliveryNumber + 1]),
    'calls are out of order',
  )
  claim(
    deliveries.slice(0, due.length).every((call, index) => call === due[index]),
    'a call overtakes another',
  )
  claim(due.length > 0 === (deliveryUntil !== null), 'a call is due and would not be made again')
  for (const { call, handoffId } of deliveries) {
    const lives = handoff?.id === handoffId && handoff.status !== 'over'
    claim(call.type !== 'forward' || lives, 'a message waits for a handoff that is over')
  }
}

/** The messages that wait, for whomever: in a turn, behind it, or for a live agent. */
const waiting = ({ turn, pending, deliveries }: ConversationState) => [
  ...[...(turn === null ? [] : [turn.input]), ...pending].filter(input => input.type === 'message'),
  ...deliveries.flatMap(({ call }) => (call.type === 'forward' ? [call] : [])),
]

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number))

/** Checks the invariants of every step that is not refused. */
export function checkStep(before: ConversationState, command: Command, draft: Draft, now: number): void {
  const after = draft.state
  claim(after.sequence - before.sequence === draft.events.length, 'the sequence does not follow the log')
  checkEnd(before, command, draft)
  checkFates(before, command, draft)
  checkTurns(before, draft)
  checkCalls(before, command, draft, now)
  checkWarnings(before, command, draft, now)
  if (command.type === 'wake') {
    const next = wakeAt(after)
    claim(next === null || next > now, 'the next wake-up is due already when this one is over')
  }
  if (command.type === 'wake' && now < (wakeAt(before) ?? Number.POSITIVE_INFINITY)) {
    claim(
      after === before && draft.effects.length + draft.transients.length === 0,
      'an early wake-up did something',
    )
  }
}

/** Checks that a silence is warned of once and in time, and that any sign of life ends it. */
function checkWarnings(before: ConversationState, command: Command, draft: Draft, now: number): void {
  const { idleTimeout, idleWarned, idleWarning, seenAt } = before
  const warnings = draft.transients.filter(({ type }) => type === 'SESSION_IDLE_WARNING').length
  const due = idleWarning !== null && !idleWarned && now >= seenAt + idleTimeout - idleWarning
  const lives = draft.state.endedAt === null
  claim(warnings === (command.type === 'wake' && due && lives ? 1 : 0), 'a silence is not warned of once')
  if (draft.state.seenAt > seenAt && lives)
    claim(!draft.state.idleWarned, 'a new silence counts as warned of')
}

/** Commands of which the first one stands: sent again at once they are refused. */
const ONCE = new Set<Command['type']>([
  'end',
  'turn_completed',
  'turn_failed',
  'handoff_accepted',
  'handoff_failed',
  'live_agent_joined',
  'live_agent_left',
  'live_agent_returned',
  'handoff_transferred',
  'external_event',
  'close',
])

/** Checks the invariants of a command that is repeated right after it was accepted. */
export function checkAgain(command: Command, first: Draft, again: Decision): void {
  const keyed = first.events.filter(({ clientEventId }) => clientEventId !== null).length
  switch (command.type) {
    case 'join':
    case 'message':
    case 'end':
    case 'live_agent_message':
      // The store keeps the second one out by the client's id, which stands in the log once.
      claim(keyed === 1, 'no event, or more than one, carries the id of the client')
      break
    default:
      claim(keyed === 0, 'an event carries the id of a client that did not send it')
  }
  if (ONCE.has(command.type)) claim(again.refused !== null, 'it is taken a second time')
  else if (keyed === 0) {
    claim(again.refused === null && again.events.length === 0, 'it does something new the second time')
    const same = again.state === first.state || JSON.stringify(again.state) === JSON.stringify(first.state)
    claim(same, 'it changes more the second time')
    const repeated = again.effects.filter(({ type }) => type !== 'visitor_typing')
    claim(repeated.length === 0, `it asks for ${repeated.map(({ type }) => type)} a second time`)
  }
}

/** One end, the last event of the log; afterwards only calls to the live-agent system are confirmed or repeated. */
function checkEnd(before: ConversationState, command: Command, draft: Draft): void {
  const ends = draft.events.filter(({ type }) => type === 'SESSION_END').length
  const ended = before.endedAt === null && draft.state.endedAt !== null
  claim(ends === (ended ? 1 : 0), 'the log does not tell the end once')
  claim(!ended || draft.events.at(-1)?.type === 'SESSION_END', 'an event follows the end')
  claim(draft.state.endedAt !== null || before.endedAt === null, 'the dead came back')
  if (before.endedAt === null) return
  claim(
    command.type === 'wake' || command.type === 'deliveries_done',
    `${command.type} was taken after the end`,
  )
  const { deliveries, deliveryUntil } = before
  const unchanged = { ...draft.state, deliveries, deliveryUntil }
  claim(JSON.stringify(unchanged) === JSON.stringify(before), 'something changed after the end')
}

/** Every message that was taken stays in one place, or leaves it with one fate. */
function checkFates(before: ConversationState, command: Command, draft: Draft): void {
  const after = waiting(draft.state)
  const own = waiting(before)
  const taken = draft.events.filter(({ type }) => type === 'USER_MESSAGE')
  claim(taken.length === (command.type === 'message' ? 1 : 0), 'the log does not hold the message once')
  const fresh = taken.map(({ payload }) => String(payload.message_id))
  const known = [...own.map(({ messageId }) => messageId), ...fresh]
  for (const { messageId } of after) claim(known.includes(messageId), 'a message came from nowhere')
  for (const messageId of fresh) {
    const place = after.find(message => message.messageId === messageId)
    claim(place !== undefined, 'a message was taken and is lost')
    const index = draft.events.findIndex(({ type }) => type === 'USER_MESSAGE')
    claim(
      place.sequence === before.sequence + index + 1,
      'a message waits under the sequence of another event',
    )
  }
  for (const message of own) {
    const fates = fatesOf(before, command, draft, message)
    const stays = after.some(({ messageId }) => messageId === message.messageId)
    if (stays) claim(fates.length === 0, `a message that has its fate (${fates}) waits on`)
    else if (fates.length === 0) claim(draft.state.endedAt !== null, 'a message was lost')
    else claim(fates.length === 1, `a message has two fates: ${fates}`)
  }
}

/**
 * Returns the fates of a waiting message, according to the decision. If it has none, the end of the session is its
 * fate.
 */
function fatesOf(
  before: ConversationState,
  command: Command,
  draft: Draft,
  message: { readonly messageId: string; readonly sender: string | null },
): readonly string[] {
  const { input } = before.turn ?? {}
  const answered =
    command.type === 'turn_completed' && input?.type === 'message' && input.messageId === message.messageId
  const stated = draft.transients.filter(({ type, to }) => type === 'SYSTEM_MESSAGE' && to === message.sender)
  const delivery = before.deliveries.find(
    ({ call }) => call.type === 'forward' && call.messageId === message.messageId,
  )
  const forwarded =
    command.type === 'deliveries_done' &&
    delivery !== undefined &&
    delivery.number <= command.through &&
    !command.failed.includes(delivery.number)
  const dropped =
    delivery !== undefined &&
    draft.events.some(({ type }) => type === 'HANDOFF_FAILED' || type === 'HANDOFF_TIMEOUT')
  return [
    ...(answered ? ['answered'] : []),
    ...stated.map(() => 'failed'),
    ...(forwarded ? ['forwarded'] : []),
    ...(dropped ? ['handoff failed'] : []),
  ]
}

/** A generation of a turn is asked for once, when it begins; a turn that stops without a result is called off. */
function checkTurns(before: ConversationState, draft: Draft): void {
  const { turn } = draft.state
  const runs = draft.effects.filter(({ type }) => type === 'run_turn')
  const begins = turn !== null && (turn.id !== before.turn?.id || turn.generation !== before.turn.generation)
  claim(runs.length === (begins ? 1 : 0), 'a generation of a turn is not asked for once')
  for (const run of runs) {
    if (run.type !== 'run_turn') continue
    claim(run.turnId === turn?.id && run.generation === turn.generation, 'another turn is asked for')
    claim(turn.leaseUntil > 0, 'a turn runs without a lease')
  }
  const served = before.turn !== null && before.turn.id !== turn?.id
  const cancels = draft.effects.filter(({ type }) => type === 'cancel_turn')
  claim(cancels.length <= (served ? 1 : 0), 'a turn that goes on is called off')
}

/** A call to the live-agent system goes when it was made, or with its own handoff; who was asked for is called off. */
function checkCalls(before: ConversationState, command: Command, draft: Draft, now: number): void {
  const { deliveries, deliveryUntil, handoff } = draft.state
  const closed =
    before.handoff !== null && before.handoff.status !== 'over' && isOver(draft.state, before.handoff.id)
  for (const { number, handoffId, call } of before.deliveries) {
    if (deliveries.some(delivery => delivery.number === number)) continue
    const made = command.type === 'deliveries_done' && number <= command.through
    const own = closed && handoffId === before.handoff?.id && call.type !== 'cancel'
    claim(made || own, `a ${call.type} was forgotten before it was made`)
  }
  const theirs = OF_LIVE_AGENTS.has(command.type)
  if (closed && !theirs) {
    const last = deliveries.at(-1)
    claim(last?.call.type === 'cancel' && last.handoffId === handoff?.id, 'a live agent is left waiting')
  }
  const asked = draft.effects.filter(({ type }) => type === 'deliver').length
  claim(asked <= 1, 'the same calls are asked for twice')
  const held =
    command.type !== 'deliveries_done' && before.deliveryUntil !== null && before.deliveryUntil > now
  claim(asked === 0 || !held, 'calls that are being made are asked for again')
  claim(asked === 0 || (deliveryUntil !== null && deliveryUntil > now), 'calls are made without a lease')
}

/** Commands by which live agents end a handoff themselves. */
const OF_LIVE_AGENTS = new Set<Command['type']>([
  'handoff_failed',
  'live_agent_left',
  'live_agent_returned',
  'handoff_transferred',
])

const isOver = ({ handoff }: ConversationState, id: string): boolean =>
  handoff === null || handoff.id !== id || handoff.status === 'over'
