import type { AnyConnector, Connector, TelephonyConnector } from '../../domain/access/access.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Subject } from '../audit/audit-entry.ts'

/** Returns the connector as entries of the audit log name it. */
export const connectorSubject = ({ accountId, agentId, id }: AnyConnector): Subject => ({
  accountId,
  agentId,
  resourceId: id,
})

/** Returns a connector's settings as the audit log shows them: all that can be changed, and nothing of its token. */
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

/** Returns a telephony connector's settings as the audit log shows them. It can also move to another agent. */
export const telephonyConnectorSettings = (connector: TelephonyConnector): JsonObject => {
  const { kind, name, agentId, environment, variantId } = connector
  const { asrLangCode, ttsLangCode, voiceName, disableHandoff } = connector
  const speech = { asrLangCode, ttsLangCode, voiceName, disableHandoff }
  return { kind, name, agentId, environment, variantId, ...speech }
}
