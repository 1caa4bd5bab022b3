import * as z from 'zod'
import { outboundTextSchema } from '../../usecases/texts/text-fields.ts'
import { defineRoute, type Route } from '../route.ts'
import { lineOf } from './line-of.ts'

/** The prefix of a user's number that is to be texted over RCS. */
const RCS = 'rcs:'

const { text, from, service } = outboundTextSchema.shape

const body = z.object({
  user_number: z
    .string()
    .regex(
      /^(?:rcs:)?\+[1-9]\d{1,14}$/,
      'expected a number in the E.164 format, such as +12025550100, or one behind "rcs:"',
    ),
  message: text,
  agent_number: from,
  messaging_service_sid: service,
})

/** Texts that open a session (contract/texts.md, Over HTTP). */
export const textRoutes: readonly Route[] = [
  defineRoute({
    family: 'texts',
    credential: 'key_and_line',
    method: 'POST',
    path: '/v1/outbound-sms',
    operation: 'sendText',
    summary: 'Open a session with a text to a user, over SMS or RCS',
    body,
    async handle({
      platform,
      principal,
      body: { user_number, message, agent_number, messaging_service_sid },
    }) {
      const isRcs = user_number.startsWith(RCS)
      await platform.texts.open(lineOf(principal), {
        to: isRcs ? user_number.slice(RCS.length) : user_number,
        text: message,
        channel: isRcs ? 'RCS' : 'SMS',
        ...(agent_number === undefined ? {} : { from: agent_number }),
        ...(messaging_service_sid === undefined ? {} : { service: messaging_service_sid }),
      })
      return { status: 202 }
    },
  }),
]
