import type { Count, SideCount, ValueCount } from '../../domain/alert/counters.ts'
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

/** Returns the sums by deployment and value. */
function summedBySide(counts: readonly SideCount[]): readonly SideCount[] {
  const sides = [...new Set(counts.map(({ deploymentId }) => deploymentId))]
  return sides.flatMap(deploymentId =>
    summed(counts.filter(one => one.deploymentId === deploymentId)).map(sum =>
      deploymentId === undefined ? sum : { ...sum, deploymentId },
    ),
  )
}

/** Groups counts by the document that keeps them. */
function minutesOf(counts: readonly Count[]): readonly CountedMinute[] {
  const minutes = new Map<string, CountedMinute & { readonly values: SideCount[] }>()
  for (const { count, deploymentId, value, ...of } of counts) {
    const id = COUNTER.id(versioned({ ...of, values: [] }))
    const minute = minutes.get(id) ?? { ...of, values: [] }
    minute.values.push({ value, count, ...(deploymentId !== undefined && { deploymentId }) })
    minutes.set(id, minute)
  }
  return [...minutes.values()].map(minute => ({ ...minute, values: summedBySide(minute.values) }))
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
              value: changed<CountedMinute>(before, {
                values: summedBySide([...before.values, ...minute.values]),
              }),
            }
      })
      const put = next.map(({ value }) => ({ kind: COUNTER, value }))
      return { when: next.map(({ when }) => when), put, result: undefined }
    })
  },
  async sum({ accountId, agentId, deploymentId, name, from }) {
    const found = await scan(COUNTER, 'account', { prefix: [accountId, name], from })
    const own = found.flatMap(one => (agentId === undefined || one.agentId === agentId ? one.values : []))
    return summed(own.filter(one => deploymentId === undefined || one.deploymentId === deploymentId))
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
