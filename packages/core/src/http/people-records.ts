import * as z from 'zod'
import { heldRoles } from '../domain/access/person.ts'
import type { Principal } from '../domain/access/principal.ts'
import { recordingOnWire } from '../domain/conversation/call-recording.ts'
import { decodeCursor, encodeCursor } from '../domain/conversation/cursor.ts'
import { wholeDetails } from '../domain/conversation/turn-details.ts'
import type { JsonObject } from '../domain/json.ts'
import { isoTime } from '../domain/time.ts'
import { PlatformError } from '../errors.ts'
import { edgeOf } from '../platform-context.ts'
import type { RecordPageStart } from '../ports/store/records.ts'
import { nameOfPerson } from '../usecases/desk/desk-acting.ts'
import { UNANSWERED_LIMITS } from '../usecases/records/read-unanswered.ts'
import { noteOnWire } from './desk-wire.ts'
import { peopleViewRoutes } from './people-views.ts'
import { peopleVisitorRoutes } from './people-visitors.ts'
import { accountOfPrincipal, personOf } from './principal-account.ts'
import { describeRoute, type Route } from './route.ts'
import {
  readingParams,
  readingScope,
  recordFilter,
  recordFilterQuery,
  recordParams,
  scopeIds,
} from './routes/conversation-query.ts'
import { noteFields, noteGiven } from './routes/note-body.ts'
import * as value from './routes/query-values.ts'
import { groupsOnWire } from './routes/unanswered.ts'

const eraseConversation = describeRoute({
  // As on the desk, a person says in a header on behalf of which account (PE5).
  family: 'desk',
  credential: 'own',
  method: 'DELETE',
  path: '/console/v1/agents/:agentId/conversations/:conversationId',
  operation: 'eraseConversation',
  summary: 'Remove a finished conversation with everything stored about it',
  params: z.object({ agentId: z.string(), conversationId: z.string() }),
  async handle({ platform, principal, params }) {
    const { agentId, conversationId } = params
    await platform.conversations.remove(accountOfPrincipal(principal), agentId, conversationId)
    return { status: 204 }
  },
})

/** The common parts of routes that read an agent's conversations. */
const ofRecords = {
  family: 'conversations-v3',
  credential: 'project',
  scope: readingScope,
} as const

const place = value.integer(0, Number.MAX_SAFE_INTEGER).default(0)

const readHealth = describeRoute({
  ...ofRecords,
  method: 'GET',
  path: '/console/v1/:account_id/:project_id/health',
  operation: 'readHealth',
  summary: 'Summarize the health of an agent: answer times, handoffs, unanswered messages, failed functions',
  params: readingParams,
  query: z.object({
    ...{ client_env: value.environment, start_time: value.time, end_time: value.time },
    deployment_id: value.text.exactOptional(),
  }),
  async handle({ platform, query, ...scope }) {
    return { status: 200, json: await platform.reading.health(recordFilter(scope, query)) }
  },
})

const readUnanswered = describeRoute({
  ...ofRecords,
  method: 'GET',
  path: '/console/v1/:account_id/:project_id/unanswered',
  operation: 'readUnanswered',
  summary: 'Group the questions that an agent did not answer',
  params: readingParams,
  query: z.object({
    client_env: value.environment,
    start_time: value.time.exactOptional(),
    end_time: value.time.exactOptional(),
    deployment_id: value.text.exactOptional(),
    limit: value.integer(1, UNANSWERED_LIMITS.conversations.most).exactOptional(),
  }),
  async handle({ platform, query: { limit, ...query }, ...scope }) {
    const { groups, ...read } = await platform.reading.unanswered(recordFilter(scope, query), limit)
    return { status: 200, json: { ...read, groups: groupsOnWire(groups) } }
  },
})

/** Returns the start of a page of the newest records. @throws SCHEMA_VALIDATION_FAILED */
function startOf(cursor: string | undefined): RecordPageStart {
  if (cursor === undefined) return { offset: 0 }
  const position = decodeCursor(cursor)
  if (position !== null) return { after: position }
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    'cursor is malformed: pass the cursor of the previous page unchanged.',
  )
}

const listNewest = describeRoute({
  ...ofRecords,
  method: 'GET',
  path: '/console/v1/:account_id/:project_id/conversations',
  operation: 'listNewest',
  summary: 'List the newest conversations, each in a few words',
  params: readingParams,
  query: recordFilterQuery.extend({
    channel: value.repeatable.optional(),
    limit: value.integer(1, 200).default(50),
    cursor: value.text.optional(),
  }),
  async handle({ platform, query, ...scope }) {
    const filter = recordFilter(scope, query)
    const page = await platform.reading.overview(filter, startOf(query.cursor), query.limit)
    const last = page.conversations.at(-1)
    const conversations = page.conversations.map(({ summary, details, firstWords }) => ({
      ...summary,
      ...details,
      first_words: firstWords,
    }))
    const cursor = page.more && last !== undefined ? encodeCursor(last) : null
    return { status: 200, json: { conversations, cursor } }
  },
})

