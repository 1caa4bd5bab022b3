import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import * as z from 'zod'
import { median } from './median.ts'

/** One figure of a row: of every variant the same figures, all from one run. */
export interface ResultRow {
  readonly row: string
  readonly variant: string
  readonly median: number
  readonly min: number
  readonly max: number
  readonly unit: string
}

/** Options of the measurement. */
export interface HttpBenchOptions {
  /** Measurements of each variant, each in a fresh process. @default 5 */
  readonly rounds?: number
  /** Requests that are measured in a round; half as many go before them as a warm-up. @default 30000 */
  readonly requests?: number
  /** Keep-alive connections of the load, with one request at a time on each. @default 64 */
  readonly connections?: number
}

/** In the order of the table; what they do is in `http-servers.ts`. */
const VARIANTS = ['bare', 'listener', 'express', 'mounted', 'prototypes'] as const
type Variant = (typeof VARIANTS)[number]

/** A goal: how much less CPU the first may take than the second, as second / first at least. */
interface Goal {
  readonly name: string
  readonly of: Variant
  readonly against: Variant
  readonly least: number
}

const GOALS: readonly Goal[] = [
  { name: 'own listener of bare node:http', of: 'listener', against: 'bare', least: 0.5 },
  { name: 'mounted of Express doing the same', of: 'mounted', against: 'express', least: 0.95 },
  { name: 'prototypes set at construction of Express', of: 'prototypes', against: 'express', least: 2 },
]

const readySchema = z.object({ port: z.number(), agentId: z.string(), secret: z.string() })
const answerSchema = z.object({ answer: z.string() })
const timeSchema = z.object({ milliseconds: z.number() })

/** One round of a variant. */
interface Round {
  readonly cpuMicroseconds: number
  readonly perSecond: number
  readonly answer: string
}

/** Turns of a variant in a round. */
const SLICES = 20

/** The same in a ring, from another place on. */
const turned = <Value>(values: readonly Value[], by: number): readonly Value[] => {
  const at = by % values.length
  return [...values.slice(at), ...values.slice(0, at)]
}

/** Servers run on one core and the load on another, where the system can tie a process to a core. */
const pins = process.platform === 'linux' && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

function start(script: string, argument: string, core: number): ChildProcess {
  if (!pins) return fork(script, [argument], { execArgv: [] })
  return fork(script, [argument], { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] })
}

/** Returns the next message of the child. @throws Error if it ends instead */
async function said(child: ChildProcess, ask?: string | number): Promise<unknown> {
  if (ask !== undefined) child.send(ask)
  const ended = new AbortController()
  const { signal } = ended
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`A process of the bench ended with ${code}.`)
      }),
    ])
  } finally {
    ended.abort()
  }
}

/** The processes of one variant. */
interface Pair {
  readonly variant: Variant
  readonly server: ChildProcess
  readonly load: ChildProcess
  readonly answer: string
}

async function startPair(scripts: string, variant: Variant, connections: number): Promise<Pair> {
  const server = start(join(scripts, 'http-servers.mjs'), variant, 0)
  const ready = readySchema.parse(await said(server))
  const load = start(join(scripts, 'http-load.mjs'), JSON.stringify({ ...ready, connections }), 1)
  const { answer } = answerSchema.parse(await said(load))
  return { variant, server, load, answer }
}

async function stopPair({ load, server }: Pair): Promise<void> {
  const ended = [once(load, 'exit'), once(server, 'exit')]
  load.send('stop')
  server.send('stop')
  await Promise.all(ended)
}

/** Measures a server over so many requests: microseconds of CPU, and milliseconds of the clock. */
async function measureSlice({ load, server }: Pair, requests: number): Promise<readonly [number, number]> {
  const before = z.number().parse(await said(server, 'cpu'))
  const { milliseconds } = timeSchema.parse(await said(load, requests))
  const after = z.number().parse(await said(server, 'cpu'))
  return [after - before, milliseconds]
}

/**
 * Every variant in fresh processes, which wait while it is another's turn. The turns are short, so that what the
 * machine does besides meets all variants alike.
 */
async function measureRound(
  scripts: string,
  order: readonly Variant[],
  { requests, connections }: Required<HttpBenchOptions>,
): Promise<ReadonlyMap<Variant, Round>> {
  const pairs: Pair[] = []
  for (const variant of order) pairs.push(await startPair(scripts, variant, connections))
  for (const pair of pairs) await measureSlice(pair, Math.ceil(requests / 2))
  const spent = new Map(order.map(variant => [variant, { cpu: 0, milliseconds: 0 }]))
  const slice = Math.ceil(requests / SLICES)
  for (let turn = 0; turn < SLICES; turn++) {
    for (const pair of turned(pairs, turn)) {
      const [cpu, milliseconds] = await measureSlice(pair, slice)
      const sum = spent.get(pair.variant) ?? { cpu: 0, milliseconds: 0 }
      spent.set(pair.variant, { cpu: sum.cpu + cpu, milliseconds: sum.milliseconds + milliseconds })
    }
  }
  await Promise.all(pairs.map(stopPair))
  const count = slice * SLICES
  return new Map(
    pairs.map(({ variant, answer }) => {
      const { cpu = Number.NaN, milliseconds = Number.NaN } = spent.get(variant) ?? {}
      return [variant, { cpuMicroseconds: cpu / count, perSecond: (count * 1_000) / milliseconds, answer }]
    }),
  )
}

