import * as z from 'zod'
import { ROLLOUT_SIDES } from '../../domain/rollout/rollout.ts'
import { answers, anyObject, count, environment, list, namedVisitor, texts, time } from './answer.ts'
import { fileAddress } from './files.ts'

const textOrTexts = z.union([z.string(), texts])

const turn = z
  .object({
    user_input: z.string(),
    user_input_dtmf: z.string(),
    user_input_datetime: time,
    agent_response: z.string(),
    agent_response_datetime: time,
    /** Left out where a list is asked for without it. */
    latency: z.number().min(0).exactOptional(),
    translated_user_input: z.string(),
    english_agent_response: z.string(),
    intents: texts,
    entities: list(z.record(z.string(), textOrTexts)),
    is_ood: z.boolean(),
    is_silence: z.boolean(),
  })
  .meta({ id: 'RecordTurn' })

const metrics = z.record(z.string(), textOrTexts)

// With a brand a record has one more field, of the brand's word.
const v1Record = z
  .looseObject({
    id: z.string(),
    account_id: z.string(),
    project_id: z.string(),
    variant_id: z.string(),
    variant_name: z.string(),
    environment,
    started_at: time,
    channel: z.string(),
    from_number: z.string(),
    to_number: z.string(),
    in_progress: z.boolean(),
    num_turns: count,
    total_duration: count,
    ai_duration: count,
    handoff: z.boolean(),
    handoff_reason: z.string(),
    handoff_destination: z.string(),
    num_silences: count,
    num_ood: count,
    metrics,
    state: anyObject,
    turns: list(turn),
  })
  .meta({ id: 'ConversationRecordV1' })

const v3Record = v1Record
  .extend({
    finished_at: time.nullable(),
    language: z.string(),
    deployment_id: z.string(),
    direction: z.string(),
    rollout_id: z.string().exactOptional(),
    side: z.enum(ROLLOUT_SIDES).exactOptional(),
    topics: texts.exactOptional(),
    visitor: namedVisitor.exactOptional(),
  })
  .meta({ id: 'ConversationRecord' })

const functionEvents = list(z.unknown())

const agentRecord = z
  .looseObject({
    conversationId: z.string(),
    accountId: z.string(),
    projectId: z.string(),
    createdAt: time,
    startedAt: time,
    finishedAt: time.nullable(),
    channel: z.string(),
    fromNumber: z.string(),
    toNumber: z.string(),
    language: z.string(),
    variantId: z.string(),
    clientEnv: environment,
    totalDuration: count,
    aiDuration: count,
    duration: count,
    inProgress: z.boolean(),
    handoff: z.boolean(),
    handoffDestination: z.string(),
    handoffReason: z.string(),
    direction: z.string(),
    tags: texts,
    shortSummary: z.string(),
    deploymentId: z.string(),
    note: z.string(),
    metrics,
    functionEvents: z.record(z.string(), list(z.unknown())),
    turns: list(turn),
  })
  .meta({ id: 'AgentConversation' })

/** The responses of the routes about conversations (contract/conversations.md). */
export const recordAnswers = {
  listConversationsV1: answers({
    200: z.object({
      conversations: list(v1Record),
      descriptions: z.object({ conversations: z.record(z.string(), z.string()) }),
      next_offset: count.exactOptional(),
    }),
  }),
  listConversations: answers(
    {
      200: z.object({
        conversations: list(v3Record),
        cursor: z.string().nullable(),
        next_offset: count.exactOptional(),
      }),
    },
    'NOT_IMPLEMENTED',
    'EMBEDDER_FAILED',
  ),
  readConversation: answers(
    {
      200: v3Record.extend({ function_events: functionEvents }).meta({ id: 'ConversationRecordWithEvents' }),
    },
    'CONVERSATIONS_NOT_FOUND',
  ),
  readConcurrency: answers(
    {
      200: z.object({
        account_id: z.string(),
        project_id: z.string(),
        intervals: list(
          z.object({
            time,
            max_concurrent_conversations: count,
            variant_id: z.string().exactOptional(),
            variant_name: z.string().exactOptional(),
            deployment_id: z.string().exactOptional(),
          }),
        ),
      }),
    },
    'NOT_IMPLEMENTED',
  ),
  readHandoffState: answers(
    { 200: z.object({ id: z.string(), shared_id: z.string().exactOptional(), data: anyObject }) },
    'HANDOFF_STATE_NOT_FOUND',
  ),
  listUnanswered: answers({
    200: z.object({
      conversations: count,
      more: z.boolean(),
      questions: count,
      byMeaning: z.boolean(),
      total: count,
      groups: list(
        z
          .object({
            count,
            examples: list(
              z.object({ text: z.string(), conversationId: z.string(), startedAt: z.iso.datetime() }),
            ),
          })
          .meta({ id: 'QuestionGroup' }),
      ),
      cursor: z.string().nullable(),
    }),
  }),
  listAgentConversations: answers({
    200: z.object({
      conversations: list(agentRecord),
      count,
      limit: z.int().min(1).max(5_000),
      offset: count,
      next_offset: count.exactOptional(),
    }),
  }),
  readAgentConversation: answers({ 200: agentRecord }, 'CONVERSATIONS_NOT_FOUND'),
  readAgentConversationAudio: answers(
    { 200: { contentType: 'audio/wav' }, 206: { contentType: 'audio/wav' } },
    'CONVERSATIONS_NOT_FOUND',
    'CONVERSATIONS_RECORDING_NOT_FOUND',
    'RANGE_OUTSIDE',
  ),
  readConversationFileAddress: answers({ 200: fileAddress }, 'FILE_NOT_FOUND', 'NOT_IMPLEMENTED'),
}
