import { createPlatform, type Platform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { Store } from '@colloquy/core/store'
import {
  createFakeClock,
  createScriptedSpeech,
  createSequentialIds,
  type FakeClock,
} from '@colloquy/core/testing'
import { createDispatcher, type HttpRequest, routes } from '@colloquy/core/transport'
import { within } from '@colloquy/test-support/program'
import fc from 'fast-check'
import type { World } from './child.ts'
import { patientClock, watchedStore } from './patient.ts'
import { FAULTS, type Plan, plansOf } from './plan.ts'
import { createPool, type Pool } from './pool.ts'
import { createNumberingRuntime, createTenant, functions, snapshotOf, type Tenant } from './tenant.ts'

/** After this many requests time passes, the same on both sides. */
const STRIDE = 20

/**
 * Time that passes, milliseconds: a moment, in which workers check their work, or once in a while so much that visitors
 * count as gone.
 */
const MOMENT = 600
const LONG = 700_000

/** An answer as it is compared. */
interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One of the platforms, which differ in nothing but the store. */
interface Side {
  readonly platform: Platform
  readonly clock: FakeClock
  readonly world: World
  ask(plan: Plan): Promise<Answer>
}

/** A request that the two answered differently. */
export interface Difference {
  readonly request: string
  readonly memory: string
  readonly other: string
}

/** Counts of a run. */
export interface StoresFigures {
  readonly requests: number
  /** Requests by status. */
  readonly statuses: ReadonlyMap<number, number>
  readonly differences: readonly Difference[]
}

const requestOf = ({ body, headers, method, target }: Plan): HttpRequest => {
  const [path = '', ...query] = target.split('?')
  return {
    method,
    path,
    query: query.join('?'),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    remoteAddress: '127.0.0.1',
    secure: true,
    body: async () => body ?? Buffer.alloc(0),
  }
}

/**
 * Removes the time of a key's last use. It is written beside the request that uses the key, so an answer may contain
 * the old or the new one (CR4).
 */
const withoutLastUse = (body: string): string =>
  body.replaceAll(/"lastUsedAt":(?:"[^"]*"|null)/g, '"lastUsedAt":"…"')

/** A place in the audit log is the store's own: what one orders by counting, another orders by its time. */
const withoutPlace = ({ target }: Plan, body: string): string =>
  target.includes('/audit-log') ? body.replaceAll(/"next_cursor":"[^"]*"/g, '"next_cursor":"…"') : body

async function whole(
  body: string | null,
  chunks: AsyncIterable<string | Uint8Array> | null,
): Promise<string> {
  let text = body ?? ''
  if (chunks !== null) for await (const chunk of chunks) text += chunk
  return text
}

/** A platform over the store whose time and ids are the same in every run. */
async function createSide(given: Store, startAt: number): Promise<Side> {
  const ticking = createFakeClock(startAt)
  const { store, quiet } = watchedStore(given, ticking.settle)
  const clock = patientClock(ticking, quiet)
  const platform = createPlatform({
    store,
    clock,
    ids: createSequentialIds(),
    runtime: createNumberingRuntime(),
    functions,
    rateLimits: null,
    speechProvider: createScriptedSpeech(),
    verifyNumber: () => true,
    webhookSender: {
      objection: url => (url.startsWith('https://') ? null : 'The address must begin with https://'),
      send: async ({ url }) => ({ type: 'answered', status: url.length % 3 === 0 ? 500 : 200 }),
    },
  })
  const own: Tenant = await createTenant(platform, clock, 'own', 'own words')
  const other = await createTenant(platform, clock, 'other', 'MARKER-OF-THE-OTHER-ACCOUNT')
  const operator = await platform.access.createApiKey({ kind: 'operator' })
  const dispatcher = createDispatcher(platform, routes)
  return {
    platform,
    clock,
    world: { port: 0, own, other, operatorKey: operator.secret, operatorKeyId: operator.key.id },
    async ask(plan) {
      const { body, headers, chunks, status } = await dispatcher.handle(requestOf(plan))
      const told = withoutPlace(plan, withoutLastUse(await whole(body, chunks)))
      const answer = { status, headers, body: told }
      await platform.idle()
      await clock.settle()
      return answer
    },
  }
}

/** Returns for every route one right request, and one that is wrong in some way, in a random order from the seed. */
function roundOf(world: World, pool: Pool, seed: number): readonly Plan[] {
  const kinds = ['none', ...FAULTS.filter(fault => fault !== 'none')] as const
  const plans = routes.flatMap((route, index) =>
    [0, 1 + ((seed + index) % (kinds.length - 1))].flatMap(kind => {
      const arbitrary = plansOf(route, kinds[kind] ?? 'none', world, pool)
      return arbitrary === null ? [] : fc.sample(arbitrary, { seed: seed + index, numRuns: 1 })
    }),
  )
  // Random answers differ even with one store.
  const told = plans.filter(({ target }) => !target.includes('sample=random'))
  const [order = []] = fc.sample(
    fc.array(fc.nat(), { minLength: told.length, maxLength: told.length, size: 'max' }),
    {
      seed,
      numRuns: 1,
    },
  )
  return told
    .map((plan, index) => ({ plan, at: order[index] ?? index }))
    .sort((one, two) => one.at - two.at)
    .map(({ plan }) => plan)
}

function learn(pool: Pool, { fault, method, params, route }: Plan, { body, headers, status }: Answer): void {
  if (fault !== 'none') return
  const isJson = body !== '' && headers['Content-Type']?.startsWith('application/json') === true
  if (status < 300 && isJson) pool.learn(route, params, JSON.parse(body))
  if (status === 404 || (status < 300 && method === 'DELETE')) pool.forget(route, params)
}

/**
 * Asks a platform over memory and one over another store, which holds nothing, the same, one request after the other, and
 * compares every answer, and all that the accounts hold in the end.
 */
export async function fuzzStores({
  store,
  rounds,
  seed,
}: {
  /** Is closed in the end. */
  readonly store: Store
  readonly rounds: number
  readonly seed: number
}): Promise<StoresFigures> {
  const startAt = Date.now()
  const memory = await createSide(createMemoryStore(), startAt)
  const other = await createSide(store, startAt)
  const pool = createPool(memory.world)
  const statuses = new Map<number, number>()
  const differences: Difference[] = []
  let requests = 0

  function compare(request: string, one: unknown, two: unknown): void {
    const [left, right] = [JSON.stringify(one), JSON.stringify(two)]
    if (left !== right) differences.push({ request, memory: left, other: right })
  }

  async function pass(milliseconds: number): Promise<void> {
    for (const { clock, platform } of [memory, other]) {
      await clock.advance(milliseconds)
      await platform.idle()
    }
  }

  async function ask(plan: Plan): Promise<void> {
    requests += 1
    const name = `${plan.fault}: ${plan.method} ${plan.target.slice(0, 300)}`
    const one = await within(memory.ask(plan), name)
    const two = await within(other.ask(plan), name)
    statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
    compare(`${name}\n${plan.body?.toString().slice(0, 500) ?? ''}`, one, two)
    learn(pool, plan, one)
    if (requests % STRIDE === 0) await pass(requests % (STRIDE * 25) === 0 ? LONG : MOMENT)
  }

  try {
    compare('the worlds', memory.world, other.world)
    for (let round = 0; round < rounds; round++)
      for (const plan of roundOf(memory.world, pool, seed * 1_000_003 + round * 10_007)) await ask(plan)
    for (const tenant of [memory.world.own, memory.world.other])
      compare(
        `all of ${tenant.accountId}`,
        fieldsInOrder(await snapshotOf(memory.platform, tenant)),
        fieldsInOrder(await snapshotOf(other.platform, tenant)),
      )
  } finally {
    await Promise.all([memory.platform.close(), other.platform.close()])
  }
  return { requests, statuses, differences }
}

/** JSON whose objects have their fields by name: in which order a library's caller gets them means nothing. */
function fieldsInOrder(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1)))
      : value,
  )
}
