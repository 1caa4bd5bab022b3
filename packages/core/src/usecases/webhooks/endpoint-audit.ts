import { changedFields, originOf } from '../../domain/audit/details.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { WebhookEndpoint } from '../../domain/webhook/webhook.ts'
import type { Subject } from '../audit/audit-entry.ts'

/** Returns the endpoint as entries of the audit log name it. */
export const endpointSubject = ({ accountId, id }: WebhookEndpoint): Subject => ({
  accountId,
  resourceId: id,
})

/**
 * Returns an endpoint's settings as the audit log shows them: the origin of its address, the names of its headers, and
 * nothing of its secrets.
 */
export const endpointSettings = (endpoint: WebhookEndpoint): JsonObject => {
  const { name, url, eventTypes, headers, timeout, enabled } = endpoint
  return { name, url: originOf(url), eventTypes, headers: Object.keys(headers), timeout, enabled }
}

/** Returns the audit subject of a change. A changed URL is recorded even when both URLs have one origin. */
export function endpointChange(before: WebhookEndpoint, after: WebhookEndpoint): Subject {
  const url = before.url === after.url ? {} : { url: { from: originOf(before.url), to: originOf(after.url) } }
  const changes = { ...changedFields(endpointSettings(before), endpointSettings(after)), ...url }
  return { ...endpointSubject(before), details: { changes } }
}
