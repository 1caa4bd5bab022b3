import fc from 'fast-check'
import type { Command, TextOutcome } from '../../domain/conversation/command.ts'
import { dueDeliveries } from '../../domain/conversation/deliveries.ts'
import type { Asked } from '../../domain/conversation/draft.ts'
import { handoffIdOf } from '../../domain/conversation/handoff-id.ts'
import { SCORES } from '../../domain/conversation/rating.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { transition } from '../../domain/conversation/transition.ts'
import type { HandoffId } from '../../domain/ids.ts'
import { PINNING, textReply } from './replies.ts'

/** Makes a command for the state that a conversation is in by then: about its turn, its handoff, its deliveries. */
export type CommandMaker = (state: ConversationState, asked: Pick<Asked, 'now' | 'id'>) => Command

/** The one external event that agents of the histories wait for. */
const EVENT = 'event'

/** The share of turn results from a generation that has lost its lease: one in four. */
const behind = fc.constantFrom(0, 0, 0, 1)
/** The share of calls about a handoff that is not the conversation's newest: one in six. */
const stray = fc.constantFrom(false, false, false, false, false, true)

const liveAgent = fc.constantFrom(
  { id: 'ada', name: 'Ada', avatarUrl: '' },
  { id: 'ada', name: 'Ada', avatarUrl: '' },
  { id: 'bob', name: 'Bob', avatarUrl: '' },
)

const handoff = { destination: 'reception', reason: 'asked for a person' }

/** Endings are rare here as well. */
const reply = fc.constantFrom(
  textReply('Hello.'),
  textReply('Yes.', { outOfDomain: true, metrics: { asked: 'yes' } }),
  textReply('One moment.', { handoff }),
  textReply('A person will help you.', { handoff }),
  textReply('', { handoff, expectedEvents: [EVENT] }),
  textReply('Bye.', { end: true }),
  textReply('', { expectedEvents: [EVENT] }),
  textReply('Hello.', { chunks: ['Hel', 'lo.'] }),
  textReply('', { silence: true, expectedEvents: [EVENT], variables: { said: 'nothing' } }),
)

const always = (make: CommandMaker): fc.Arbitrary<CommandMaker> => fc.constant(make)

const turnOf = ({ turn }: ConversationState, lag: number) => ({
  turnId: turn?.id ?? 'turn-over',
  generation: (turn?.generation ?? 1) - lag,
})

const handoffOf = ({ handoff, id }: ConversationState, isStray: boolean): HandoffId =>
  isStray || handoff === null ? handoffIdOf(id, 99) : handoff.id

/** Returns the fields that a visitor's client sends with every event: an id of its own. */
const originOf = ({ id }: Pick<Asked, 'id'>) => ({
  sender: 'connection-1',
  custom: null,
  clientEventId: `client-${id}`,
})

/** Whether a deployment is active by now, for conversations without one: mostly. */
const isDeployed = fc.constantFrom(true, true, true, false)
const pinningOf = ({ deploymentId }: ConversationState, deployed: boolean) =>
  deploymentId === null && deployed ? PINNING : null

