import * as z from 'zod'
import type { Principal } from '../../domain/access/principal.ts'
import type { AgentId } from '../../domain/ids.ts'
import { phoneNumberSchema, phoneNumbersSchema } from '../../domain/telephony/phone-number.ts'
import { type PooledNumber, reservationAt } from '../../domain/telephony/pooled-number.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import { edgeOf } from '../../platform-context.ts'
import { defineRoute, type Route } from '../route.ts'
import { text } from './query-values.ts'

/** Returns the agent that the key is for: there is nothing else in the request that names one. */
function agentOf(principal: Principal): AgentId {
  const agentId = principal.type === 'api_key' ? principal.key.agentId : null
  if (agentId !== null) return agentId
  throw new PlatformError(
    'USER_ACCESS_FORBIDDEN',
    'An API key for one agent is required, and this one is for the whole account.',
  )
}

/** Numbers for callers who are known already (contract/number-reservation.md). */
export const numberReservationRoutes: readonly Route[] = [
  defineRoute({
    family: 'number-reservation',
    credential: 'project',
    method: 'POST',
    path: '/v1/conversations/dni-reservation',
    operation: 'reserveNumber',
    summary: 'Reserve a number for a caller',
    body: z.object({ attributes: z.record(z.string(), z.json()) }),
    async handle({ platform, principal, body }) {
      const { number } = await platform.telephony.reserve(agentOf(principal), body.attributes)
      return { status: 200, json: { dni: number } }
    },
  }),
]

const operator = { family: 'operator', credential: 'operator' } as const
const PATH = '/operator/v1/pooled-numbers'

/** Returns a number of a pool as the operator sees it: without what it is reserved for. */
const pooledOnWire = (pooled: PooledNumber, now: number) => {
  const reserved = reservationAt(pooled, now)
  return {
    phoneNumber: pooled.number,
    accountId: pooled.accountId,
    agentId: pooled.agentId,
    createdAt: isoTime(pooled.createdAt),
    reservedUntil: reserved === null ? null : isoTime(reserved.until),
  }
}

/** Pools are the operator's (contract/operator.md, Pools of numbers). */
export const numberPoolRoutes: readonly Route[] = [
  defineRoute({
    ...operator,
    method: 'POST',
    path: PATH,
    operation: 'addPooledNumbers',
    summary: 'Add phone numbers to the pool of an agent, all or none',
    body: z.object({ agentId: z.string(), phoneNumbers: phoneNumbersSchema }),
    async handle({ platform, body: { agentId, phoneNumbers } }) {
      const added = await platform.telephony.addToPool(agentId, phoneNumbers)
      return { status: 201, json: { added: added.map(({ number }) => number) } }
    },
  }),
  defineRoute({
    ...operator,
    method: 'GET',
    path: PATH,
    operation: 'listPooledNumbers',
    summary: 'List the pool of an agent, in the order of its numbers',
    query: z.object({ agentId: text }),
    async handle({ platform, query }) {
      const numbers = await platform.telephony.pool(query.agentId)
      const now = edgeOf(platform).clock.now()
      return { status: 200, json: { numbers: numbers.map(one => pooledOnWire(one, now)) } }
    },
  }),
  defineRoute({
    ...operator,
    method: 'DELETE',
    path: `${PATH}/:phoneNumber`,
    operation: 'deletePooledNumber',
    summary: 'Delete a phone number from the pool that has it',
    params: z.object({ phoneNumber: phoneNumberSchema }),
    async handle({ platform, params }) {
      await platform.telephony.removeFromPool(params.phoneNumber)
      return { status: 200, json: { deleted: params.phoneNumber } }
    },
  }),
]
