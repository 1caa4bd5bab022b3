import { describe } from 'vitest'
import { describeAppends } from './appends.ts'
import { describeConversationValues } from './conversation-values.ts'
import { describeExternalEvents } from './external-events.ts'
import { describeIndexes } from './indexes.ts'
import { describeIntervals } from './intervals.ts'
import { describeLogs } from './logs.ts'
import { describeMessageKeys } from './message-keys.ts'
import { describeOutboundCalls } from './outbound-calls.ts'
import { describeRecordPages } from './record-pages.ts'
import { describeRecordSlices } from './record-slices.ts'
import { describeRecords } from './records.ts'
import { describeRemovals } from './removals.ts'
import { describeSearches } from './searches.ts'
import { describeTextPairs } from './text-pairs.ts'
import { describeTimers } from './timers.ts'
import type { StoreFactory } from './tools.ts'
import { describeTurnVectors } from './turn-vectors.ts'
import { describeWaitingLines } from './waiting-lines.ts'

/**
 * Declares the tests of the `ConversationStore` port (rules SC1 to SC186) for one adapter. To be called in a vitest
 * file.
 */
export function testConversationStore(name: string, factory: StoreFactory): void {
  describe(`${name}: conversation store`, () => {
    describeAppends(factory)
    describeLogs(factory)
    describeTimers(factory)
    describeExternalEvents(factory)
    describeIndexes(factory)
    describeWaitingLines(factory)
    describeRecords(factory)
    describeRecordPages(factory)
    describeRecordSlices(factory)
    describeSearches(factory)
    describeIntervals(factory)
    describeConversationValues(factory)
    describeRemovals(factory)
    describeTurnVectors(factory)
    describeTextPairs(factory)
    describeMessageKeys(factory)
    describeOutboundCalls(factory)
  })
}
