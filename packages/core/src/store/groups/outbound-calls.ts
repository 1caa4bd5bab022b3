import type { OutboundCallStore } from '../../ports/store/outbound-calls.ts'
import type { Guarded } from '../guarded.ts'
import { OUTBOUND_CALL } from '../kinds.ts'

/** Calls that agents make. */
export const outboundCallsOver = ({ first, one, save, scan, write }: Guarded): OutboundCallStore => ({
  find: id => one(OUTBOUND_CALL, id),
  save: async (call, expectedVersion) =>
    (await save(OUTBOUND_CALL, call, expectedVersion)) ? 'saved' : 'stale',
  due: (now, limit) => scan(OUTBOUND_CALL, 'due', { prefix: [], through: now, limit }),
  nextDue: async () => (await first(OUTBOUND_CALL, 'due', []))?.dueAt ?? null,
  async remove(id, version) {
    const of = { kind: OUTBOUND_CALL, id }
    return (await write({ when: [{ ...of, version }], remove: [of] })) === null
  },
})
