import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * The host's webhook sender (EM1): what it throws, or rejects with, is reported to `onError`, and counts as a failed
 * attempt. An address that it could not judge may not be reached.
 */
export const guardWebhookSender = (sender: WebhookSender, onError: Settings['onError']): WebhookSender => ({
  objection(url) {
    try {
      const reason: unknown = sender.objection(url)
      if (reason === null || typeof reason === 'string') return reason
      // An asynchronous one that rejects must not end the process.
      Promise.resolve(reason).catch(() => undefined)
      throw new TypeError('webhookSender.objection must return a string or null.')
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
