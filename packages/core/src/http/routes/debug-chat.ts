import { z } from 'zod'
import type { Agent } from '../../domain/agent/agent.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { PlatformError } from '../../errors.ts'
import type { DebugTurn } from '../../usecases/debug-chat/debug-chat.ts'
import { defineRoute, type Route } from '../route.ts'

const common = { family: 'debug-chat', credential: 'workspace', method: 'POST', query: z.object({}) } as const

const clientEnv = z.enum(ENVIRONMENTS)
const languageCode = z.string().min(2).max(35)

const startBody = z.object({
  clientEnv,
  asrLangCode: languageCode.exactOptional(),
  ttsLangCode: languageCode.exactOptional(),
  conversationId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected 1 to 128 letters, digits, hyphens or underscores')
    .exactOptional(),
  variantId: z.string().min(1).max(200).exactOptional(),
  channel: z.string().min(1).max(100).exactOptional(),
  integrationAttributes: z.record(z.string(), z.json()).exactOptional(),
})

/** A turn in the words of platform-api.md, Debug chat turn result. */
function turnOnWire({ state, turn }: DebugTurn) {
  const { record, details } = turn
  return {
    conversationId: state.id,
    userInput: record.user_input,
    response: record.agent_response,
    metadata: {
      state: state.variables,
      currentNode: Array.isArray(details.node_trace) ? (details.node_trace.at(-1) ?? '') : '',
      nodeTrace: details.node_trace,
      metrics: state.metrics,
      functionEvents: details.function_events,
      handoffDestination: details.handoff_destination,
      retrievedTopics: details.retrieved_topics,
      retrievedSources: details.retrieved_sources,
      citedTopic: details.cited_topic,
      inFlow: null,
      inStep: null,
      llmRequests: details.llm_requests,
      asrLangCode: state.asrLanguage ?? state.record.language ?? '',
      ttsLangCode: state.ttsLanguage ?? state.record.language ?? '',
    },
    conversationEnded: state.endedAt !== null,
    delayedResponse: details.delayed === true,
  }
}

function existing(agent: Agent | null): Agent {
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no such agent.')
  return agent
}

/** Test conversations (platform-api.md, Debug chat; decisions.md section 4). */
export const debugChatRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    path: '/v1/agents/:agentId/debug-chat',
    summary: 'Start a debug chat; answers with the greeting',
    params: z.object({ agentId: z.string() }),
    body: startBody,
    scope: ({ params }) => ({ agent: params.agentId }),
    async handle({ platform, agent, body }) {
      const { clientEnv: environment, asrLangCode, ttsLangCode, ...rest } = body
      const turn = await platform.debugChat.start(existing(agent), {
        environment,
        ...rest,
        ...(asrLangCode === undefined ? {} : { asrLanguage: asrLangCode }),
        ...(ttsLangCode === undefined ? {} : { ttsLanguage: ttsLangCode }),
      })
      return { status: 201, json: turnOnWire(turn) }
    },
  }),
  defineRoute({
    ...common,
    path: '/v1/agents/:agentId/debug-chat/:conversationId',
    summary: 'Say something in a debug chat; answers with the reply',
    params: z.object({ agentId: z.string(), conversationId: z.string() }),
    body: z.object({ clientEnv, message: z.string().max(131_072) }),
    scope: ({ params }) => ({ agent: params.agentId }),
    async handle({ platform, agent, params, body }) {
      const turn = await platform.debugChat.send(existing(agent), params.conversationId, {
        environment: body.clientEnv,
        message: body.message,
      })
      return { status: 200, json: turnOnWire(turn) }
    },
  }),
]