/** Returns the details without what is kept for replays and not for readers. */
const shownDetails = ({ function_effects: _, recording: __, ...details }: JsonObject): JsonObject =>
  wholeDetails(details)

/** Whether a caller may read what colleagues have noted: who may sit at the desk (PE420). */
const mayReadNotes = (principal: Principal): boolean =>
  principal.type === 'person' && heldRoles(principal.person.roles).includes('desk')

const writeConversationNote = describeRoute({
  family: 'desk',
  credential: 'own',
  method: 'POST',
  path: '/console/v1/agents/:agentId/conversations/:conversationId/notes',
  operation: 'writeConversationNote',
  summary: 'Write or change a note for colleagues about a conversation, which the visitor never gets',
  params: z.object({ agentId: z.string(), conversationId: z.string() }),
  body: z.object(noteFields),
  async handle({ platform, principal, params, body }) {
    const { id, name } = personOf(principal)
    const given = noteGiven(body, { id, name: nameOfPerson({ id, name }) })
    const note = await platform.desk.writeNote(accountOfPrincipal(principal), params, given)
    return { status: 201, json: noteOnWire(note) }
  },
})

const readTranscript = describeRoute({
  ...ofRecords,
  method: 'GET',
  path: '/console/v1/:account_id/:project_id/conversations/:conversation_id/transcript',
  operation: 'readTranscript',
  summary: 'Read the transcript of a conversation after a cursor, with the actions of the agent at each turn',
  params: recordParams,
  query: z.object({ turns: place, sequence: place, notes: place }),
  async handle({ platform, principal, params, query: { notes: noted, ...query }, ...scope }) {
    const { accountId, agentId } = scopeIds(scope)
    const { conversation_id: id } = params
    const part = await platform.reading.transcript(accountId, agentId, id, query)
    const { summary, details } = part.record
    const recordings = await platform.reading.recordings(accountId, agentId, id)
    const notes = mayReadNotes(principal)
      ? await platform.desk.notes(accountId, { agentId, conversationId: id }, noted)
      : null
    return {
      status: 200,
      json: {
        conversation: { ...summary.value, ...details.value },
        turns: part.turns.map(turn => ({ ...shownDetails(turn.details.value), ...turn.record.value })),
        lines: part.lines.map(line => ({ ...line, at: isoTime(line.at) })),
        ...(recordings.length === 0 ? {} : { recordings: recordings.map(recordingOnWire) }),
        ...(notes === null ? {} : { notes: notes.map(noteOnWire) }),
        next: { ...part.next, notes: notes?.at(-1)?.number ?? noted },
        more: part.more,
      },
    }
  },
})

const readRetention = describeRoute({
  family: 'desk',
  credential: 'own',
  method: 'GET',
  path: '/console/v1/retention',
  operation: 'readRetention',
  summary: 'Read how long each kind of data is stored, and the option of the host that sets it',
  async handle({ platform: { settings } }) {
    const { webhooks, testRuns, debugChatIdle, listDebugChats, turnRecordingRetention, tokenKeyRotation } =
      settings
    return {
      status: 200,
      json: {
        options: {
          'webhooks.retention': webhooks.retention,
          'testRuns.kept': testRuns.kept,
          debugChatIdle,
          listDebugChats,
          turnRecordingRetention,
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
  summary: 'Remove the finished conversations of an account that are older than a number of days',
  body: z.object({
    days: z.int().min(1).max(36_500),
    agent_id: z.string().min(1).max(200).exactOptional(),
  }),
  async handle({ platform, principal, body: { days, agent_id: agentId } }) {
    const { conversations } = await platform.conversations.purge({
      accountId: accountOfPrincipal(principal),
      olderThan: edgeOf(platform).clock.now() - days * DAY,
      ...(agentId === undefined ? {} : { agentId }),
    })
    return { status: 200, json: { conversations } }
  },
})

/** The routes about stored data that only people may use (PE11 and PE12). */
export const peopleRecordRoutes: readonly Route[] = [
  eraseConversation,
  readHealth,
  readUnanswered,
  listNewest,
  readTranscript,
  writeConversationNote,
  readRetention,
  purgeConversations,
  ...peopleVisitorRoutes,
  ...peopleViewRoutes,
]
