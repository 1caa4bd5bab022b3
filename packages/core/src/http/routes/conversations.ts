import type * as z from 'zod'
import { type Brand, brandedDuration, withBrandedField } from '../../domain/brand.ts'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import { RECORD_DESCRIPTIONS } from '../../domain/conversation/project-record.ts'
import {
  beforeFunctionEvents,
  brandedRecord,
  v1RecordBeginning,
  v3RecordBeginning,
  withoutLatency,
} from '../../domain/conversation/record-text.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import type { RecordPage, RecordPageStart } from '../../ports/store/records.ts'
import { defineRoute } from '../route.ts'
import {
  type RecordScope,
  readingParams,
  readingScope,
  recordFilter,
  recordParams,
  scopeIds,
  v1ListQuery,
  v3ListQuery,
  v3RecordQuery,
} from './conversation-query.ts'
import { recordAnswer, recordList, V3_RECORD } from './record-list.ts'
import { modeOf } from './retrieval-mode.ts'

const descriptionsOf = (brand: Brand): string =>
  JSON.stringify({
    conversations: withBrandedField(RECORD_DESCRIPTIONS, 'ai_duration', brandedDuration(brand, '_duration')),
  })

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
  scope: readingScope,
  async handle({ platform, query, ...scope }) {
    const { limit, offset } = query
    return recordList(platform.reading.slices(recordFilter(scope, query), { offset }, limit), limit, {
      beginning: brandedRecord(platform.settings.brand, v1RecordBeginning),
      turns: turnsOf(platform, scope),
      endOf: ({ more }, records) =>
        `,"descriptions":${descriptionsOf(platform.settings.brand)}${more ? `,"next_offset":${offset + records}` : ''}`,
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
      ...v3Form(platform, query),
      turns: turnsOf(platform, scope),
      endOf: (last, records) =>
        `,"cursor":${JSON.stringify(cursorAfter(last))}${nextOffset(query, last, records)}`,
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
  query: v3RecordQuery,
  scope: readingScope,
  async handle({ platform, params, query, ...scope }) {
    const { accountId, agentId } = scopeIds(scope)
    const record = await platform.reading.record(accountId, agentId, params.conversation_id)
    if (record === null) {
      throw new PlatformError('CONVERSATIONS_NOT_FOUND', 'The project has no conversation of that ID.')
    }
    return recordAnswer(
      record,
      {
        ...V3_RECORD,
        ...v3Form(platform, query),
        beforeEvents: brandedRecord(platform.settings.brand, beforeFunctionEvents),
      },
      () => turnsOf(platform, scope)(params.conversation_id),
    )
  },
})

/** Returns the form of a v3 record: with the brand's field, and without latencies if they are not wanted. */
const v3Form = (
  { settings: { brand } }: Pick<Platform, 'settings'>,
  { include_latency: latency }: { readonly include_latency: boolean },
) => ({
  beginning: brandedRecord(brand, v3RecordBeginning),
  ...(latency ? {} : { turnText: withoutLatency }),
})

/** Conversation records: v1 list, v3 list, v3 record. */
export const conversationRoutes = [listV1, listV3, readV3] as const

/** Reads the turns of the agent's conversations that are longer than a slice. */
const turnsOf = (platform: Platform, scope: RecordScope) => (id: ConversationId) => {
  const { accountId, agentId } = scopeIds(scope)
  return platform.reading.turns(accountId, agentId, id)
}

/** Returns where a v3 page begins. A cursor counts before an offset. */
function beginningOf({ cursor, offset }: z.output<typeof v3ListQuery>): RecordPageStart {
  if (cursor !== undefined) return positionOf(cursor)
  return offset === undefined ? BEGINNING : { offset }
}

/** Returns the next offset for a reader by offset, while there are further records. */
const nextOffset = (
  { cursor, offset }: z.output<typeof v3ListQuery>,
  { more }: RecordPage,
  records: number,
): string =>
  cursor === undefined && offset !== undefined && more ? `,"next_offset":${offset + records}` : ''

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
