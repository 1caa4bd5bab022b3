import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Command, Pinning } from '../../domain/conversation/command.ts'
import { type ConversationEvent, type EventJson, eventOf } from '../../domain/conversation/event.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState, TurnInput } from '../../domain/conversation/state.ts'
import { eventIdOf, type TurnSituation } from '../../domain/conversation/turn-recording.ts'
import { jsonOf } from '../../domain/stored-json.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { createTimeouts, type Timeouts } from '../../shared/timeouts.ts'
import type { Context } from '../context.ts'
import { REPLAY_CHANNEL } from '../conversation/functions/call-in-replay.ts'
import { CallOff } from '../conversation/turn/call-off.ts'
import { createRealTimeVariables, type RealTimeVariables } from '../conversation/turn/real-time-variables.ts'
import { runTurn, type TurnRunner } from '../conversation/turn/run-turn.ts'
import { LEASE_RENEWALS } from '../shared/every.ts'

/** A recorded conversation, whole in memory. */
export interface Recorded {
  readonly state: ConversationState
  readonly turns: readonly StoredTurn[]
  /** Its log, from the first event. */
  readonly log: readonly EventJson[]
}

/** A turn of a recorded conversation, and its situation. */
export interface RecordedTurn {
  /** Its place among the turns, from 0. */
  readonly at: number
  readonly turn: StoredTurn
  readonly situation: TurnSituation
}

/** The content that answers. */
export interface Answering {
  readonly run: Pick<TestRun, 'id'>
  readonly content: AgentContent
  readonly pinning: Pinning
  /** Calls the turn off. */
  readonly signal: AbortSignal
}

/** Asks turns of recorded conversations again, in memory: nothing is written (TE70). */
export interface Asker {
  /**
   * Resolves to the record of the new turn. Null if the agent never began.
   * @throws the signal's reason when the replay is called off
   */
  ask(recorded: Recorded, one: RecordedTurn, answering: Answering): Promise<StoredTurn | null>
}

const NO_STREAM: TurnRunner['ephemeral'] = {
  beginStream() {},
  chunk() {},
  endStream() {},
}

/**
 * Returns the context in which a recorded conversation is read under the id of its replay. Expected external events are
 * written nowhere.
 */
function readingOf(context: Context, { log, turns }: Recorded): Context {
  const { store } = context
  const { conversations } = store
  return {
    ...context,
    store: {
      ...store,
      conversations: {
        ...conversations,
        eventsBefore: async (_, before, { count }) =>
          log.slice(Math.max(before - 1 - count, 0), before - 1).toReversed(),
        async turnPage(_, after) {
          const rest = turns.slice(after)
          return {
            turns: rest.map(({ record, details }) => ({ record: jsonOf(record), details: jsonOf(details) })),
            more: false,
          }
        },
        externalEvents: { ...conversations.externalEvents, expect: async () => 'expected' as const },
      },
    },
  }
}

/** Returns the input of a recorded turn. Null if its message is not in the log. */
function inputOf(
  { log }: Recorded,
  { turn, situation }: RecordedTurn,
  turnId: string,
): { readonly input: TurnInput; readonly recent: readonly ConversationEvent[] } | null {
  if (turn.details.input_type === 'greeting') return { input: { type: 'greeting', turnId }, recent: [] }
  const eventId = eventIdOf(turn)
  if (eventId !== null)
    return { input: { type: 'external_event', turnId, eventId, receivedAt: situation.now }, recent: [] }
  const found = log.find(
    ({ type, payload }) => type === 'USER_MESSAGE' && payload.value.message_id === turn.details.turn_id,
  )
  if (found === undefined) return null
  const { sequence } = found
  const said = { messageId: turnId, sequence, receivedAt: situation.now, sender: null }
  return { input: { type: 'message', turnId, ...said }, recent: [eventOf(found)] }
}

/** Returns the state in which a recorded turn was asked, as that of a conversation of the replay. */
function stateBefore(
  { settings }: Context,
  { state, turns }: Recorded,
  { at, situation }: RecordedTurn,
  { run, pinning }: Answering,
): ConversationState {
  const { config: _, sequence, now, language, ...written } = situation
  const { accountId, agentId, environment, visitor, asrLanguage, ttsLanguage, verifiedContext } = state
  const initial = initialState(
    {
      id: `${run.id}.${state.id}`,
      kind: 'test',
      ...{ accountId, agentId, environment, channel: REPLAY_CHANNEL, pinning, testCaseId: state.id },
      ...{ visitor, asrLanguage, ttsLanguage, language: language === '' ? pinning.languageCode : language },
      idleTimeout: settings.debugChatIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
    },
    now,
  )
  // A replay counts the greeting also where the recorded conversation had none.
  const greeted = turns[0]?.details.input_type === 'greeting' ? 0 : 1
  const record = { ...initial.record, turns: at + greeted }
  // It also knows of later lines, which the history up to here does not have.
  const guarded = state.guarded === undefined ? {} : { guarded: state.guarded }
  const before = { ...initial, ...written, ...guarded, verifiedContext, sequence, record }
  return { ...before, greeted: true, owner: 'ai_agent' }
}

/** The command that ends a turn. */
type Ended = Extract<Command, { type: 'turn_completed' | 'turn_failed' }>

/** Returns what asks turns again in one process. */
export function createAsker(context: Context, agents: TurnRunner['agents']): Asker {
  const { clock, settings } = context
  const deadlines: Timeouts = createTimeouts(clock, settings.turnDeadline, { keepAlive: true })
  const renewals: Timeouts = createTimeouts(clock, settings.turnLease / LEASE_RENEWALS)
  const realTimeVariables: RealTimeVariables = createRealTimeVariables(context)
  return {
    async ask(recorded, one, answering) {
      const { content, signal } = answering
      signal.throwIfAborted()
      const state = stateBefore(context, recorded, one, answering)
      const turnId = `${state.id}.${one.at}`
      const asked = inputOf(recorded, one, turnId)
      if (asked === null) return null
      const { config, now } = one.situation
      const turn = { id: turnId, generation: 1, input: asked.input, startedAt: now, leaseUntil: now }
      const active = { ...state, turn }
      let ended: Ended | null = null
      const runner: TurnRunner = {
        ...{ context: readingOf(context, recorded), agents, deadlines, renewals },
        realTimeVariables: config === null ? realTimeVariables : async () => structuredClone(config),
        turnContent: { atHand: () => content, read: async () => content },
        engine: {
          async execute(_, command) {
            if (command.type === 'turn_completed' || command.type === 'turn_failed') ended = command
            return { status: 'done', state: active, events: [] }
          },
        },
        ephemeral: NO_STREAM,
        dropResult: () => false,
      }
      const callOff = new CallOff()
      const abort = () => callOff.abort()
      signal.addEventListener('abort', abort, { once: true })
      await runTurn(runner, { state: active, turn, recent: asked.recent }, callOff)
      signal.removeEventListener('abort', abort)
      signal.throwIfAborted()
      return turnOf(ended)
    },
  }
}

const turnOf = (ended: Ended | null): StoredTurn | null => {
  if (ended === null) return null
  return ended.type === 'turn_completed' ? ended.reply.turn : ended.turn
}
