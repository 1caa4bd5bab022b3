import type { Caller } from '../../domain/audit/audit.ts'
import type { AgentId } from '../../domain/ids.ts'
import { eachPage } from '../shared/page.ts'
import type { AccessCalls } from './access.ts'

const isOpen = ({ revokedAt }: { readonly revokedAt: number | null }): boolean => revokedAt === null

/**
 * Revokes every connector of an agent that goes, and every key that is limited to it, so that nothing leads to another
 * agent of the same id later (AC13, AC15).
 */
export async function revokeCredentialsOf(
  { acts, common }: AccessCalls,
  caller: Caller,
  agentId: AgentId,
): Promise<void> {
  for await (const { connectors } of eachPage(page => common.connectors({ ...page, agentId })))
    await Promise.all(connectors.filter(isOpen).map(({ id }) => acts.revokeConnector(caller, id)))
  const telephony = await common.telephonyConnectors(agentId)
  await Promise.all(telephony.map(({ id }) => acts.revokeTelephonyConnector(caller, agentId, id)))
  for await (const { apiKeys } of eachPage(page => common.apiKeys({ ...page, agentId })))
    await Promise.all(apiKeys.filter(isOpen).map(({ id }) => acts.revokeApiKey(caller, id)))
}
