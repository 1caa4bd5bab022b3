import type { Agent, AgentId, Branch, Deployment, Environment } from '@colloquy/core'
import { type ResourceChange, resourceKey } from '@colloquy/core/domain'
import type { RealTimeConfig, Revision } from '@colloquy/core/store'
import type { HeldTestRuns } from './test-runs.ts'

/** A branch with its own changes, by resource key. */
export interface HeldBranch {
  branch: Branch
  readonly changes: Map<string, ResourceChange>
}

/** An agent with all that belongs to it. Revision n stands at n - 1 of its list, and so does deployment n. */
export interface HeldAgent {
  agent: Agent
  readonly branches: Map<string, HeldBranch>
  readonly revisions: Revision[]
  /** What main's revisions did to each resource, by its key, oldest first. */
  readonly versions: Map<string, { readonly revision: number; readonly change: ResourceChange }[]>
  readonly deployments: Deployment[]
  readonly realTimeConfigs: Map<Environment, RealTimeConfig>
  readonly testRuns: HeldTestRuns
}

/** Adds a revision to main. */
export function appendRevision(
  held: HeldAgent,
  revision: Revision,
  changes: readonly ResourceChange[],
): void {
  held.revisions.push(revision)
  for (const change of changes) {
    const key = resourceKey(change)
    const versions = held.versions.get(key) ?? []
    versions.push({ revision: revision.number, change })
    held.versions.set(key, versions)
  }
}

/** For each resource that a revision of `(after, through]` changed, the newest change there. */
export const newestChanges = (
  held: HeldAgent | undefined,
  after: number,
  through: number,
): ResourceChange[] =>
  [...(held?.versions.values() ?? [])].flatMap(versions => {
    const newest = versions.findLast(({ revision }) => revision <= through)
    return newest === undefined || newest.revision <= after ? [] : [newest.change]
  })

/** All agents, by id. */
export type HeldAgents = ReadonlyMap<AgentId, HeldAgent>
