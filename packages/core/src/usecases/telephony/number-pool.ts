import type { AgentId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  type NumberReservation,
  type PooledNumber,
  reservationAt,
} from '../../domain/telephony/pooled-number.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount } from '../access/find-owner.ts'
import { refuseOrphan } from '../access/refuse-orphan.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { checkNumber } from './phone-numbers.ts'

/** Numbers that are read at a time. */
const PAGE = 1_000

/** Milliseconds in a second. */
const SECOND = 1_000

const noAgent = () => new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
const noNumber = () => new PlatformError('PHONE_NUMBERS_NOT_FOUND', 'No pool has that phone number.')

async function add(context: Acting, numbers: readonly PooledNumber[], first: PooledNumber): Promise<void> {
  const { settings, store } = context
  const { accountId, agentId } = first
  const phoneNumbers = numbers.map(({ number }) => number)
  const entry = auditEntry(context, 'pooled_number.added', {
    ...{ accountId, agentId, details: { phoneNumbers } },
    resourceId: numbers.length === 1 ? first.number : null,
  })
  const added = await store.access.numberPool.add(numbers, settings.pooledNumbers, { audit: entry })
  if (added.outcome === 'taken')
    throw new PlatformError(
      'PHONE_NUMBERS_ALREADY_EXISTS',
      `A pool has the phone number ${added.numbers.slice(0, 5).join(', ')} already; none was added.`,
      { body: { about: added.numbers.slice(0, 5) } },
    )
  if (added.outcome === 'full')
    throw new PlatformError(
      'PHONE_NUMBERS_LIMIT',
      `A pool has at most ${settings.pooledNumbers} phone numbers; none was added.`,
    )
}

/** See `Telephony.addToPool`. */
export async function addToPool(
  context: Acting,
  agentId: AgentId,
  given: readonly string[],
): Promise<readonly PooledNumber[]> {
  const agent = await context.store.agents.find(agentId)
  if (agent === null) throw noAgent()
  const account = await findAccount(context, agent.accountId)
  const checkedNumbers = await Promise.all(given.map(checkNumber))
  const now = context.clock.now()
  const numbers = checkedNumbers.map(
    (number): PooledNumber => ({
      ...{ number, accountId: account.id, agentId },
      ...{ createdAt: now, freeFrom: now, attributes: null },
    }),
  )
  const [first] = numbers
  if (first === undefined) return []
  await add(context, numbers, first)
  await refuseOrphan(context, { account, agent }, async () => {
    for (const { number } of numbers) await context.store.access.numberPool.remove(agentId, number)
  })
  return numbers
}

/** See `Telephony.pool`. */
export async function listPool({ store }: Context, agentId: AgentId): Promise<readonly PooledNumber[]> {
  if ((await store.agents.find(agentId)) === null) throw noAgent()
  const all: PooledNumber[] = []
  for (let last: PooledNumber | undefined | null = null; last !== undefined; ) {
    const after: { readonly after?: string } = last === null ? {} : { after: last.number }
    const page = await store.access.numberPool.list(agentId, after, PAGE)
    all.push(...page)
    last = page.length < PAGE ? undefined : page.at(-1)
  }
  return all
}

/** See `Telephony.removeFromPool`. */
export async function removeFromPool(context: Acting, given: string): Promise<void> {
  const { numberPool } = context.store.access
  const found = await numberPool.find(await checkNumber(given))
  if (found === null) throw noNumber()
  const { accountId, agentId, number } = found
  const entry = auditEntry(context, 'pooled_number.removed', { accountId, agentId, resourceId: number })
  if (!(await numberPool.remove(agentId, number, { audit: entry }))) throw noNumber()
}

/** See `Telephony.reserve`. */
export async function reserveNumber(
  { clock, settings, store }: Context,
  agentId: AgentId,
  attributes: JsonObject,
): Promise<NumberReservation> {
  refuseAttributes(attributes, 'attributes', settings.limits.variableBytes)
  const at = clock.now()
  const until = at + settings.reservation * SECOND
  const pooled = await store.access.numberPool.reserve(agentId, { attributes, at, until })
  const reserved = pooled === null ? null : reservationAt(pooled, at)
  if (reserved !== null) return reserved
  throw new PlatformError(
    'DNI_ROUTE_NOT_FOUND',
    "No available route found: no number of the agent's pool is free.",
  )
}

/** See `Telephony.reservationOf`. */
export async function findReservation(
  { clock, store }: Context,
  given: string,
): Promise<NumberReservation | null> {
  const pooled = await store.access.numberPool.find(await checkNumber(given))
  return pooled === null ? null : reservationAt(pooled, clock.now())
}