const fromVisitors: readonly fc.WeightedArbitrary<CommandMaker>[] = [
  {
    weight: 4,
    arbitrary: isDeployed.map(
      (deployed): CommandMaker =>
        (state, asked) => ({ type: 'join', pinning: pinningOf(state, deployed), ...originOf(asked) }),
    ),
  },
  {
    weight: 10,
    arbitrary: fc.tuple(fc.constantFrom('Hello', 'A person, please'), isDeployed).map(
      ([text, deployed]): CommandMaker =>
        (state, asked) => ({
          type: 'message',
          text,
          pinning: pinningOf(state, deployed),
          ...originOf(asked),
        }),
    ),
  },
  { weight: 3, arbitrary: always((_, { now }) => ({ type: 'seen', seenAt: now })) },
  { weight: 2, arbitrary: always(() => ({ type: 'typing', state: 'started' })) },
  {
    weight: 1,
    arbitrary: fc.nat(3).map(
      (after): CommandMaker =>
        (_, { now }) => ({ type: 'replies_asked', after, seenAt: now }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ tier: 'gold' }, { tier: 'silver' }, null).map(
      (context): CommandMaker =>
        () => ({ type: 'set_context', context }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()).map(
      ([since, number, done]): CommandMaker =>
        () => ({
          type: 'call_progress',
          heard: { id: `m.${number}.${since}.9.9`, since, number, playedMs: 20, done },
        }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ score: fc.integer(SCORES), comment: fc.constantFrom('', 'Quick.') }).map(
      (rating): CommandMaker =>
        () => ({ type: 'rate', rating }),
    ),
  },
]

const fromAgents: readonly fc.WeightedArbitrary<CommandMaker>[] = [
  {
    weight: 5,
    arbitrary: fc.tuple(reply, behind).map(
      ([said, lag]): CommandMaker =>
        state => ({ type: 'turn_completed', ...turnOf(state, lag), reply: said }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('start', 'reply', 'stream'), behind).map(
      ([failure, lag]): CommandMaker =>
        state => ({ type: 'turn_failed', ...turnOf(state, lag), failure, custom: null, turn: null }),
    ),
  },
  { weight: 1, arbitrary: always(state => ({ type: 'turn_alive', ...turnOf(state, 0) })) },
  {
    weight: 2,
    arbitrary: fc.boolean().map((pending): CommandMaker => {
      return () => ({ type: 'external_event', eventId: EVENT, pending })
    }),
  },
]

/** The types of calls. One that is listed more than once is drawn more often. */
const CALLS = [
  'handoff_accepted',
  'live_agent_joined',
  'live_agent_joined',
  'live_agent_message',
  'live_agent_message',
  'live_agent_typing',
  'live_agent_watched',
  'live_agent_left',
  'live_agent_returned',
  'handoff_transferred',
  'handoff_failed',
  'queue_status',
] as const

const fromLiveAgents: readonly fc.WeightedArbitrary<CommandMaker>[] = [
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...CALLS), stray, liveAgent, fc.boolean()).map(
      ([type, isStray, agent, isOpen]): CommandMaker =>
        (state, asked) => {
          const handoffId = handoffOf(state, isStray)
          switch (type) {
            case 'live_agent_joined':
              return { type, handoffId, liveAgent: agent }
            case 'live_agent_message':
              return { type, handoffId, messageId: `said-${asked.id}`, text: 'Hi', attachments: [] }
            case 'live_agent_typing':
              return { type, handoffId, state: isOpen ? 'started' : 'stopped' }
            case 'live_agent_watched':
              return { type, handoffId, liveAgentId: agent.id, socket: isOpen ? 'open' : 'closed' }
            case 'handoff_transferred':
              return {
                ...{ type, handoffId, reason: 'knows it' },
                to: isOpen
                  ? { queueName: 'sales' }
                  : { liveAgent: agent, acceptor: { type: 'person', id: agent.id } },
              }
            case 'queue_status':
              return { type, handoffId, position: 1, estimatedWaitSeconds: null }
            case 'handoff_accepted':
              return { type, handoffId }
            case 'handoff_failed':
              return { type, handoffId, reason: null, unlessAccepted: isOpen }
            default:
              return { type, handoffId, reason: null }
          }
        },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(2), fc.boolean()).map(
      ([last, fails]): CommandMaker =>
        state => {
          const due = dueDeliveries(state).slice(0, last + 1)
          const through = due.at(-1)?.number ?? 0
          return { type: 'deliveries_done', through, failed: fails ? [through] : [] }
        },
    ),
  },
]

const fromRecorders: readonly fc.WeightedArbitrary<CommandMaker>[] = [
  {
    weight: 5,
    arbitrary: fc.constantFrom({}, { silence: true }, { outOfDomain: true }).map(
      (more): CommandMaker =>
        (_, { id, now }) => ({
          type: 'record_turns',
          turns: [0, 1].map(number => ({
            turnId: `turn-${id}-${number}`,
            responseId: `${id}-${number}`,
            description: {
              userInput: 'Hello',
              userInputAt: now,
              agentResponse: 'Hi.',
              agentResponseAt: now,
              ...more,
            },
            details: {},
            variables: {},
            metrics: {},
          })),
        }),
    ),
  },
  {
    weight: 1,
    arbitrary: always(() => ({
      type: 'finish_recording',
      end: {
        finishedAt: null,
        reason: 'REASON_USER_END',
        handoff: null,
        aiDuration: null,
        variables: {},
        metrics: {},
      },
    })),
  },
]

/** An answer of a carrier, mostly that it has the text. */
const outcome: fc.Arbitrary<TextOutcome> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('SM-1', 'SM-2').map(carrierId => ({ type: 'sent' as const, carrierId })),
  },
  { weight: 3, arbitrary: fc.constantFrom({ type: 'again' }, { type: 'again', after: 30_000 }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'dropped' }, { type: 'failed' }) },
)

/** Returns a reference to a text: mostly the one in progress, sometimes an earlier one or one that never existed. */
const textOf = ({ text }: ConversationState, lag: number) => {
  const first = text?.outgoing[0]
  return { number: (first?.number ?? text?.newest ?? 0) - lag, attempt: (first?.attempts ?? 1) - lag }
}

