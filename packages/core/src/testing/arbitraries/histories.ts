import fc from 'fast-check'
import type { Command } from '../../domain/conversation/command.ts'
import { DEFAULT_RULES } from '../../domain/conversation/default-rules.ts'
import type { Asked, Decision, MachineRules } from '../../domain/conversation/draft.ts'
import type { EventDraft } from '../../domain/conversation/event.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { ConversationKind, ConversationState } from '../../domain/conversation/state.ts'
import { newText } from '../../domain/conversation/texts.ts'
import { transition } from '../../domain/conversation/transition.ts'
import { wakeAt } from '../../domain/conversation/wake.ts'
import { type CommandMaker, makersOf } from './commands.ts'
import { PINNING } from './replies.ts'

/** The start of the conversations of {@link newConversations}. */
const BEGINNING = 1_000
/**
 * More wake-ups than a conversation needs to come to its end when it is left alone: a turn or a call is tried again at
 * each lease until then.
 */
const WAKE_UPS = 200

const TEXT_PAIR = { ours: '+15550100', theirs: '+15550111', channel: 'SMS', service: null } as const

/** One command of a history and its result. */
export interface HistoryStep {
  readonly before: ConversationState
  readonly command: Command
  /** The time, the fresh id and the rules that the decision was asked for with. */
  readonly asked: Asked
  readonly decision: Decision
  /** Equals `before` if the command was refused. */
  readonly after: ConversationState
}

/** The history of a conversation. A counterexample prints its commands, with the events of each. */
export interface ConversationHistory {
  readonly start: ConversationState
  readonly steps: readonly HistoryStep[]
  /** Its state after the last step. */
  readonly end: ConversationState
  /** Its whole log, in order. */
  readonly events: readonly EventDraft[]
}

/** The options of histories. */
export interface HistoryOptions {
  /** @default messaging sessions, see {@link newConversations} */
  readonly start?: fc.Arbitrary<ConversationState>
  /** @default DEFAULT_RULES */
  readonly rules?: MachineRules
  /** Most commands and waits, without the wake-ups of `untilItsEnd`. @default 80 */
  readonly maxLength?: number
  /** Whether the conversation is left alone afterwards until it has ended. @default false */
  readonly untilItsEnd?: boolean
  /** Whether only commands that the machine takes are in it. @default false */
  readonly sensible?: boolean
}

type Occurrence =
  | { readonly type: 'command'; readonly make: CommandMaker }
  | { readonly type: 'wait'; readonly milliseconds: number }
  | { readonly type: 'clock'; readonly by: number }

/** Mostly short: the lease of a turn runs out now and then, and seldom the visitor's patience. */
const waits = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
  { weight: 3, arbitrary: fc.constant(DEFAULT_RULES.turnLease) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 700_000 }) },
)

const occurrences = (makers: fc.Arbitrary<CommandMaker>): fc.Arbitrary<Occurrence> =>
  fc.oneof(
    { weight: 35, arbitrary: makers.map(make => ({ type: 'command', make }) as const) },
    { weight: 8, arbitrary: waits.map(milliseconds => ({ type: 'wait', milliseconds }) as const) },
    { weight: 1, arbitrary: waits.map(by => ({ type: 'clock', by }) as const) },
  )

/**
 * Conversations in which nothing has happened yet: with live agents or with a client that takes over, with and without
 * a warning before silence ends them, mostly with a deployment.
 *
 * @param kind @default "messaging"
 */
export const newConversations = (kind: ConversationKind = 'messaging'): fc.Arbitrary<ConversationState> =>
  fc
    .record({
      mode: fc.constantFrom('server', 'client'),
      idleWarning: fc.constantFrom(null, 60_000),
      pinning: fc.constantFrom(PINNING, PINNING, PINNING, null),
      streaming: fc.boolean(),
    })
    .map(({ mode, ...more }) =>
      initialState(
        {
          id: 'session-1',
          kind,
          accountId: 'ws-1',
          agentId: 'PROJECT-1',
          environment: 'live',
          channel: 'CHAT',
          idleTimeout: 600_000,
          ...(kind === 'text' ? { text: newText({ ...TEXT_PAIR, grace: 60_000 }) } : {}),
          handoffSettings: { mode, queueName: 'reception', timeoutSeconds: 300 },
          ...more,
        },
        BEGINNING,
      ),
    )

/**
 * Random histories of a conversation: visitors, agents, live agents, and time that passes, in any order, and what the
 * machine decides each time. Whenever a deadline has passed the conversation is woken, as the platform does.
 */
export function conversationHistories(options: HistoryOptions = {}): fc.Arbitrary<ConversationHistory> {
  const { start = newConversations(), maxLength = 80 } = options
  return start.chain(state => {
    return fc
      .array(occurrences(makersOf(state)), { maxLength, size: 'max' })
      .map(happened => play(state, happened, options))
  })
}

/** Reports whether the conversation still has automatic work to do. */
const isUnderWay = ({ endedAt, text }: ConversationState): boolean =>
  endedAt === null || (text?.outgoing.length ?? 0) > 0

function play(
  start: ConversationState,
  happened: readonly Occurrence[],
  options: HistoryOptions,
): ConversationHistory {
  const { rules = DEFAULT_RULES, sensible = false, untilItsEnd = false } = options
  const steps: HistoryStep[] = []
  let state = start
  let now = start.startedAt
  let count = 0
  const freshId = () => {
    count += 1
    return `id-${count}`
  }
  const send = (command: Command, id: string): void => {
    const asked = { now, id, rules }
    const before = state
    const decision = transition(before, command, asked)
    if (decision.refused === null) state = decision.state
    else if (sensible) return
    steps.push({ before, command, asked, decision, after: state })
  }
  const wakeWhenDue = (): void => {
    if ((wakeAt(state) ?? Number.POSITIVE_INFINITY) <= now) send({ type: 'wake' }, freshId())
  }
  for (const next of happened) {
    if (next.type === 'command') {
      const id = freshId()
      send(next.make(state, { now, id }), id)
    } else if (next.type === 'wait') {
      now += next.milliseconds
      wakeWhenDue()
    } else {
      now += next.by
      send({ type: 'clock_stepped', by: next.by }, freshId())
    }
  }
  for (let round = 0; untilItsEnd && round < WAKE_UPS && isUnderWay(state); round += 1) {
    now = Math.max(now, wakeAt(state) ?? now)
    wakeWhenDue()
  }
  return printed(start, steps, state)
}

/** Returns a history that prints what happened, and not every state on the way. */
function printed(
  start: ConversationState,
  steps: readonly HistoryStep[],
  end: ConversationState,
): ConversationHistory & fc.WithToStringMethod {
  const events = steps.flatMap(({ decision }) => (decision.refused === null ? decision.events : []))
  const line = ({ asked, command, decision }: HistoryStep): string => {
    const brought = `${asked.now}: ${JSON.stringify(command)} -> `
    if (decision.refused !== null) return `${brought}refused: ${decision.refused}`
    return brought + (decision.events.map(({ type }) => type).join(', ') || 'no event')
  }
  return { start, steps, end, events, [fc.toStringMethod]: () => steps.map(line).join('\n') }
}
