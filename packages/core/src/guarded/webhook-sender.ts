import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Settings } from '../settings/settings.ts'
import { fitting } from '../shared/call-host.ts'

const isReason = (reason: unknown): reason is string | null => reason === null || typeof reason === 'string'

/**
 * The host's webhook sender (EM1): what it throws, or rejects with, is reported to `onError`, and counts as a failed
 * attempt. An address that it could not judge may not be reached.
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
      return await sender.send(request)
    } catch (error) {
      onError(error, 'webhook sender')
      return { type: 'failed', reason: 'The sender failed' }
    }
  },
})
