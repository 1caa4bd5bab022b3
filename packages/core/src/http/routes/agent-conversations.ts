import * as z from 'zod'
import type { Agent } from '../../domain/agent/agent.ts'
import { agentRecordBeginning, beforeAgentEvents } from '../../domain/conversation/agent-record.ts'
import { PlatformError } from '../../errors.ts'
import { RECORDING_DIRECTIONS } from '../../ports/recordings.ts'
import { oneOf } from '../../usecases/shared/one-of.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import * as value from './query-values.ts'
import { type RecordForm, recordAnswer, recordList } from './record-list.ts'

const PATH = '/v1/agents/:agentId/conversations'

const AGENT_RECORD: RecordForm = { beginning: agentRecordBeginning, beforeEvents: beforeAgentEvents }

function existing(agent: Agent | null): Agent {
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
  return agent
}

/** An agent's conversations, with a key of the account (contract/conversations.md). */
export const agentConversationRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: PATH,
    operation: 'listAgentConversations',
    summary: 'List the conversations of an agent in an environment, newest first',
    query: z.object({
      clientEnv: value.environment,
      limit: value.integer(1, 5000).default(100),
      offset: value.integer(0, Number.MAX_SAFE_INTEGER).default(0),
    }),
    body: null,
    async handle({ platform, agent, query: { clientEnv: environment, limit, offset } }) {
      const { accountId, id: agentId } = existing(agent)
      const slices = platform.reading.newest({ accountId, agentId, environment }, offset, limit)
      return recordList(slices, limit, {
        ...AGENT_RECORD,
        turns: id => platform.reading.turns(accountId, agentId, id),
        endOf: ({ more }, records) => (more ? `,"next_offset":${offset + records}` : ''),
      })
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: `${PATH}/:recordId`,
    operation: 'readAgentConversation',
    summary: 'Read one conversation of an agent, with its turns',
    params: ofAgent.params.extend({ recordId: z.string() }),
    body: null,
    async handle({ platform, agent, params }) {
      const { accountId, id } = existing(agent)
      const { recordId } = params
      const record = await platform.reading.record(accountId, id, recordId)
      if (record === null)
        throw new PlatformError('CONVERSATIONS_NOT_FOUND', 'The agent has no conversation of that id.')
      return recordAnswer(record, AGENT_RECORD, () => platform.reading.turns(accountId, id, recordId))
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: `${PATH}/:recordId/audio`,
    operation: 'readAgentConversationAudio',
    summary: 'Listen to a conversation of an agent, as WAV',
    params: ofAgent.params.extend({ recordId: z.string() }),
    query: z.object({
      direction: oneOf(RECORDING_DIRECTIONS).default('combined'),
      redacted: value.boolean.default(false),
    }),
    body: null,
    async handle({ platform, agent, params, query: { direction, redacted } }) {
      const { accountId, id: agentId } = existing(agent)
      const wanted = { accountId, agentId, conversationId: params.recordId, direction, redacted }
      const chunks = await platform.reading.audio(wanted)
      return { status: 200, chunks, headers: { 'Content-Type': 'audio/wav' } }
    },
  }),
]
