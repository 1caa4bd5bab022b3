import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { AgentRecord } from '../../../domain/agent/agent.ts'
import type { AgentId } from '../../../domain/ids.ts'
import { type ActingDeps, type AgentsDeps, requireAgent, requireMain } from '../deps.ts'
import { type FirstContent, newAgentSchema, writeAgent } from './lifecycle.ts'

/** The schema of {@link DuplicateInput}. */
export const duplicateSchema = z.object({
  /** 1 to 100 characters. */
  newAgentName: newAgentSchema.shape.name,
  /** As for a new agent. @default a new one, `PROJECT-<id>` */
  newAgentId: newAgentSchema.shape.agentId,
})

/** The name of an agent's copy. */
export type DuplicateInput = InputOf<typeof duplicateSchema>

/**
 * Creates an agent in the same account with the content of this one's main, ids of resources included. So both have the
 * same content hash. Branches, deployments and configs are not copied (AG21).
 * @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED also for content that is too large (AG72),
 * PROJECT_ID_ALREADY_EXISTS
 */
export async function duplicateAgent(
  deps: ActingDeps,
  agentId: AgentId,
  { newAgentName: name, newAgentId: newId }: DuplicateInput,
): Promise<AgentRecord> {
  const { accountId } = await requireAgent(deps, agentId)
  const origin = { action: 'agent.duplicated', copyOf: agentId } as const
  return writeAgent(deps, { accountId, name, agentId: newId }, await mainContent(deps, agentId), origin)
}

/**
 * Returns the content of main, all from one agent: an agent that takes the id of a deleted one meanwhile is not mixed
 * in.
 */
async function mainContent(deps: AgentsDeps, agentId: AgentId): Promise<FirstContent> {
  const store = deps.context.store.agents
  for (;;) {
    const { head } = await requireMain(deps, agentId)
    const resources = await store.revisions.resourcesAt(agentId, head.number)
    const after = await store.revisions.find(agentId, head.number)
    if (after?.contentHash === head.contentHash && after.createdAt === head.createdAt)
      return { resources, hash: head.contentHash, bytes: head.contentBytes }
  }
}