/** Status, names of headers and shape of the body: what must not differ between variants. */
function shapeOf(answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n')
  const names = headers.map(line => line.slice(0, line.indexOf(':')).toLowerCase()).sort()
  const fields = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(body)))
  return JSON.stringify([status, names, fields.map(([name, value]) => [name, typeof value])])
}

function refuseDifferences(rounds: ReadonlyMap<Variant, readonly Round[]>): void {
  const shapes = [...rounds].map(([variant, [first]]) => ({ variant, shape: shapeOf(first?.answer ?? '') }))
  const other = shapes.find(({ shape }) => shape !== shapes[0]?.shape)
  if (other !== undefined)
    throw new Error(`${other.variant} answers ${other.shape}, and ${shapes[0]?.variant} ${shapes[0]?.shape}.`)
}

const rowOf = (row: string, variant: string, values: readonly number[], unit: string): ResultRow => ({
  ...{ row, variant, unit },
  ...{ median: median(values), min: Math.min(...values), max: Math.max(...values) },
})

function rowsOf(rounds: ReadonlyMap<Variant, readonly Round[]>): readonly ResultRow[] {
  const cpu = (variant: Variant): readonly number[] =>
    (rounds.get(variant) ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds)
  const each = VARIANTS.flatMap(variant => [
    rowOf('http', variant, cpu(variant), 'CPU µs/request'),
    rowOf(
      'http',
      variant,
      (rounds.get(variant) ?? []).map(({ perSecond }) => perSecond),
      'requests/s',
    ),
  ])
  const ratios = GOALS.map(({ name, of, against }) => {
    const peers = cpu(against)
    return rowOf(
      'http',
      name,
      cpu(of).map((own, round) => (peers[round] ?? Number.NaN) / own),
      'of the CPU',
    )
  })
  return [...each, ...ratios]
}

/**
 * Measures `GET /v1/agents/{id}`: bare node:http, our own listener, Express doing the same work, our router in Express,
 * and the same with Express's prototypes set at construction. Runs what users run: JavaScript that esbuild has made of
 * the sources, as the packages are built.
 */
async function measureHttp(options: HttpBenchOptions = {}): Promise<readonly ResultRow[]> {
  const wanted = { rounds: 5, requests: 30_000, connections: 64, ...options }
  const scripts = await mkdtemp(join(import.meta.dirname, '../node_modules/.bench-http-'))
  try {
    await build({
      entryPoints: ['http-servers', 'http-load'].map(name => join(import.meta.dirname, `${name}.ts`)),
      ...{ outdir: scripts, outExtension: { '.js': '.mjs' }, conditions: ['@colloquy/source'] },
      ...{ bundle: true, format: 'esm', platform: 'node', target: 'node22', logLevel: 'error' },
      plugins: [ownPackagesOnly],
    })
    const rounds = new Map<Variant, Round[]>(VARIANTS.map(variant => [variant, []]))
    for (let round = 0; round < wanted.rounds; round++) {
      const measured = await measureRound(scripts, turned(VARIANTS, round), wanted)
      for (const [variant, one] of measured) rounds.get(variant)?.push(one)
    }
    refuseDifferences(rounds)
    return rowsOf(rounds)
  } finally {
    await rm(scripts, { recursive: true })
  }
}

/** Dependencies stay outside, as in the built packages. */
const ownPackagesOnly: Plugin = {
  name: 'own packages only',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('@colloquy/') ? undefined : { path, external: true },
    )
  },
}

const shown = (value: number): string =>
  value < 10 ? value.toFixed(2) : value.toFixed(value < 1_000 ? 1 : 0)

/** Prints the HTTP row, medians with the least and the most, and whether the goals are met; returns what it printed. */
export async function benchHttp(options: HttpBenchOptions = {}): Promise<readonly ResultRow[]> {
  console.log('\nHTTP, GET /v1/agents/{id}: median (least to most)')
  const rows = await measureHttp(options)
  for (const { variant, median, min, max, unit } of rows) {
    const goal = GOALS.find(({ name }) => name === variant)
    const verdict =
      goal === undefined ? '' : `   goal ${goal.least}   ${median >= goal.least ? 'met' : 'NOT MET'}`
    console.log(
      `${variant.padEnd(44)}${shown(median).padStart(10)} (${shown(min)} to ${shown(max)}) ${unit}${verdict}`,
    )
  }
  return rows
}
