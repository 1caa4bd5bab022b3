import type { AgentId } from '../../domain/ids.ts'
import type { Access } from './access.ts'

/** Revokes every connector of an agent that goes, so that nothing leads to another agent of the same id later (AC13). */
export async function revokeConnectorsOf(
  access: Pick<Access, 'connectors' | 'revokeConnector'>,
  agentId: AgentId,
): Promise<void> {
  const connectors = await access.connectors()
  const open = connectors.filter(connector => connector.agentId === agentId && connector.revokedAt === null)
  await Promise.all(open.map(({ id }) => access.revokeConnector(id)))
}
