import type { AgentId } from '../../domain/ids.ts'
import { eachPage } from '../shared/page.ts'
import type { Access } from './access.ts'

const isOpen = ({ revokedAt }: { readonly revokedAt: number | null }): boolean => revokedAt === null

/**
 * Revokes every connector of an agent that goes, and every key that is limited to it, so that nothing leads to another
 * agent of the same id later (AU13). That is the act of the caller whose calls these are.
 */
export async function revokeCredentialsOf(access: Access, agentId: AgentId): Promise<void> {
  for await (const { connectors } of eachPage(page => access.connectors({ ...page, agentId })))
    await Promise.all(connectors.filter(isOpen).map(({ id }) => access.revokeConnector(id)))
  const telephony = await access.telephonyConnectors(agentId)
  await Promise.all(telephony.map(({ id }) => access.revokeTelephonyConnector(agentId, id)))
  for await (const { apiKeys } of eachPage(page => access.apiKeys({ ...page, agentId })))
    await Promise.all(apiKeys.filter(isOpen).map(({ id }) => access.revokeApiKey(id)))
}
