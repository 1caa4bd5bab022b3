import type { RecordFilter, RecordPage, RecordPosition } from '../../ports/conversation-store.ts'
import type { Context } from '../context.ts'
import { refuseFilter } from './refuse-filter.ts'

/** A page of conversation records (decisions.md section 5). @throws SCHEMA_VALIDATION_FAILED */
export async function readRecords(
  { store }: Pick<Context, 'store'>,
  filter: RecordFilter,
  from: RecordPosition,
  limit: number,
): Promise<RecordPage> {
  refuseFilter(filter)
  return store.conversations.records(filter, from, limit)
}

/** Records drawn at random (decisions.md section 5; RC42). @throws SCHEMA_VALIDATION_FAILED */
export async function sampleRecords(
  { store }: Pick<Context, 'store'>,
  filter: RecordFilter,
  limit: number,
): Promise<RecordPage['records']> {
  refuseFilter(filter)
  return store.conversations.sample(filter, limit)
}
