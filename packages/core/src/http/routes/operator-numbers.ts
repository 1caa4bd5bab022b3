import * as z from 'zod'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import {
  type PhoneNumber,
  phoneNumberSchema,
  phoneNumbersSchema,
} from '../../domain/telephony/phone-number.ts'
import { isoTime } from '../../domain/time.ts'
import { defineRoute, type Route } from '../route.ts'
import { text } from './query-values.ts'

const operator = { family: 'operator', credential: 'operator' } as const
const PATH = '/operator/v1/phone-numbers'

/** Returns a phone number or another sender as the operator sees it. */
const numberOnWire = ({ number, accountId, agentId, environment, connectorId, createdAt }: PhoneNumber) => ({
  phoneNumber: number,
  ...{ accountId, agentId, environment, connectorId },
  createdAt: isoTime(createdAt),
})

/** Routes by which the operator assigns phone numbers to agents (contract/operator.md, Phone numbers and senders). */
export const operatorNumberRoutes: readonly Route[] = [
  defineRoute({
    ...operator,
    method: 'POST',
    path: PATH,
    operation: 'givePhoneNumbers',
    summary: 'Give an agent phone numbers and other senders, all or none',
    body: z.object({
      agentId: z.string(),
      phoneNumbers: phoneNumbersSchema,
      environment: z.enum(ENVIRONMENTS).exactOptional(),
      connectorId: z.string().max(200).exactOptional(),
    }),
    async handle({ platform, body: { agentId, ...input } }) {
      const given = await platform.telephony.importNumbers(agentId, input)
      return { status: 201, json: { numbers: given.map(numberOnWire) } }
    },
  }),
  defineRoute({
    ...operator,
    method: 'GET',
    path: PATH,
    operation: 'listGivenPhoneNumbers',
    summary: 'List the phone numbers and other senders of an agent, in their order',
    query: z.object({ agentId: text }),
    async handle({ platform, query }) {
      const numbers = await platform.telephony.numbers(query.agentId)
      return { status: 200, json: { numbers: numbers.map(numberOnWire) } }
    },
  }),
  defineRoute({
    ...operator,
    method: 'DELETE',
    path: `${PATH}/:phoneNumber`,
    operation: 'revokePhoneNumber',
    summary: 'Take a phone number or another sender away from the agent that has it',
    params: z.object({ phoneNumber: phoneNumberSchema }),
    async handle({ platform, params }) {
      return { status: 200, json: numberOnWire(await platform.telephony.withdrawNumber(params.phoneNumber)) }
    },
  }),
]
