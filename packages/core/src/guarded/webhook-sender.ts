import * as z from 'zod'
import type { AttemptOutcome } from '../domain/webhook/attempt.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Settings } from '../settings/settings.ts'
import { fitting } from '../shared/call-host.ts'

const isReason = (reason: unknown): reason is string | null => reason === null || typeof reason === 'string'

const failure = { reason: z.string() }
const outcomeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('answered'),
    status: z.int(),
    body: z
      .object({
        contentType: z.string().nullable(),
        bytes: z.int().nonnegative(),
        text: z.string().nullable(),
        isCut: z.boolean(),
      })
      .nullish(),
  }),
  z.object({ type: z.literal('failed'), ...failure }),
  z.object({ type: z.literal('refused'), ...failure }),
])
const isOutcome = (answer: unknown): answer is AttemptOutcome => outcomeSchema.safeParse(answer).success

/**
 * Returns the host's webhook sender (EM1): what it throws, or rejects with, is reported to `onError`, and counts as a
 * failed attempt. An address that it could not judge may not be reached.
 */
export const guardWebhookSender = (sender: WebhookSender, onError: Settings['onError']): WebhookSender => ({
  objection(url) {
    try {
      return fitting(sender.objection(url), isReason, 'webhookSender.objection must return a string or null')
    } catch (error) {
      onError(error, 'webhook sender')
      return 'the webhook sender could not judge it'
    }
  },
  async send(request) {
    try {
      const outcome: unknown = await sender.send(request)
      return fitting(outcome, isOutcome, 'webhookSender.send must resolve to an AttemptOutcome')
    } catch (error) {
      onError(error, 'webhook sender')
      return { type: 'failed', reason: 'The sender failed' }
    }
  },
})
