import type { Count } from '../../domain/alert/counters.ts'
import type { CounterStore } from '../../ports/store/counters.ts'
import { absent, changed, type Guarded, unchanged, versioned } from '../guarded.ts'
import { COUNTER } from '../kinds.ts'

/** Counters. */
export const countersOver = ({ decided, get, scan }: Guarded): CounterStore => ({
  async add(counts) {
    const added = new Map<string, Count>()
    for (const one of counts) {
      const id = COUNTER.id(versioned(one))
      added.set(id, { ...one, count: one.count + (added.get(id)?.count ?? 0) })
    }
    if (added.size === 0) return
    await decided(async () => {
      const known = await get(COUNTER, [...added.keys()])
      const values = [...added.values()].map((one, at) => {
        const before = known[at] ?? null
        return before === null ? versioned(one) : changed<Count>(before, { count: before.count + one.count })
      })
      const when = [...added.keys()].map((id, at) => {
        const before = known[at] ?? null
        return before === null ? absent(COUNTER, id) : unchanged(COUNTER, before)
      })
      return { batch: { when, put: values.map(value => ({ kind: COUNTER, value })) }, result: undefined }
    })
  },
  async sum({ accountId, agentId, name, from }) {
    const found = await scan(COUNTER, 'account', { prefix: [accountId, name], from })
    const sums = new Map<number, number>()
    for (const one of found)
      if (agentId === undefined || one.agentId === agentId)
        sums.set(one.value, one.count + (sums.get(one.value) ?? 0))
    const values = [...sums].map(([value, count]) => ({ value, count }))
    return values.sort((one, other) => one.value - other.value)
  },
  forget: (before, limit) =>
    decided(async () => {
      const old = await scan(COUNTER, 'time', { prefix: [], through: before - 1, limit })
      const batch = {
        when: old.map(one => unchanged(COUNTER, one)),
        remove: old.map(one => ({ kind: COUNTER, id: COUNTER.id(one) })),
      }
      return { batch: old.length === 0 ? null : batch, result: old.length }
    }),
})
