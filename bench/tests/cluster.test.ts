import { expect, it } from 'vitest'
import { bend, loadPerTurn, modelOf, type Plan, plansUntil, type Times } from '../simulation/cluster.ts'
import { simulate } from '../simulation/queues.ts'

const TIMES: Times = {
  ...{ nodePerTurn: 400, databasePerTurn: 600, busPerNotice: 2, nodePerNotice: 5 },
  ...{ noticesPerTurn: 3, heardElsewhere: 0.5, network: 100 },
}
const PLAN: Plan = { nodes: 3, databases: 1, coresOfDatabase: 4, buses: 1 }

it('each part is as busy in the simulation as its load says', () => {
  const perSecond = 4_000
  const load = loadPerTurn(PLAN, TIMES)
  const { stations } = simulate(modelOf(PLAN, TIMES, perSecond), { seed: 1, jobs: 50_000 })
  const busy = (name: string): number => {
    const some = stations.filter(one => one.name.startsWith(name))
    return some.reduce((sum, one) => sum + one.busy, 0) / some.length
  }
  expect(busy('node') / (load.nodes * perSecond)).toBeCloseTo(1, 1)
  expect(busy('database') / (load.databases * perSecond)).toBeCloseTo(1, 1)
  expect(busy('bus') / (load.buses * perSecond)).toBeCloseTo(1, 1)
})

it('what bends first is what is busiest at every rate', () => {
  expect(bend(PLAN, TIMES, 0.7).part).toBe('databases')
  expect(bend({ ...PLAN, databases: 4 }, TIMES, 0.7).part).toBe('nodes')
  expect(bend({ ...PLAN, databases: 40, nodes: 400 }, TIMES, 0.7).part).toBe('buses')
  expect(bend(PLAN, TIMES, 1).perSecond).toBeCloseTo(4e6 / 600)
})

it('a plan has twice as much of what bent before, and only the last carries the target', () => {
  const plans = plansUntil(PLAN, TIMES, { perSecond: 10_000, share: 0.7 })
  const carried = plans.map(plan => bend(plan, TIMES, 0.7).perSecond)
  expect(carried.findIndex(perSecond => perSecond >= 10_000)).toBe(plans.length - 1)
  for (const [index, plan] of plans.slice(1).entries()) {
    const before = plans[index] ?? PLAN
    const { part } = bend(before, TIMES, 0.7)
    expect(plan).toEqual({ ...before, [part]: before[part] * 2 })
  }
})

it('the nearer the load comes to what bends, the longer turns take', () => {
  const p99 = [0.3, 0.7, 0.95].map(
    share =>
      simulate(modelOf(PLAN, TIMES, bend(PLAN, TIMES, share).perSecond), { seed: 2, jobs: 20_000 }).p99,
  )
  expect(p99).toEqual([...p99].sort((one, other) => one - other))
  expect((p99[2] ?? 0) / (p99[0] ?? 0)).toBeGreaterThan(2)
})
