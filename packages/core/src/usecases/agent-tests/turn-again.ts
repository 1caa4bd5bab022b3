import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Command, Pinning } from '../../domain/conversation/command.ts'
import type { ConversationEvent, EventJson } from '../../domain/conversation/event.ts'
import { initialState, type NewConversation } from '../../domain/conversation/initial-state.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ActiveTurn, ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId, TurnId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { jsonOf } from '../../domain/stored-json.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { createTimeouts } from '../../shared/timeouts.ts'
import type { Context } from '../context.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import { REPLAY_CHANNEL } from '../conversation/functions/call-in-replay.ts'
import { CallOff } from '../conversation/turn/call-off.ts'
import { createRealTimeVariables } from '../conversation/turn/real-time-variables.ts'
import { runTurn, type TurnRunner } from '../conversation/turn/run-turn.ts'
import { LEASE_RENEWALS } from '../shared/every.ts'

/** A recorded conversation, whole in memory. */
export interface Recorded {
  readonly state: ConversationState
  readonly turns: readonly StoredTurn[]
  /** Its log, from the first event. */
  readonly log: readonly EventJson[]
}

/** The content that answers. */
export interface Answering {
  readonly run: Pick<TestRun, 'id'>
  readonly content: AgentContent
  readonly pinning: Pinning
  /** Calls the turn off. */
  readonly signal: AbortSignal
}

/** A turn of a replay. */
export interface TurnAgain {
  /** See {@link readingOf}. */
  readonly reading: Context
  readonly answering: Answering
  /** The conversation of the replay, with the turn. */
  readonly state: ConversationState
  readonly turn: ActiveTurn
  /** Events of its log that need not be read. */
  readonly recent: readonly ConversationEvent[]
  /** Null: the real-time config is read. */
  readonly config: JsonObject | null
  /** The recorded turn, whose external events it expects. Undefined for none. */
  readonly eventsOf: TurnId | undefined
  /** Carries out a command about the turn. */
  readonly execute: (command: Command) => Outcome
}

/** Runs turns of replays in memory: nothing is written (TE70). */
export interface TurnsAgain {
  /**
   * Resolves to the record of the turn. Null if the agent never began.
   * @throws the signal's reason when the replay is called off
   */
  run(one: TurnAgain): Promise<StoredTurn | null>
}

/** Returns the id of the conversation of a replay that stands for a recorded one. */
const conversationOf = ({ id }: Answering['run'], { state }: Recorded): ConversationId => `${id}.${state.id}`

/** Returns the conversation of a replay that stands for a recorded one, as it begins. */
export function replayState(
  { settings }: Pick<Context, 'settings'>,
  recorded: Recorded,
  answering: Answering,
  { now, ...known }: Pick<NewConversation, 'language' | 'integrationAttributes'> & { readonly now: number },
): ConversationState {
  const { accountId, agentId, environment, id, visitor, asrLanguage, ttsLanguage, verifiedContext } =
    recorded.state
  const initial = initialState(
    {
      id: conversationOf(answering.run, recorded),
      kind: 'test',
      ...{ accountId, agentId, environment, channel: REPLAY_CHANNEL, testCaseId: id },
      ...{ pinning: answering.pinning, visitor, asrLanguage, ttsLanguage, ...known },
      idleTimeout: settings.debugChatIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
    },
    now,
  )
  return { ...initial, verifiedContext }
}

const NO_STREAM: TurnRunner['ephemeral'] = {
  beginStream() {},
  chunk() {},
  endStream() {},
}

/** The replay's side of a recorded conversation. */
interface Reading {
  /** The log that its turns read as their history. */
  readonly log: readonly EventJson[]
  /** Takes the ids of external events that its turns expect. */
  readonly expects: (eventId: string) => void
}

/**
 * Returns the context in which turns read a conversation of a replay. Expected external events are written nowhere, and
 * files of the recorded conversation are those of the replay's.
 */
export function readingOf(
  context: Context,
  recorded: Recorded,
  run: Answering['run'],
  { expects, log }: Reading,
): Context {
  const { store } = context
  const { conversations } = store
  const { externalEvents, files } = conversations
  const conversationId = conversationOf(run, recorded)
  return {
    ...context,
    store: {
      ...store,
      conversations: {
        ...conversations,
        eventsBefore: async (_, before, { count }) =>
          log.slice(Math.max(before - 1 - count, 0), before - 1).toReversed(),
        async turnPage(_, after) {
          const rest = recorded.turns.slice(after)
          return {
            turns: rest.map(({ record, details }) => ({ record: jsonOf(record), details: jsonOf(details) })),
            more: false,
          }
        },
        externalEvents: {
          ...externalEvents,
          async expect({ eventId }) {
            expects(eventId)
            return 'expected'
          },
        },
        files: {
          ...files,
          async find(id) {
            const file = await files.find(id)
            return file?.conversationId === recorded.state.id ? { ...file, conversationId } : file
          },
        },
      },
    },
  }
}

/** The command that ends a turn. */
type Ended = Extract<Command, { type: 'turn_completed' | 'turn_failed' }>

const turnOf = (ended: Ended | null): StoredTurn | null => {
  if (ended === null) return null
  return ended.type === 'turn_completed' ? ended.reply.turn : ended.turn
}

/** Returns what runs turns of replays in one process. */
export function createTurnsAgain(context: Context, agents: TurnRunner['agents']): TurnsAgain {
  const { clock, settings } = context
  const deadlines = createTimeouts(clock, settings.turnDeadline, { keepAlive: true })
  const renewals = createTimeouts(clock, settings.turnLease / LEASE_RENEWALS)
  const realTimeVariables = createRealTimeVariables(context)
  return {
    async run(one) {
      const { answering, config, eventsOf, execute, reading, recent, state, turn } = one
      const { content, signal } = answering
      signal.throwIfAborted()
      let ended: Ended | null = null
      const runner: TurnRunner = {
        ...{ context: reading, agents, deadlines, renewals },
        ...(eventsOf === undefined ? {} : { eventsOf }),
        realTimeVariables: config === null ? realTimeVariables : async () => structuredClone(config),
        turnContent: { atHand: () => content, read: async () => content },
        engine: {
          async execute(_, command) {
            if (command.type === 'turn_completed' || command.type === 'turn_failed') ended = command
            return execute(command)
          },
        },
        ephemeral: NO_STREAM,
        dropResult: () => false,
      }
      const callOff = new CallOff()
      const abort = () => callOff.abort()
      signal.addEventListener('abort', abort, { once: true })
      await runTurn(runner, { state, turn, recent }, callOff)
      signal.removeEventListener('abort', abort)
      signal.throwIfAborted()
      return turnOf(ended)
    },
  }
}
