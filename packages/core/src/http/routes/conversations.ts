import type * as z from 'zod'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import { RECORD_DESCRIPTIONS } from '../../domain/conversation/project-record.ts'
import { v1RecordBeginning, v3RecordBeginning } from '../../domain/conversation/record-text.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import type { RecordPage, RecordPageStart } from '../../ports/store/records.ts'
import { defineRoute } from '../route.ts'
import {
  noQuery,
  type RecordScope,
  readingParams,
  readingScope,
  recordFilter,
  recordParams,
  scopeIds,
  v1ListQuery,
  v3ListQuery,
} from './conversation-query.ts'
import { recordAnswer, recordList, V3_RECORD } from './record-list.ts'
import { modeOf } from './retrieval-mode.ts'

const DESCRIPTIONS = JSON.stringify({ conversations: RECORD_DESCRIPTIONS })

/** Start of the first page. */
const BEGINNING: RecordPageStart = { offset: 0 }

/** The v1 list: filters and offsets (contract/conversations.md, v1 list). */
const listV1 = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/:project_id/conversations',
  family: 'conversations-v1',
  credential: 'project',
  operation: 'listConversationsV1',
  summary: 'List conversation records with filters and offset pagination',
  params: readingParams,
  query: v1ListQuery,
  body: null,
  scope: readingScope,
  async handle({ platform, query, ...scope }) {
    const { limit, offset } = query
    return recordList(platform.reading.slices(recordFilter(scope, query), { offset }, limit), limit, {
      beginning: v1RecordBeginning,
      turns: turnsOf(platform, scope),
      endOf: ({ more }, records) =>
        `,"descriptions":${DESCRIPTIONS}${more ? `,"next_offset":${offset + records}` : ''}`,
    })
  },
})

/** The v3 list: filters and a cursor that no new conversation shifts (contract/conversations.md). */
const listV3 = defineRoute({
  method: 'GET',
  path: '/v3/:account_id/:project_id/conversations',
  family: 'conversations-v3',
  credential: 'project',
  operation: 'listConversations',
  summary: 'List conversation records with filters and cursor pagination',
  params: readingParams,
  query: v3ListQuery,
  body: null,
  scope: readingScope,
  async handle({ platform, query, ...scope }) {
    const { type, ...condition } = modeOf(query)
    const filter = recordFilter(scope, query)
    const from = beginningOf(query)
    const slices =
      type === 'sample'
        ? platform.reading.sample(filter, query.limit)
        : platform.reading.slices({ ...filter, ...condition }, from, query.limit)
    return recordList(slices, query.limit, {
      beginning: v3RecordBeginning,
      turns: turnsOf(platform, scope),
      endOf: (last, records) =>
        `,"cursor":${JSON.stringify(cursorAfter(last))}${nextOffset(query.offset, last, records)}`,
    })
  },
})

/** One conversation with its whole transcript (contract/conversations.md). */
const readV3 = defineRoute({
  method: 'GET',
  path: '/v3/:account_id/:project_id/conversations/:conversation_id',
  family: 'conversations-v3',
  credential: 'project',
  operation: 'readConversation',
  summary: 'Read one conversation record with its transcript',
  params: recordParams,
  query: noQuery,
  body: null,
  scope: readingScope,
  async handle({ platform, params, ...scope }) {
    const { accountId, agentId } = scopeIds(scope)
    const record = await platform.reading.record(accountId, agentId, params.conversation_id)
    if (record === null) {
      throw new PlatformError('CONVERSATIONS_NOT_FOUND', 'The project has no conversation of that ID.')
    }
    return recordAnswer(record, V3_RECORD, () => turnsOf(platform, scope)(params.conversation_id))
  },
})

/** Conversation records: v1 list, v3 list, v3 record. */
export const conversationRoutes = [listV1, listV3, readV3] as const

/** Reads the turns of the agent's conversations that are longer than a slice. */
const turnsOf = (platform: Platform, scope: RecordScope) => (id: ConversationId) => {
  const { accountId, agentId } = scopeIds(scope)
  return platform.reading.turns(accountId, agentId, id)
}

/**
 * Where a v3 page begins.
 * @throws SCHEMA_VALIDATION_FAILED for a cursor together with an offset, which would be two positions
 */
function beginningOf({ cursor, offset }: z.output<typeof v3ListQuery>): RecordPageStart {
  if (cursor === undefined) return offset === undefined ? BEGINNING : { offset }
  if (offset === undefined) return positionOf(cursor)
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    'cursor and offset cannot be combined: give one of them.',
  )
}

/** A reader by offset is told the next offset while there are further records. */
const nextOffset = (offset: number | undefined, { more }: RecordPage, records: number): string =>
  offset !== undefined && more ? `,"next_offset":${offset + records}` : ''

function positionOf(cursor: string): RecordPageStart {
  const position = decodeCursor(cursor)
  if (position === null) {
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'cursor is malformed: pass the cursor of the previous page unchanged.',
    )
  }
  return { after: position }
}

function cursorAfter({ records, more }: RecordPage): string | null {
  const last = records.at(-1)
  return more && last !== undefined ? encodeCursor(last) : null
}
