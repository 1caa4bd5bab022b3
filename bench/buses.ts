import pg from 'pg'
import * as z from 'zod'
import { buildWhatIsOld } from '../scripts/build.ts'
import { BUSES, type BusKind } from './buses/kinds.ts'
import { serverCpu } from './buses/server-cpu.ts'
import { type Child, CORE, startChild, withScripts } from './child.ts'
import { serverSchema } from './messaging/dialect.ts'
import { DATABASE } from './servers.ts'
import { NODE_UNITS, NODES_ROW, NOTICE_UNITS, NOTICES_ROW } from './table/bus-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'

const SCRIPTS = ['buses/peer.ts', 'buses/node-server.ts', 'buses/visitors.ts'] as const

const KINDS = Object.keys(BUSES) as BusKind[]

/** Load that a bus easily carries, so that nothing waits. */
const MODERATE = 200
const SESSIONS = 50
const TURNS_PER_SECOND = 50

const sentSchema = z.object({ sent: z.number(), milliseconds: z.number() })
const heardSchema = z.object({ heard: z.number(), latencies: z.array(z.number()) })
const talkSchema = z.object({
  come: z.array(z.object({ send: z.number(), echo: z.number(), own: z.number() })),
  lost: z.number(),
})

type Figures<Units> = Readonly<Record<keyof Units, number>>

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN

const later = (milliseconds: number): Promise<void> =>
  new Promise(resolve => void setTimeout(resolve, milliseconds))

const prefixOf = (kind: BusKind): string => `bench_${kind}_${process.pid}_${Date.now().toString(36)}`

/** Long enough for connections and subscriptions to stand. */
const SETTLE = 1_000

async function measureNotices(
  script: string,
  kind: BusKind,
  seconds: number,
): Promise<Figures<typeof NOTICE_UNITS>> {
  const job = { kind, prefix: prefixOf(kind) }
  const listener = await startChild(script, { ...job, role: 'listener' }, CORE.load)
  const sender = await startChild(script, { ...job, role: 'sender' }, CORE.server)
  const children: readonly Child[] = [sender, listener]
  try {
    await later(SETTLE)
    const send = async (notices: string, duration: number) =>
      sentSchema.parse(await sender.ask({ notices, seconds: duration, perSecond: MODERATE }))
    const hear = async () => {
      await later(SETTLE / 2)
      return heardSchema.parse(await listener.ask('heard'))
    }
    const cpu = async (): Promise<number> => {
      const each = await Promise.all(children.map(async child => z.number().parse(await child.ask('cpu'))))
      return each.reduce((sum, one) => sum + one, 0)
    }
    await send('as many as possible', 0.5)
    await hear()
    const [before, serverBefore] = [await cpu(), await serverCpu(BUSES[kind].url)]
    const flood = await send('as many as possible', seconds)
    const [after, serverAfter] = [await cpu(), await serverCpu(BUSES[kind].url)]
    const first = await hear()
    const trickle = await send('at a rate', seconds)
    const second = await hear()
    return {
      perSecond: (flood.sent * 1_000) / flood.milliseconds,
      cpu: (after - before) / flood.sent,
      server:
        serverBefore === null || serverAfter === null
          ? Number.NaN
          : (serverAfter - serverBefore) / flood.sent,
      p50: quantile(second.latencies, 0.5),
      p99: quantile(second.latencies, 0.99),
      lost: flood.sent + trickle.sent - first.latencies.length - second.latencies.length,
    }
  } finally {
    await Promise.all(children.map(child => child.stop()))
  }
}

async function measureNodes(
  { node, visitors }: { readonly node: string; readonly visitors: string },
  kind: BusKind,
  seconds: number,
): Promise<Figures<typeof NODE_UNITS>> {
  const job = { kind, prefix: prefixOf(kind), schema: prefixOf(kind) }
  const children: Child[] = []
  const begin = async (script: string, argument: unknown, core: number): Promise<Child> => {
    const child = await startChild(script, argument, core)
    children.unshift(child)
    return child
  }
  try {
    const first = serverSchema.parse((await begin(node, { ...job, first: true }, CORE.server)).ready)
    const other = serverSchema.parse((await begin(node, { ...job, first: false }, CORE.server)).ready)
    const load = await begin(visitors, { ...first, otherPort: other.port, sessions: SESSIONS }, CORE.load)
    await load.ask({ perSecond: TURNS_PER_SECOND, seconds: 1 })
    const { come, lost } = talkSchema.parse(await load.ask({ perSecond: TURNS_PER_SECOND, seconds }))
    const of = (which: 'send' | 'echo' | 'own', share: number): number =>
      quantile(
        come.map(one => one[which]),
        share,
      )
    return {
      ...{ sendP50: of('send', 0.5), sendP99: of('send', 0.99) },
      ...{ echoP50: of('echo', 0.5), echoP99: of('echo', 0.99) },
      ...{ ownP50: of('own', 0.5), lost },
    }
  } finally {
    for (const child of children) await child.stop()
    const client = new pg.Client({ connectionString: DATABASE })
    await client.connect()
    await client.query(`drop schema if exists ${job.schema} cascade`)
    await client.end()
  }
}

/** Rounds of all buses in turn. */
async function inTurn<Round>(rounds: number, measure: (kind: BusKind) => Promise<Round>) {
  const found = new Map<BusKind, Round[]>(KINDS.map(kind => [kind, []]))
  for (let round = 0; round < rounds; round++)
    for (const index of KINDS.keys()) {
      const kind = KINDS[(index + round) % KINDS.length] ?? 'redis'
      found.get(kind)?.push(await measure(kind))
    }
  return found
}

/** One result for each bus and unit; a figure that could not be seen is left out. */
function resultsOf<Units extends Readonly<Record<string, string>>>(
  row: string,
  units: Units,
  found: ReadonlyMap<BusKind, readonly Figures<Units>[]>,
): readonly Result[] {
  return [...found].flatMap(([kind, rounds]) =>
    (Object.keys(units) as (keyof Units & string)[]).flatMap(figure => {
      const values = rounds.map(round => round[figure]).filter(value => !Number.isNaN(value))
      const unit = units[figure] ?? figure
      return values.length === 0 ? [] : [resultOf({ row, variant: BUSES[kind].name, unit }, values)]
    }),
  )
}

/**
 * Notices of each bus between two processes: how many a second, what each costs, and how long one takes when there are
 * few. Then two nodes over PostgreSQL and each bus, with 50 visitors who have a socket on both of them: what one says on
 * the first, until it is on the second.
 */
export async function measureBuses({ rounds = 3, seconds = 5 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const results: Result[] = []
  await withScripts(SCRIPTS, async madeOf => {
    const [peer, node, visitors] = [madeOf(SCRIPTS[0]), madeOf(SCRIPTS[1]), madeOf(SCRIPTS[2])]
    const notices = await inTurn(rounds, kind => measureNotices(peer, kind, seconds))
    const nodes = await inTurn(rounds, kind => measureNodes({ node, visitors }, kind, seconds))
    results.push(...resultsOf(NOTICES_ROW, NOTICE_UNITS, notices), ...resultsOf(NODES_ROW, NODE_UNITS, nodes))
  })
  return results
}