const fromCarriers: readonly fc.WeightedArbitrary<CommandMaker>[] = [
  {
    weight: 6,
    arbitrary: fc.tuple(outcome, behind).map(
      ([of, lag]): CommandMaker =>
        state => ({ type: 'text_done', ...textOf(state, lag), outcome: of }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(outcome, fc.nat(2)).map(
      ([of, lag]): CommandMaker =>
        state => {
          const { number, attempt } = textOf(state, 0)
          return { type: 'text_done', number, attempt: attempt - lag, outcome: of }
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('sent', 'delivered', 'failed'), behind).map(
      ([status, lag]): CommandMaker =>
        state => ({ type: 'text_status', number: textOf(state, lag).number, carrierId: 'SM-1', status }),
    ),
  },
  { weight: 1, arbitrary: always(() => ({ type: 'open_text', text: 'Your order is here.' })) },
]

const wakeUps: fc.Arbitrary<CommandMaker> = always(() => ({ type: 'wake' }))

const closing: fc.Arbitrary<CommandMaker> = always(() => ({ type: 'close', reason: 'REASON_NATURAL_END' }))

/** Rare, or nothing else would have happened before. */
const endings: fc.Arbitrary<CommandMaker> = fc.oneof(
  always((_, asked) => ({ type: 'end', ...originOf(asked) })),
  closing,
)

/**
 * Commands of those whose move it is: of the agent while a turn runs, of live agents during a handoff, of the visitor
 * otherwise.
 */
const fromWhoIsDue: fc.Arbitrary<CommandMaker> = fc
  .tuple(fc.oneof(...fromAgents), fc.oneof(...fromLiveAgents), fc.oneof(...fromVisitors))
  .map(
    ([agent, liveAgents, visitor]): CommandMaker =>
      (state, asked) => {
        const isHandedOff = state.owner === 'queue' || state.owner === 'live_agent'
        const make = state.turn !== null ? agent : isHandedOff ? liveAgents : visitor
        return make(state, asked)
      },
  )

/** Commands for any state of the conversation; most of them fit it, so that histories make progress. */
const commandMakers: fc.Arbitrary<CommandMaker> = fc.oneof(
  { weight: 70, arbitrary: fromWhoIsDue },
  { weight: 14, arbitrary: fc.oneof(...fromVisitors) },
  { weight: 12, arbitrary: fc.oneof(...fromAgents) },
  { weight: 12, arbitrary: fc.oneof(...fromLiveAgents) },
  { weight: 4, arbitrary: wakeUps },
  { weight: 1, arbitrary: endings },
  { weight: 1, arbitrary: fc.oneof(...fromRecorders) },
  { weight: 1, arbitrary: fc.oneof(...fromCarriers) },
)

/** Commands for a text session: its carrier answers about as often as anything else happens. */
const textMakers: fc.Arbitrary<CommandMaker> = fc.oneof(
  { weight: 50, arbitrary: commandMakers },
  { weight: 40, arbitrary: fc.oneof(...fromCarriers) },
)

/** Commands for a conversation of which a host keeps the record. */
const recordingMakers: fc.Arbitrary<CommandMaker> = fc.oneof(
  { weight: 10, arbitrary: fc.oneof(...fromRecorders) },
  { weight: 2, arbitrary: wakeUps },
  { weight: 1, arbitrary: closing },
)

/** Commands for a conversation in which nothing has happened yet. */
export const makersOf = ({ kind }: Pick<ConversationState, 'kind'>): fc.Arbitrary<CommandMaker> => {
  if (kind === 'recorded') return recordingMakers
  return kind === 'text' ? textMakers : commandMakers
}

/**
 * Any command that can come to a conversation in this state: of its turn and its handoff or late ones, expected or not.
 * All types of commands but `clock_stepped`, which says how time goes on; some of them are refused.
 *
 * @param asked the moment, and an id that the command's own ids are made from
 */
export const anyCommand = (
  state: ConversationState,
  asked: Pick<Asked, 'now' | 'id'>,
): fc.Arbitrary<Command> =>
  (state.kind === 'recorded' ? fc.oneof(commandMakers, recordingMakers) : makersOf(state)).map(make =>
    make(state, asked),
  )

/** Only the commands that make sense in this state: those that the machine does not refuse. */
export const sensibleCommand = (state: ConversationState, asked: Asked): fc.Arbitrary<Command> =>
  anyCommand(state, asked).filter(command => transition(state, command, asked).refused === null)
