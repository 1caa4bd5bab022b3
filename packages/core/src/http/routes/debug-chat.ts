import * as z from 'zod'
import type { Agent } from '../../domain/agent/agent.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { wholeDetails } from '../../domain/conversation/turn-details.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'
import { type DebugTurn, isFailed, type MaybeDebugTurn } from '../../usecases/debug-chat/debug-turn.ts'
import { chatFields, debugMessageFields } from '../../usecases/debug-chat/start-debug-chat.ts'
import { TurnFailed } from '../../usecases/debug-chat/turn-failed.ts'
import { defineRoute, type Route } from '../route.ts'
import { metricsOf, objectOf, objectsOf, textOf, textsOf } from '../stored-fields.ts'
import * as value from './query-values.ts'

const common = { family: 'debug-chat', credential: 'workspace' } as const

/** The longest time, in seconds, that a reader may wait for a reply that is to come (DC11). */
const LONGEST_WAIT = 30

const clientEnv = z.enum(ENVIRONMENTS)
const startBody = z.object({
  clientEnv,
  ...chatFields,
})

const chatParams = z.object({ agentId: z.string(), conversationId: z.string() })

/** Throws errors that clients know by their text with that text (contract/debug-chat.md). */
function asOnWire(error: unknown): never {
  if (isPlatformError(error) && error.code === 'CHAT_DRAFT_NOT_EXIST')
    throw new PlatformError(error.code, 'The draft you are attempting to chat with does not exist.')
  throw error
}

/** The turn to show while the chat has none. */
const NO_TURN: StoredTurn = {
  record: { user_input: '', agent_response: '' },
  details: wholeDetails({}),
}

function metadataOf(state: ConversationState, { details }: StoredTurn) {
  // A chat without a turn has its own state, metrics and language alone.
  const language = textOf(details.language ?? state.record.language)
  const nodeTrace = textsOf(details.node_trace)
  return {
    state: objectOf(details.state) ?? state.variables,
    currentNode: nodeTrace.at(-1) ?? '',
    nodeTrace,
    metrics: metricsOf(details.metrics) ?? state.metrics,
    functionEvents: objectsOf(details.function_events),
    handoffDestination: textOf(details.handoff_destination),
    retrievedTopics: textsOf(details.retrieved_topics),
    retrievedSources: textsOf(details.retrieved_sources),
    citedTopic: textOf(details.cited_topic),
    inFlow: null,
    inStep: null,
    llmRequests: objectsOf(details.llm_requests),
    asrLangCode: state.asrLanguage ?? language,
    ttsLangCode: state.ttsLanguage ?? language,
  }
}

/** Returns the fields of contract/debug-chat.md, Turn result. */
const resultOf = (state: ConversationState, turn: StoredTurn, ended: boolean) => ({
  conversationId: state.id,
  userInput: textOf(turn.record.user_input),
  response: textOf(turn.record.agent_response),
  metadata: metadataOf(state, turn),
  conversationEnded: ended,
  // A chat that is over waits for nothing (DC2).
  delayedResponse: !ended && turn.details.delayed === true,
  // Set for a failed turn only (FN40).
  ...(isFailed(turn) ? { error: textOf(turn.details.error) } : {}),
})

const turnOnWire = ({ state, turn, ended, delayed }: MaybeDebugTurn) => ({
  ...resultOf(state, turn ?? NO_TURN, ended),
  delayedResponses: delayed.map(reply => resultOf(state, reply, false)),
})

/** Returns the message and the reply. The error of a failed turn has the turn as its `data`. */
async function answered(turn: Promise<DebugTurn>) {
  try {
    return turnOnWire(await turn)
  } catch (error) {
    if (!(error instanceof TurnFailed)) throw error
    throw new PlatformError(error.code, error.message, { body: { data: turnOnWire(error.turn) } })
  }
}

function existing(agent: Agent | null): Agent {
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no such agent.')
  return agent
}

/** Test conversations (contract/debug-chat.md). */
export const debugChatRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/agents/:agentId/debug-chat',
    operation: 'startDebugChat',
    summary: 'Start a debug chat; answers with the greeting',
    params: z.object({ agentId: z.string() }),
    body: startBody,
    scope: ({ params }) => ({ agent: params.agentId }),
    async handle({ platform, agent, body }) {
      const { clientEnv: environment, ...rest } = body
      const turn = platform.debugChat.start(existing(agent), { ...rest, environment })
      return { status: 201, json: await answered(turn.catch(asOnWire)) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/agents/:agentId/debug-chat/:conversationId',
    operation: 'continueDebugChat',
    summary: 'Say something in a debug chat; answers with the reply',
    params: chatParams,
    body: z.object({ clientEnv, message: z.string(), ...debugMessageFields }),
    scope: ({ params }) => ({ agent: params.agentId }),
    async handle({ platform, agent, params, body }) {
      const { clientEnv: environment, ...rest } = body
      const turn = platform.debugChat.send(existing(agent), params.conversationId, { ...rest, environment })
      return { status: 200, json: await answered(turn) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/agents/:agentId/debug-chat/:conversationId',
    operation: 'readDebugChat',
    summary: 'Read the newest turn of a debug chat, also a reply that came later',
    params: chatParams,
    query: z.object({ clientEnv, wait: value.integer(0, LONGEST_WAIT).exactOptional() }),
    scope: ({ params }) => ({ agent: params.agentId }),
    async handle({ platform, agent, params, query }) {
      const turn = await platform.debugChat.read(existing(agent), params.conversationId, {
        environment: query.clientEnv,
        wait: (query.wait ?? 0) * 1000,
      })
      return { status: 200, json: turnOnWire(turn) }
    },
  }),
]
