import * as z from 'zod'
import type { Model, Visit } from './queues.ts'

const micro = z.number().positive()

/** Costs of one piece of work, and the number of them in a turn. CPU times in microseconds. */
export const timesSchema = z.strictObject({
  /** CPU of a node for a turn. */
  nodePerTurn: micro,
  /** CPU of the database for a turn. */
  databasePerTurn: micro,
  /** CPU of the server of the bus for a notice. */
  busPerNotice: micro,
  /** CPU of a node that hears a notice. */
  nodePerNotice: micro,
  /** Notices of a turn. */
  noticesPerTurn: z.number().int().positive(),
  /** Share of turns that somebody hears on another node, 0 to 1. */
  heardElsewhere: z.number().min(0).max(1),
  /** From one machine to another. */
  network: micro,
})

/** Costs of one piece of work. */
export type Times = z.output<typeof timesSchema>

/** Numbers of processes and servers. */
export interface Plan {
  /** Processes of the platform, each with a core. */
  readonly nodes: number
  /** Databases, each with its part of the conversations. */
  readonly databases: number
  readonly coresOfDatabase: number
  /** Servers of the bus, each with its part of the topics, and one thread. */
  readonly buses: number
}

/** A part that can run short. */
export type Part = 'nodes' | 'databases' | 'buses'

/** Share of its time in which a part works, for each turn a second. */
export function loadPerTurn(
  { nodes, databases, coresOfDatabase, buses }: Plan,
  { nodePerTurn, nodePerNotice, databasePerTurn, busPerNotice, noticesPerTurn, heardElsewhere }: Times,
): Readonly<Record<Part, number>> {
  const node = nodePerTurn + heardElsewhere * noticesPerTurn * nodePerNotice
  return {
    nodes: node / nodes / 1e6,
    databases: databasePerTurn / (databases * coresOfDatabase) / 1e6,
    buses: (noticesPerTurn * busPerNotice) / buses / 1e6,
  }
}

/** Returns the busiest part, and the turns a second that keep it busy for that share of its time. */
export function bend(
  plan: Plan,
  times: Times,
  share: number,
): { readonly part: Part; readonly perSecond: number } {
  const load = loadPerTurn(plan, times)
  const parts: readonly Part[] = ['nodes', 'databases', 'buses']
  const part = parts.reduce((busiest, one) => (load[one] > load[busiest] ? one : busiest))
  return { part, perSecond: share / load[part] }
}

/** Plans from a first one to one that carries the target: each has twice as much of what was busiest before. */
export function plansUntil(
  first: Plan,
  times: Times,
  { perSecond, share }: { readonly perSecond: number; readonly share: number },
) {
  const plans: Plan[] = [first]
  for (let plan = first; ; ) {
    const { part, perSecond: carried } = bend(plan, times, share)
    if (carried >= perSecond) return plans
    plan = { ...plan, [part]: plan[part] * 2 }
    plans.push(plan)
  }
}

const EVEN = 'exponential'

/**
 * Turns as they go through queues: a node takes a message in and its partition of the database writes it, the node
 * answers and the answer is written, notices go over the bus, and where somebody listens on another node it hears them.
 */
export function modelOf(plan: Plan, times: Times, perSecond: number): Model {
  const { nodes, databases, coresOfDatabase, buses } = plan
  const stations = [
    ...Array.from({ length: nodes }, (_, at) => ({ name: `node ${at + 1}`, servers: 1 })),
    ...Array.from({ length: databases }, (_, at) => ({
      name: `database ${at + 1}`,
      servers: coresOfDatabase,
    })),
    ...Array.from({ length: buses }, (_, at) => ({ name: `bus ${at + 1}`, servers: 1 })),
  ]
  const { noticesPerTurn, network } = times
  return {
    stations,
    perSecond,
    path(random) {
      const pick = (count: number): number => Math.floor(random() * count)
      const node = pick(nodes)
      const database = nodes + pick(databases)
      const work = (station: number, time: number, delay: number): Visit => ({
        station,
        work: time,
        spread: EVEN,
        delay,
      })
      const half = [
        work(node, times.nodePerTurn / 2, network),
        work(database, times.databasePerTurn / 2, network),
      ]
      const bus = work(nodes + databases + pick(buses), noticesPerTurn * times.busPerNotice, network)
      const heard = work(pick(nodes), noticesPerTurn * times.nodePerNotice, network)
      return [...half, ...half, bus, ...(random() < times.heardElsewhere ? [heard] : [])]
    },
  }
}
