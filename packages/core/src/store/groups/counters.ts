import type { Count, ValueCount } from '../../domain/alert/counters.ts'
import type { CounterStore } from '../../ports/store/counters.ts'
import { absent, changed, type Guarded, unchanged, versioned } from '../guarded.ts'
import { COUNTER, type CountedMinute } from '../kinds.ts'

/** Returns the sums by value, ascending. */
function summed(counts: readonly ValueCount[]): readonly ValueCount[] {
  const sums = new Map<number, number>()
  for (const { value, count } of counts) sums.set(value, count + (sums.get(value) ?? 0))
  const values = [...sums].map(([value, count]) => ({ value, count }))
  return values.sort((one, other) => one.value - other.value)
}

/** Groups counts by the document that keeps them. */
function minutesOf(counts: readonly Count[]): readonly CountedMinute[] {
  const minutes = new Map<string, CountedMinute & { readonly values: ValueCount[] }>()
  for (const { count, value, ...of } of counts) {
    const id = COUNTER.id(versioned({ ...of, values: [] }))
    const minute = minutes.get(id) ?? { ...of, values: [] }
    minute.values.push({ value, count })
    minutes.set(id, minute)
  }
  return [...minutes.values()].map(minute => ({ ...minute, values: summed(minute.values) }))
}

/** Counters. */
export const countersOver = ({ decided, get, scan }: Guarded): CounterStore => ({
  async add(counts) {
    const minutes = minutesOf(counts)
    const ids = minutes.map(minute => COUNTER.id(versioned(minute)))
    if (minutes.length === 0) return
    await decided(async () => {
      const known = await get(COUNTER, ids)
      const next = minutes.map((minute, at) => {
        const before = known[at] ?? null
        return before === null
          ? { when: absent(COUNTER, ids[at] ?? ''), value: versioned(minute) }
          : {
              when: unchanged(COUNTER, before),
              value: changed<CountedMinute>(before, { values: summed([...before.values, ...minute.values]) }),
            }
      })
      const put = next.map(({ value }) => ({ kind: COUNTER, value }))
      return { when: next.map(({ when }) => when), put, result: undefined }
    })
  },
  async sum({ accountId, agentId, name, from }) {
    const found = await scan(COUNTER, 'account', { prefix: [accountId, name], from })
    return summed(
      found.flatMap(minute => (agentId === undefined || minute.agentId === agentId ? minute.values : [])),
    )
  },
  forget: (before, limit) =>
    decided(async () => {
      const old = await scan(COUNTER, 'time', { prefix: [], through: before - 1, limit })
      if (old.length === 0) return { result: 0 }
      return {
        when: old.map(one => unchanged(COUNTER, one)),
        remove: old.map(one => ({ kind: COUNTER, id: COUNTER.id(one) })),
        result: old.length,
      }
    }),
})
