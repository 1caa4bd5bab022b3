import * as z from 'zod'
import { buildWhatIsOld } from '../scripts/build.ts'
import { type Child, CORE, startChild, withScripts } from './child.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'

/** Requests that are measured in a round; half as many go before them as a warm-up. */
const REQUESTS = 30_000

/** Keep-alive connections of the load, with one request at a time on each. */
const CONNECTIONS = 64

/** Turns of a variant in a round. */
const SLICES = 20
const SLICE = REQUESTS / SLICES

/** In the order of the table; what they do is in `http-servers.ts`. */
const VARIANTS = ['bare', 'listener', 'express', 'mounted', 'prototypes'] as const
type Variant = (typeof VARIANTS)[number]

/** Ratios that the goals use: how much less CPU the first takes than the second. */
const RATIOS: Readonly<Record<string, readonly [of: Variant, against: Variant]>> = {
  'own listener of bare node:http': ['listener', 'bare'],
  'mounted of Express doing the same': ['mounted', 'express'],
  'prototypes set at construction of Express': ['prototypes', 'express'],
}

const answerSchema = z.object({ answer: z.string() })

/** The processes of one variant, and what was measured in a round. */
interface Pair {
  readonly variant: Variant
  readonly server: Child
  readonly load: Child
  cpuMicroseconds: number
  milliseconds: number
}

/** The same in a ring, from another place on. */
const turned = <Value>(values: readonly Value[], by: number): readonly Value[] => [
  ...values.slice(by % values.length),
  ...values.slice(0, by % values.length),
]

const cpuOf = async ({ server }: Pair): Promise<number> => z.number().parse(await server.ask('cpu'))

/**
 * Every variant in fresh processes, which wait while it is another's turn. The turns are short, so that what the
 * machine does besides meets all variants alike.
 */
async function measureRound(
  madeOf: (source: string) => string,
  order: readonly Variant[],
): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (const variant of order) {
    const server = await startChild(madeOf('http-servers.ts'), variant, CORE.server)
    const job = { ...Object(server.ready), connections: CONNECTIONS }
    const load = await startChild(madeOf('http-load.ts'), job, CORE.load)
    pairs.push({ variant, server, load, cpuMicroseconds: 0, milliseconds: 0 })
  }
  refuseDifferences(pairs)
  for (const { load } of pairs) await load.ask(REQUESTS / 2)
  for (let turn = 0; turn < SLICES; turn++)
    for (const pair of turned(pairs, turn)) {
      const before = await cpuOf(pair)
      pair.milliseconds += z.number().parse(await pair.load.ask(SLICE))
      pair.cpuMicroseconds += (await cpuOf(pair)) - before
    }
  for (const { load, server } of pairs) await Promise.all([load.stop(), server.stop()])
  return pairs
}

/** Status, names of headers and shape of the body: what must not differ between variants. */
function shapeOf(answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n')
  const names = headers.map(line => line.slice(0, line.indexOf(':')).toLowerCase()).sort()
  const fields = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(body)))
  return JSON.stringify([status, names, fields.map(([name, value]) => [name, typeof value])])
}

function refuseDifferences(pairs: readonly Pair[]): void {
  const shapes = pairs.map(({ variant, load }) => ({
    variant,
    shape: shapeOf(answerSchema.parse(load.ready).answer),
  }))
  const other = shapes.find(({ shape }) => shape !== shapes[0]?.shape)
  if (other !== undefined)
    throw new Error(`${other.variant} answers ${other.shape}, and ${shapes[0]?.variant} ${shapes[0]?.shape}.`)
}

/**
 * Measures `GET /v1/agents/{id}`: bare node:http, our own listener, Express doing the same work, our router in Express,
 * and the same with Express's prototypes set at construction. Runs what users run: the built packages.
 */
export async function measureHttp({ rounds = 5 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const found: Pair[] = []
  await withScripts(['http-servers.ts', 'http-load.ts'], async madeOf => {
    for (let round = 0; round < rounds; round++)
      found.push(...(await measureRound(madeOf, turned(VARIANTS, round))))
  })
  const cpu = (variant: Variant): readonly number[] =>
    found.flatMap(pair => (pair.variant === variant ? pair.cpuMicroseconds / REQUESTS : []))
  const each = VARIANTS.flatMap(variant => {
    const perSecond = found.flatMap(pair =>
      pair.variant === variant ? (REQUESTS * 1_000) / pair.milliseconds : [],
    )
    return [
      resultOf({ row: 'http', variant, unit: 'CPU µs/request' }, cpu(variant)),
      resultOf({ row: 'http', variant, unit: 'requests/s' }, perSecond),
    ]
  })
  const ratios = Object.entries(RATIOS).map(([variant, [of, against]]) => {
    const peers = cpu(against)
    return resultOf(
      { row: 'http', variant, unit: 'of the CPU' },
      cpu(of).map((own, round) => (peers[round] ?? Number.NaN) / own),
    )
  })
  return [...each, ...ratios]
}
