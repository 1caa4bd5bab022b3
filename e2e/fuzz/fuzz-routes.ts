import { routes } from '@colloquy/core/transport'
import fc from 'fast-check'
import { faultsOf } from './check.ts'
import type { Target } from './child.ts'
import { FAULTS, type Fault, type Plan, plansOf, type Route } from './plan.ts'
import { createPool, type Pool } from './pool.ts'
import { bytesOf, rawFaults, rawRequests } from './raw.ts'
import { createSender, exchangeBytes, type Reply, type Sender } from './send.ts'

/** Requests in progress at the same time. */
const AT_ONCE = 8

/** Requests of each kind for a route in one round. */
const SHARE: Readonly<Record<Fault, number>> = {
  none: 4,
  body: 3,
  bytes: 1,
  query: 1,
  params: 2,
  method: 1,
  headers: 2,
  foreign: 1,
  credential: 2,
  neighbour: 1,
}

/** Connections of bytes that are no request, or a damaged one, in one round. */
const RAW = 60

/** Something that must not happen, with the request that brought it about. */
export interface Finding {
  readonly what: string
  /** Number of requests sent by then. */
  readonly at: number
  readonly request: string
  readonly reply: string
}

/** Counts of a run. */
export interface RouteFigures {
  readonly requests: number
  /** Connections that carried no or a damaged request. */
  readonly rawConnections: number
  /** Requests by route, then by status class. */
  readonly byRoute: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly byFault: ReadonlyMap<Fault, number>
  readonly findings: readonly Finding[]
}

export interface RouteFuzzOptions {
  readonly target: Target
  readonly seed: number
  /** Asked before each round: true to go on. */
  goOn(round: number): boolean
  /** Called before each round, for what requests alone do not bring about. */
  prepare?(pool: Pool, round: number): Promise<void>
}

const shown = ({ fault, method, target, headers, body }: Plan): string =>
  `${fault}: ${method} ${target.slice(0, 300)}\n${headers.map(([name, value]) => `${name}: ${value.slice(0, 80)}`).join('\n')}\n\n${body?.toString().slice(0, 500) ?? ''}`

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** A round: of each route the same number of requests of each kind, in an order that the seed gives. */
function roundOf(target: Target, pool: Pool, seed: number): readonly Plan[] {
  const plans = routes.flatMap((route, index) =>
    FAULTS.flatMap((fault, kind) => {
      const arbitrary = plansOf(route, fault, target.world, pool)
      if (arbitrary === null) return []
      return fc.sample(arbitrary, { seed: seed + index * FAULTS.length + kind, numRuns: SHARE[fault] })
    }),
  )
  const order = fc.sample(
    fc.array(fc.nat(), { minLength: plans.length, maxLength: plans.length, size: 'max' }),
    {
      seed,
      numRuns: 1,
    },
  )[0]
  return plans
    .map((plan, index) => ({ plan, at: order?.[index] ?? index }))
    .sort((one, two) => one.at - two.at)
    .map(({ plan }) => plan)
}

/** Remembers what an answer told. */
function learn(
  pool: Pool,
  { fault, route, params, headers }: Plan,
  { status, body, headers: told }: Reply,
): void {
  if (fault !== 'none') return
  const isJson = body.length > 0 && String(told['content-type']).startsWith('application/json')
  if (status < 300 && isJson) pool.learn(route, params, JSON.parse(body.toString()))
  if (status === 404 || (status < 300 && route.method === 'DELETE')) pool.forget(route, params)
  const bearer = headers.find(([name]) => name === 'Authorization')?.[1].replace('Bearer ', '')
  if (status === 401 && bearer !== undefined) pool.forgetValue('access_token', bearer)
}

/** Does all of it, several at a time, begun in the given order. */
async function workOff<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function isHealthy(sender: Sender): Promise<boolean> {
  const { status } = await sender.send({ method: 'GET', target: '/health', headers: [], body: null })
  return status === 200
}

/**
 * Sends rounds of requests, right ones and wrong ones, to every route of the table, several at a time, and looks at
 * every answer (FZ1 to FZ5). A seed repeats the requests as far as their order, and so what they meet, is the same. It
 * is long because one loop keeps all figures.
 */
export async function fuzzRoutes({ target, seed, goOn, prepare }: RouteFuzzOptions): Promise<RouteFigures> {
  const sender = createSender(target.world.port)
  const pool = createPool(target.world)
  const findings: Finding[] = []
  const byRoute = new Map<string, Map<string, number>>(routes.map(route => [nameOf(route), new Map()]))
  const byFault = new Map<Fault, number>()
  let requests = 0
  let rawConnections = 0

  async function run(plan: Plan): Promise<void> {
    requests += 1
    byFault.set(plan.fault, (byFault.get(plan.fault) ?? 0) + 1)
    try {
      const reply = await sender.send(plan)
      const counts = byRoute.get(nameOf(plan.route))
      const column =
        reply.status < 300 || reply.status >= 500
          ? String(reply.status).replace(/^2\d\d$/, '2xx')
          : String(reply.status)
      counts?.set(column, (counts.get(column) ?? 0) + 1)
      for (const what of faultsOf(target.world, plan, reply))
        findings.push({
          what,
          at: requests,
          request: shown(plan),
          reply: `${reply.status} ${reply.body.toString().slice(0, 500)}`,
        })
      learn(pool, plan, reply)
    } catch (error) {
      findings.push({ what: `no answer: ${String(error)}`, at: requests, request: shown(plan), reply: '' })
    }
  }

  async function runRaw(bytes: Buffer): Promise<void> {
    rawConnections += 1
    const request = JSON.stringify(bytes.toString('latin1').slice(0, 1_000))
    try {
      const answer = await exchangeBytes(target.world.port, bytes)
      for (const what of rawFaults(answer))
        findings.push({ what, at: requests, request, reply: answer.toString('latin1').slice(0, 500) })
    } catch (error) {
      findings.push({ what: `raw bytes: ${String(error)}`, at: requests, request, reply: '' })
    }
  }

  try {
    for (let round = 0; goOn(round); round++) {
      try {
        await prepare?.(pool, round)
      } catch (error) {
        // The calls that everything else depends on fail.
        findings.push({ what: `no round can begin: ${String(error)}`, at: requests, request: '', reply: '' })
        break
      }
      const roundSeed = seed * 1_000_003 + round * 10_007
      const plans = roundOf(target, pool, roundSeed)
      await workOff(plans, run)
      const good = plans.filter(({ fault }) => fault === 'none').map(bytesOf)
      await workOff(fc.sample(rawRequests(good), { seed: roundSeed, numRuns: RAW }), runRaw)
      for (const error of await target.errors())
        findings.push({ what: `the host was told: ${error}`, at: requests, request: '', reply: '' })
      if (!(await isHealthy(sender)))
        findings.push({ what: 'the server is not healthy', at: requests, request: '', reply: '' })
    }
  } finally {
    sender.close()
  }
  return { requests, rawConnections, byRoute, byFault, findings }
}
