import { publicId } from '../../domain/conversation/conversation-key.ts'
import { createHealth, type Health } from '../../domain/conversation/health.ts'
import type { AgentId, ConversationId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import type { RecordFilter } from '../../ports/store/records.ts'
import type { Context } from '../context.ts'
import { turnPages } from './read-record.ts'
import { sampleSlices } from './read-records.ts'

/** Conversations that are looked at where there are more: a random sample of so many tells the same. */
const HEALTH_SAMPLE = 500

/**
 * Returns the agent's health figures over the conversations that the filter selects, or over a random sample of them
 * (RC70). The turns are read a slice at a time, and none is kept. @throws SCHEMA_VALIDATION_FAILED for an invalid
 * filter
 */
export async function readHealth(
  context: Context,
  filter: RecordFilter & { readonly agentId: AgentId },
  limit: number = HEALTH_SAMPLE,
): Promise<Health> {
  const sum = createHealth()
  const add = async (id: ConversationId): Promise<void> => {
    for await (const turns of turnPages(context, filter.accountId, filter.agentId, publicId(id)))
      sum.addTurns(turns.map(({ details, record }) => ({ details: details.value, record: record.value })))
  }
  for await (const { records } of sampleSlices(context, filter, limit))
    for (const { id, json } of records) {
      try {
        await add(id)
        sum.addConversation(json.summary.value)
      } catch (error) {
        // Removed since it was drawn.
        if (!isPlatformError(error) || error.code !== 'CONVERSATIONS_NOT_FOUND') throw error
      }
    }
  return sum.figures()
}
