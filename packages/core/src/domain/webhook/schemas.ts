import { z } from 'zod'
import { WEBHOOK_EVENT_TYPES } from './webhook.ts'

const MAX_URL = 2_000

/** An address to send to, as `new URL` spells it: odd spellings of an IP address become plain ones. */
const urlSchema = z
  .string()
  .max(MAX_URL)
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

/** An endpoint's changeable part as it is given. */
export const endpointChangeSchema = z.object({
  url: urlSchema.exactOptional(),
  description: z.string().max(500).exactOptional(),
  events: z
    .array(z.enum(WEBHOOK_EVENT_TYPES))
    .min(1)
    .max(50)
    .transform(events => [...new Set(events)])
    .exactOptional(),
  enabled: z.boolean().exactOptional(),
})

/** A new endpoint: without `events` it gets all that there are now. */
export const newEndpointSchema = endpointChangeSchema.required({ url: true })

/** What a change of an endpoint may carry. */
export type EndpointChange = z.input<typeof endpointChangeSchema>
/** What a new endpoint is made of. */
export type NewEndpoint = z.input<typeof newEndpointSchema>
