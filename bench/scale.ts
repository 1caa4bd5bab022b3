import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  bend,
  loadPerTurn,
  modelOf,
  type Plan,
  plansUntil,
  type Times,
  timesSchema,
} from './simulation/cluster.ts'
import { simulate } from './simulation/queues.ts'

/** Turns a second that the last plan carries. */
const TARGET = 10_000

/** Highest load of a part. Up to about this value queues are short. */
const SHARE = 0.7

/** Loads of the busiest part at which a plan is simulated. */
const LOOKS = [0.35, 0.7, 0.9, 0.97] as const
const JOBS = 40_000
const SEED = 20_260_105

const FIRST: Plan = { nodes: 3, databases: 1, coresOfDatabase: 8, buses: 1 }

const many = (value: number): string => Math.round(value).toLocaleString('en-GB')
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
const milliseconds = (micro: number): string => (micro / 1_000).toFixed(1)

const named = ({ nodes, databases, coresOfDatabase, buses }: Plan): string =>
  `${nodes} nodes, ${databases} × ${coresOfDatabase} cores of database, ${buses} of the bus`

/** One plan: what bends, and how long turns take the nearer the load comes to it. */
function printPlan(plan: Plan, times: Times): void {
  const { part, perSecond } = bend(plan, times, SHARE)
  console.log(`\n${named(plan)}: ${part} bend first, ${percent(SHARE)} busy at ${many(perSecond)} turns/s`)
  const load = loadPerTurn(plan, times)
  for (const look of LOOKS) {
    const rate = bend(plan, times, look).perSecond
    const found = simulate(modelOf(plan, times, rate), { seed: SEED, jobs: JOBS })
    const busy = (['nodes', 'databases', 'buses'] as const)
      .map(one => `${one} ${percent(load[one] * rate).padStart(5)}`)
      .join('  ')
    const took = `p50 ${milliseconds(found.p50).padStart(6)} ms  p99 ${milliseconds(found.p99).padStart(6)} ms`
    console.log(`  ${many(rate).padStart(7)} turns/s  ${busy}  ${took}`)
  }
}

/**
 * Simulates plans from three nodes on to one that carries 10,000 turns a second, each with twice as much of what bent
 * before. @param file of other times, JSON as in `simulation/times.json`
 */
export async function benchScale(file = join(import.meta.dirname, 'simulation/times.json')): Promise<void> {
  const times = timesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  console.log('\nScale: a simulation with these times, CPU in microseconds')
  for (const [name, value] of Object.entries(times)) console.log(`  ${name} ${value}`)
  for (const plan of plansUntil(FIRST, times, { perSecond: TARGET, share: SHARE })) printPlan(plan, times)
}
