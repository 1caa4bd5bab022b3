import type { ConversationStore } from '../../ports/store/conversations.ts'
import type { OutboundCallStore } from '../../ports/store/outbound-calls.ts'
import type { TextPairStore } from '../../ports/store/text-pairs.ts'
import type { Guarded } from '../guarded.ts'
import type { UnderWay } from '../under-way.ts'
import { externalEventsOver } from './external-events.ts'
import { filesOver } from './files.ts'
import { handoffsOver } from './handoffs.ts'
import { intervalsOver } from './intervals.ts'
import { CONVERSATION } from './kinds.ts'
import { logsOver } from './logs.ts'
import { messageKeysOver } from './message-keys.ts'
import { notesOver } from './notes.ts'
import type { Numbers } from './numbers.ts'
import type { Packing } from './packing.ts'
import { READ_AT_ONCE } from './placing.ts'
import { createRecent } from './recent.ts'
import { recordingsOver } from './recordings.ts'
import { recordsOver } from './records.ts'
import { removalsOver } from './removals.ts'
import { summariesOver } from './summaries.ts'
import { timersOver } from './timers.ts'
import { turnVectorsOver } from './turn-vectors.ts'
import { visitorsOver } from './visitors.ts'
import { writesOver } from './writes.ts'

/** Conversations that are kept as documents. */
export function conversationsOver(
  over: Guarded,
  { watched, watchedAsGiven }: UnderWay,
  { numbers, packing }: { readonly numbers: Numbers; readonly packing: Packing },
  others: { readonly textPairs: TextPairStore; readonly outboundCalls: OutboundCallStore },
): ConversationStore {
  const recent = createRecent()
  const own = {
    ...logsOver(over, recent),
    async listOpen(agentId: string): Promise<readonly string[]> {
      const ids = []
      for await (const { id } of over.each(CONVERSATION, 'open', { prefix: [agentId], limit: READ_AT_ONCE }))
        ids.push(id)
      return ids
    },
  }
  return {
    ...watched(own),
    ...watchedAsGiven(writesOver(over, numbers, packing, recent)),
    timers: watched(timersOver(over)),
    externalEvents: watched(externalEventsOver(over)),
    handoffs: watched(handoffsOver(over)),
    records: watched(recordsOver(over, numbers.random)),
    intervals: watched(intervalsOver(over, packing)),
    turnVectors: watched(turnVectorsOver(over)),
    messageKeys: watched(messageKeysOver(over)),
    notes: watched(notesOver(over)),
    summaries: watched(summariesOver(over)),
    files: watched(filesOver(over)),
    recordings: watched(recordingsOver(over)),
    removals: watched(removalsOver(over, numbers, packing)),
    visitors: watched(visitorsOver(over)),
    ...others,
  }
}
