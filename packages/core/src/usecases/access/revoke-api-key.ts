import type { ApiKeyId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { topics } from '../../ports/notices.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting } from '../context.ts'

/** See `Access.revokeApiKey`. */
export async function revokeApiKey(context: Acting, id: ApiKeyId): Promise<void> {
  const { clock, notices, store } = context
  const key = await store.access.apiKeys.find(id)
  if (key === null) throw new PlatformError('API_KEY_NOT_FOUND', 'There is no API key of that id.')
  const entry = auditEntry(context, 'api_key.revoked', {
    ...{ accountId: key.accountId, agentId: key.agentId, resourceId: id },
    details: { kind: key.kind, name: key.name },
  })
  await store.access.apiKeys.revoke(id, clock.now(), { audit: entry })
  // A revocation is final, so there is nothing more to write.
  notices.publish(topics.credential(id), { changed: true })
}
