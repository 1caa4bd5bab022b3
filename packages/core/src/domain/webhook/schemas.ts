import * as z from 'zod'
import { properNameSchema } from '../agent/proper-name.ts'
import { endpointHeadersSchema } from './endpoint-headers.ts'
import { WEBHOOK_EVENT_TYPES } from './webhook.ts'

/** Bounds of a webhook endpoint (contract/webhooks.md, Endpoints; the length of an address ours). */
export const ENDPOINT_LIMITS = {
  nameLength: 255,
  urlLength: 2_000,
  /** The time that a receiver may take to answer, milliseconds. */
  timeout: { least: 1_000, most: 30_000 },
  /** The time that the secret before a rotation may still sign, seconds: 30 days. */
  overlapSeconds: 2_592_000,
} as const

/** An address to send to, as `new URL` spells it: odd spellings of an IP address become plain ones. */
const urlSchema = z
  .string()
  .max(ENDPOINT_LIMITS.urlLength)
  .meta({ format: 'uri' })
  .transform((given, context) => {
    const url = URL.canParse(given) ? new URL(given) : null
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return refuse('expected an absolute https address')
    if (url.username !== '' || url.password !== '')
      return refuse('expected an address without user name and password')
    url.hash = ''
    return url.href
  })

/** One kind of event, by its name. */
export const eventTypeSchema = z.enum(WEBHOOK_EVENT_TYPES)

/** An endpoint's changeable part as it is given. */
export const endpointChangeSchema = z.object({
  name: properNameSchema(ENDPOINT_LIMITS.nameLength).exactOptional(),
  url: urlSchema.exactOptional(),
  eventTypes: z
    .array(eventTypeSchema)
    .min(1)
    .max(50)
    .transform(types => [...new Set(types)])
    .exactOptional(),
  headers: endpointHeadersSchema.exactOptional(),
  /** Milliseconds. */
  timeout: z.int().min(ENDPOINT_LIMITS.timeout.least).max(ENDPOINT_LIMITS.timeout.most).exactOptional(),
  enabled: z.boolean().exactOptional(),
})

/** A new endpoint. */
export const newEndpointSchema = endpointChangeSchema.required({ name: true, url: true, eventTypes: true })

/** The time that the secret before a rotation still signs. */
export const overlapSecondsSchema = z.int().min(0).max(ENDPOINT_LIMITS.overlapSeconds)

/** The input of a change of an endpoint. */
export type EndpointChange = z.input<typeof endpointChangeSchema>
/** The input of a new endpoint. */
export type NewEndpoint = z.input<typeof newEndpointSchema>
