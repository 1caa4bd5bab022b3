import type { Connector } from '../../domain/access/access.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Subject } from '../audit/audit-entry.ts'

/** The connector as entries of the audit log name it. */
export const connectorSubject = ({ accountId, agentId, id }: Connector): Subject => ({
  accountId,
  agentId,
  resourceId: id,
})

/** A connector's settings as the audit log shows them: all that can be changed, and nothing of its token. */
export const connectorSettings = ({
  name,
  environment,
  hosts,
  variantId,
  expiresAt,
  handoff: { mode, queueName, timeoutSeconds },
}: Connector): JsonObject => ({
  ...{ name, environment, hosts, variantId, expiresAt },
  handoff: { mode, queueName, timeoutSeconds },
})
