import * as z from 'zod'
import { contextOf } from '../platform-context.ts'
import { accountOfPrincipal } from './principal-account.ts'
import { describeRoute, type Route } from './route.ts'
import { readingParams, readingScope, recordFilter } from './routes/conversation-query.ts'
import * as value from './routes/query-values.ts'

const none = z.object({})

const eraseConversation = describeRoute({
  // As on the desk, a person says in a header on behalf of which account (PE6).
  family: 'desk',
  credential: 'own',
  method: 'DELETE',
  path: '/console/v1/agents/:agentId/conversations/:conversationId',
  operation: 'eraseConversation',
  summary: 'Remove a finished conversation with all that is kept of it',
  params: z.object({ agentId: z.string(), conversationId: z.string() }),
  query: none,
  body: null,
  async handle({ platform, principal, params }) {
    const { agentId, conversationId } = params
    await platform.conversations.remove(accountOfPrincipal(principal), agentId, conversationId)
    return { status: 204 }
  },
})

const readHealth = describeRoute({
  family: 'conversations-v3',
  credential: 'project',
  method: 'GET',
  path: '/console/v1/:account_id/:project_id/health',
  operation: 'readHealth',
  summary: 'How the agent did: answer times, handoffs, what it knew nothing about, functions that failed',
  params: readingParams,
  query: z.object({ client_env: value.environment, start_time: value.time, end_time: value.time }),
  body: null,
  scope: readingScope,
  async handle({ platform, query, ...scope }) {
    return { status: 200, json: await platform.reading.health(recordFilter(scope, query)) }
  },
})

const readRetention = describeRoute({
  family: 'desk',
  credential: 'own',
  method: 'GET',
  path: '/console/v1/retention',
  operation: 'readRetention',
  summary: 'How long what is kept is kept, and which option of the host says so',
  params: none,
  query: none,
  body: null,
  async handle({ platform: { settings } }) {
    const { webhooks, testRuns, debugChatIdle, listDebugChats, tokenKeyRotation } = settings
    return {
      status: 200,
      json: {
        options: {
          'webhooks.retention': webhooks.retention,
          'testRuns.kept': testRuns.kept,
          debugChatIdle,
          listDebugChats,
          tokenKeyRotation,
        },
      },
    }
  },
})

const DAY = 86_400_000

const purgeConversations = describeRoute({
  family: 'desk',
  credential: 'own',
  method: 'POST',
  path: '/console/v1/conversations/purge',
  operation: 'purgeConversations',
  summary: 'Remove the finished conversations of an account that are older than some days',
  params: none,
  query: none,
  body: z.object({
    days: z.int().min(1).max(36_500),
    agent_id: z.string().min(1).max(200).exactOptional(),
  }),
  async handle({ platform, principal, body: { days, agent_id: agentId } }) {
    const { conversations } = await platform.conversations.purge({
      accountId: accountOfPrincipal(principal),
      olderThan: contextOf(platform).clock.now() - days * DAY,
      ...(agentId === undefined ? {} : { agentId }),
    })
    return { status: 200, json: { conversations } }
  },
})

/** The routes about what is kept that are there for people alone (PE11, PE13 to PE15). */
export const peopleRecordRoutes: readonly Route[] = [
  eraseConversation,
  readHealth,
  readRetention,
  purgeConversations,
]
