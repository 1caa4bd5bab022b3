import type { SummaryStore } from '../../ports/store/summaries.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { HANDOFF_SUMMARY } from '../kinds.ts'
import { CONVERSATION } from './kinds.ts'

/** Summaries of conversations for live agents. */
export const summariesOver = ({ decided, first, one, scan }: Guarded): SummaryStore => ({
  find: id => one(HANDOFF_SUMMARY, id),
  save: (summary, expectedVersion) =>
    decided<'saved' | 'stale' | 'missing'>(async () => {
      const held = await one(CONVERSATION, summary.conversationId)
      if (held?.index.accountId !== summary.accountId) return { result: 'missing' }
      return {
        when: [
          { kind: HANDOFF_SUMMARY, id: summary.id, version: expectedVersion },
          // A summary must not outlive a conversation that is being removed.
          unchanged(CONVERSATION, held),
        ],
        put: [{ kind: HANDOFF_SUMMARY, value: summary }],
        result: 'saved',
        refused: place => (place === 0 ? 'stale' : undefined),
      }
    }),
  due: (now, limit) => scan(HANDOFF_SUMMARY, 'due', { prefix: [], through: now, limit }),
  nextDue: async () => (await first(HANDOFF_SUMMARY, 'due', []))?.dueAt ?? null,
})
