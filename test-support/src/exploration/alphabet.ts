import type { Command, TurnReply } from '../../../packages/core/src/domain/conversation/command.ts'
import { dueDeliveries } from '../../../packages/core/src/domain/conversation/deliveries.ts'
import type { ConversationState } from '../../../packages/core/src/domain/conversation/state.ts'
import type { TurnId } from '../../../packages/core/src/domain/ids.ts'
import { PINNING, textReply } from '../../../packages/core/src/testing/arbitraries/index.ts'
import { handoffWish } from '../conversation.ts'
import { knownHandoffs, NEW_ID, NOW, nth } from './canonical.ts'

/** The one external event that agents of the exploration wait for. */
const EVENT = 'event'
const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }
const BOB = { id: 'bob', name: 'Bob', avatarUrl: '' }

/** Everything that can come to a conversation in this state: of each kind the current, the late and the unknown. */
export function commandsFor(state: ConversationState): readonly Command[] {
  return [
    ...fromVisitor(state),
    ...fromAgent(state),
    ...fromLiveAgents(state),
    ...confirmations(state),
    { type: 'external_event', eventId: EVENT },
    { type: 'external_event', eventId: 'unknown' },
    { type: 'close', reason: 'REASON_NATURAL_END' },
    { type: 'wake' },
  ]
}

function fromVisitor({ deploymentId }: ConversationState): readonly Command[] {
  const origin = { sender: `sender-${NEW_ID}`, custom: null, clientEventId: `client-${NEW_ID}` }
  const pinnings = deploymentId === null ? [null, PINNING] : [null]
  return [
    ...pinnings.flatMap((pinning): Command[] => [
      { type: 'join', pinning, ...origin },
      { type: 'message', text: 'Hello', pinning, ...origin },
    ]),
    { type: 'typing', state: 'started' },
    { type: 'end', ...origin },
    { type: 'seen', seenAt: NOW },
  ]
}

/** Results of the running turn's newest generation, of the one before it, and of a turn that is over. */
function fromAgent(state: ConversationState): readonly Command[] {
  const { turn } = state
  const over = { turnId: 'turn-over', generation: 1 }
  if (turn === null) return results(over, [textReply('Late.')])
  const holder = { turnId: turn.id, generation: turn.generation }
  const before = { turnId: turn.id, generation: turn.generation - 1 }
  return [
    ...results(holder, repliesFor(state)),
    ...results(before, [textReply('Late.')]),
    ...results(over, [textReply('Late.')]),
  ]
}

const results = (
  holder: { readonly turnId: TurnId; readonly generation: number },
  replies: readonly TurnReply[],
): readonly Command[] => [
  ...replies.map((reply): Command => ({ type: 'turn_completed', ...holder, reply })),
  {
    type: 'turn_failed',
    ...holder,
    failure: 'reply',
    custom: null,
    turn: { record: {}, details: {} },
  },
  { type: 'turn_alive', ...holder },
]

/**
 * Bounds of the exploration: the agent waits for one external event at a time, and hands off again only while at most
 * one earlier handoff has unconfirmed calls.
 */
function repliesFor(state: ConversationState): readonly TurnReply[] {
  const replies = [
    textReply('Hello.'),
    textReply('Hello.', { chunks: ['Hel', 'lo.'] }),
    textReply('Bye.', { end: true }),
  ]
  const expects = { text: '', expectedEvents: [EVENT] }
  const unconfirmed = new Set(state.deliveries.map(({ handoffId }) => handoffId)).size
  const waits = state.awaiting.length > 0 || state.pending.some(input => input.type === 'external_event')
  if (unconfirmed < 2) replies.push(textReply('One moment.', handoffWish))
  if (!waits) replies.push(textReply('', expects))
  if (unconfirmed < 2 && !waits) replies.push(textReply('', { ...expects, ...handoffWish }))
  return replies
}

/** Callbacks about the newest handoff, about each older one that is still known, and about none of them. */
function fromLiveAgents(state: ConversationState): readonly Command[] {
  const ids = new Set([...knownHandoffs(state), nth(state, 99)])
  return [...ids].flatMap((handoffId): Command[] => [
    { type: 'handoff_accepted', handoffId },
    { type: 'handoff_failed', handoffId, reason: null },
    { type: 'live_agent_joined', handoffId, liveAgent: ADA },
    { type: 'live_agent_joined', handoffId, liveAgent: BOB },
    { type: 'live_agent_message', handoffId, messageId: NEW_ID, text: 'Hi', attachments: [] },
    { type: 'live_agent_typing', handoffId, state: 'started' },
    { type: 'queue_status', handoffId, position: 1, estimatedWaitSeconds: null },
    { type: 'live_agent_watched', handoffId, liveAgentId: ADA.id, socket: 'open' },
    { type: 'live_agent_watched', handoffId, liveAgentId: ADA.id, socket: 'closed' },
    { type: 'live_agent_watched', handoffId, liveAgentId: BOB.id, socket: 'open' },
    { type: 'live_agent_left', handoffId, reason: null },
    { type: 'live_agent_returned', handoffId, reason: null },
    { type: 'handoff_transferred', handoffId, to: { queueName: 'sales' }, reason: '' },
    ...[ADA, BOB].map(
      (liveAgent): Command => ({
        ...{ type: 'handoff_transferred', handoffId, reason: '' },
        to: { liveAgent, acceptor: { type: 'live_agents', id: null } },
      }),
    ),
  ])
}

/**
 * Calls that were made in order, up to each that may have been: all arrived, the last failed, all failed; or nothing
 * new.
 */
function confirmations(state: ConversationState): readonly Command[] {
  const due = dueDeliveries(state).map(({ number }) => number)
  const made = due.flatMap((through, index): Command[] => {
    const numbers = due.slice(0, index + 1)
    const outcomes = index === 0 ? [[], numbers] : [[], [through], numbers]
    return outcomes.map(failed => ({ type: 'deliveries_done', through, failed }))
  })
  return [...made, { type: 'deliveries_done', through: 0, failed: [] }]
}
