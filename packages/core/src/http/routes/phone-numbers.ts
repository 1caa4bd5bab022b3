import * as z from 'zod'
import { mayDecideForAll } from '../../domain/access/person.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import {
  type PhoneNumber,
  phoneNumberSchema,
  phoneNumbersSchema,
} from '../../domain/telephony/phone-number.ts'
import { isPlatformError } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { text } from './query-values.ts'

const PATH = '/v1/agents/:agentId/telephony/phone-numbers'

/** Returns a phone number as clients know it (contract/agents.md, Phone numbers). */
const numberOnWire = ({ number, agentId, accountId, environment, connectorId }: PhoneNumber) => ({
  ...{ number, projectId: agentId, accountId, clientEnv: environment },
  ...(connectorId === null ? {} : { connectorId }),
})

const ofAll = { ...agentsApi, ...ofAgent } as const

const ofNumber = { ...ofAll, params: ofAgent.params.extend({ phoneNumber: phoneNumberSchema }) } as const

const several = { phoneNumbers: phoneNumbersSchema }
const clientEnv = z.enum(ENVIRONMENTS).default('live')
const connectorId = z.string().max(200)

/**
 * Imports what an account asks for. Operators who are signed in give numbers themselves, unless they are operators of
 * some accounts alone.
 */
function importFor(principal: Principal, { telephony }: Platform): Platform['telephony']['claimNumbers'] {
  const isOperator = principal.type === 'person' && mayDecideForAll(principal.person)
  return isOperator ? telephony.importNumbers : telephony.claimNumbers
}

/** Deletes numbers in their order. A refusal of one leaves the others alone. */
async function deleteEach({ telephony }: Platform, agentId: string, phoneNumbers: readonly string[]) {
  const deleted: string[] = []
  const errors: { readonly phoneNumber: string; readonly error: string }[] = []
  for (const phoneNumber of phoneNumbers)
    try {
      await telephony.deleteNumber(agentId, phoneNumber)
      deleted.push(phoneNumber)
    } catch (error) {
      if (!isPlatformError(error)) throw error
      errors.push({ phoneNumber, error: error.message })
    }
  return { deleted, ...(errors.length === 0 ? {} : { errors }) }
}

/** The phone numbers of an agent (contract/agents.md, Phone numbers). */
export const phoneNumberRoutes: readonly Route[] = [
  defineRoute({
    ...ofAll,
    method: 'GET',
    path: PATH,
    operation: 'listPhoneNumbers',
    summary: 'List the phone numbers of an agent, in their order',
    query: z.object({ connectorId: text.exactOptional() }),
    async handle({ platform, params, query }) {
      const numbers = await platform.telephony.numbers(params.agentId, query)
      return { status: 200, json: { phoneNumbers: numbers.map(numberOnWire) } }
    },
  }),
  defineRoute({
    ...ofAll,
    method: 'POST',
    path: PATH,
    operation: 'importPhoneNumbers',
    summary: 'Give an agent phone numbers, all or none',
    body: z.object({ ...several, clientEnv }),
    async handle({ platform, principal, params, body: { phoneNumbers, clientEnv: environment } }) {
      const input = { phoneNumbers, environment }
      const numbers = await importFor(principal, platform)(params.agentId, input)
      return { status: 201, json: { imported: numbers.map(({ number }) => number) } }
    },
  }),
  defineRoute({
    ...ofAll,
    method: 'DELETE',
    path: PATH,
    operation: 'deletePhoneNumbers',
    summary: 'Delete several phone numbers, in their order, each independently',
    body: z.object(several),
    async handle({ platform, params, body }) {
      return { status: 200, json: await deleteEach(platform, params.agentId, body.phoneNumbers) }
    },
  }),
  defineRoute({
    ...ofAll,
    method: 'POST',
    path: `${PATH}/batch`,
    operation: 'findPhoneNumbers',
    summary: 'Read several phone numbers',
    body: z.object(several),
    async handle({ platform, params, body }) {
      const among = await platform.telephony.numbersAmong(params.agentId, body.phoneNumbers)
      return { status: 200, json: { ...among, found: among.found.map(numberOnWire) } }
    },
  }),
  defineRoute({
    ...ofNumber,
    method: 'GET',
    path: `${PATH}/:phoneNumber`,
    operation: 'readPhoneNumber',
    summary: 'Read a phone number',
    async handle({ platform, params }) {
      const number = await platform.telephony.number(params.agentId, params.phoneNumber)
      return { status: 200, json: numberOnWire(number) }
    },
  }),
  defineRoute({
    ...ofNumber,
    method: 'POST',
    path: `${PATH}/:phoneNumber`,
    operation: 'importPhoneNumber',
    summary: 'Give an agent a phone number',
    body: z.object({ clientEnv, connectorId: connectorId.exactOptional() }),
    async handle({ platform, principal, params, body: { clientEnv: environment, ...answered } }) {
      const input = { phoneNumbers: [params.phoneNumber], environment, ...answered }
      await importFor(principal, platform)(params.agentId, input)
      return { status: 201, json: { imported: params.phoneNumber } }
    },
  }),
  defineRoute({
    ...ofNumber,
    method: 'PATCH',
    path: `${PATH}/:phoneNumber`,
    operation: 'updatePhoneNumber',
    summary: 'Let another telephony connector answer a phone number',
    body: z.object({ connectorId }),
    async handle({ platform, params: { agentId, phoneNumber }, body }) {
      const number = await platform.telephony.assignNumber(agentId, phoneNumber, body.connectorId)
      return { status: 200, json: numberOnWire(number) }
    },
  }),
  defineRoute({
    ...ofNumber,
    method: 'DELETE',
    path: `${PATH}/:phoneNumber`,
    operation: 'deletePhoneNumber',
    summary: 'Delete a phone number',
    async handle({ platform, params: { agentId, phoneNumber } }) {
      await platform.telephony.deleteNumber(agentId, phoneNumber)
      return { status: 200, json: { deleted: phoneNumber } }
    },
  }),
]
