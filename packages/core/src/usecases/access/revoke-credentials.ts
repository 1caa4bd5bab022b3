import type { AgentId } from '../../domain/ids.ts'
import type { Access } from './access.ts'

/**
 * Revokes every connector of an agent that goes, and every key that is limited to it, so that nothing leads to another agent of the
 * same id later (AC13, AC15).
 */
export async function revokeCredentialsOf(
  access: Pick<Access, 'apiKeys' | 'connectors' | 'revokeApiKey' | 'revokeConnector'>,
  agentId: AgentId,
): Promise<void> {
  const isOpen = (one: { readonly agentId: AgentId | null; readonly revokedAt: number | null }) =>
    one.agentId === agentId && one.revokedAt === null
  const [connectors, keys] = await Promise.all([access.connectors(), access.apiKeys()])
  await Promise.all([
    ...connectors.filter(isOpen).map(({ id }) => access.revokeConnector(id)),
    ...keys.filter(isOpen).map(({ id }) => access.revokeApiKey(id)),
  ])
}
