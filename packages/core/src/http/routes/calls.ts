import * as z from 'zod'
import { CALL_ENCRYPTIONS, callStatus, type OutboundCall } from '../../domain/call/outbound-call.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { phoneNumberSchema } from '../../domain/telephony/phone-number.ts'
import { callCountry, callMetadata } from '../../usecases/calls/call-fields.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { lineOf } from './line-of.ts'

const PATH = '/v1/agents/:agentId/telephony/outbound-calls'

/** Returns the status of a call as clients know it. */
const standing = (call: OutboundCall) => ({ status: callStatus(call), reason: call.reason })

const environment = z.enum(ENVIRONMENTS)

/** Calls that an agent makes, in the Agents API (contract/calls.md, Over HTTP). */
export const outboundCallRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'POST',
    path: PATH,
    operation: 'placeOutboundCall',
    summary: 'Let an agent call a user',
    body: z.object({
      toNumber: phoneNumberSchema,
      environment,
      countryCode: callCountry.exactOptional(),
      variantId: z.string().min(1).max(200).exactOptional(),
      encryption: z.enum(CALL_ENCRYPTIONS).exactOptional(),
      metadata: callMetadata.exactOptional(),
    }),
    async handle({ platform, params: { agentId }, body: { toNumber: to, countryCode, ...body } }) {
      const country = countryCode === undefined ? {} : { country: countryCode }
      const { id } = await platform.calls.place({ agentId, to, ...country, ...body })
      return { status: 200, json: { callSid: id, status: 'QUEUED' as const } }
    },
  }),
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: `${PATH}/:callSid/status`,
    operation: 'readOutboundCall',
    summary: 'Read the state of a call of an agent, until 2 hours after its end',
    params: ofAgent.params.extend({ callSid: z.string() }),
    query: z.object({ environment }),
    async handle({ platform, params: { agentId, callSid }, query: { environment } }) {
      const call = await platform.calls.find({ agentId, id: callSid, environment })
      return { status: 200, json: { callSid, ...standing(call) } }
    },
  }),
]

/** The names of encryptions in the legacy calls. */
const ENCRYPTIONS = {
  'TLS/SRTP': 'tls_srtp',
  'TLS/RTP': 'tls_rtp',
  'UDP/SRTP': 'udp_srtp',
  'UDP/RTP': 'udp_rtp',
} as const

/** The same calls as `QUEUED`, `CALLING` and so on, in lower case. */
const STATUSES = { QUEUED: 'queued', CALLING: 'calling', SUCCESS: 'success', FAILURE: 'failure' } as const

const legacy = { family: 'calls', credential: 'line_key', query: z.object({}) } as const

/** The calls of before, over the same records (contract/calls.md, The earlier calls). */
export const legacyCallRoutes: readonly Route[] = [
  defineRoute({
    ...legacy,
    method: 'POST',
    path: '/v1/outbound-calling',
    operation: 'startOutboundCall',
    summary: 'Let the agent of a key or a telephony connector call a user',
    body: z.object({
      to_number: phoneNumberSchema,
      country_code: callCountry.exactOptional(),
      metadata: callMetadata.exactOptional(),
      encryption: z.enum(['TLS/SRTP', 'TLS/RTP', 'UDP/SRTP', 'UDP/RTP']).exactOptional(),
    }),
    async handle({
      platform,
      principal,
      body: { to_number, country_code, encryption = 'TLS/SRTP', metadata },
    }) {
      const { agentId, environment, id: connectorId } = lineOf(principal)
      const { id } = await platform.calls.place({
        ...{ agentId, environment, connectorId, to: to_number, encryption: ENCRYPTIONS[encryption] },
        ...(country_code === undefined ? {} : { country: country_code }),
        ...(metadata === undefined ? {} : { metadata }),
      })
      return { status: 200, json: { call_sid: id } }
    },
  }),
  defineRoute({
    ...legacy,
    method: 'GET',
    path: '/v1/outbound-calling/:call_sid/status',
    operation: 'readOutboundCallStatus',
    summary: 'Read the state of such a call, until 2 hours after its end',
    params: z.object({ call_sid: z.string() }),
    async handle({ platform, principal, params: { call_sid } }) {
      const { agentId, environment } = lineOf(principal)
      const { status, reason } = standing(await platform.calls.find({ agentId, id: call_sid, environment }))
      return { status: 200, json: { status: STATUSES[status], reason } }
    },
  }),
]
