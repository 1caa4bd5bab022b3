import type { Branch, Deployment, Revision } from '../../domain/agent/agent.ts'
import type { Resource, ResourceChange, ResourceKind } from '../../domain/agent/content.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** One step of main, with the branch and the deployment that go with it; written as a whole or not at all. */
export interface MainCommit {
  readonly agentId: AgentId
  /** The newest revision that the decision was based on. Anything else in the store: `stale`. */
  readonly expectedRevision: number
  /** The number that the agent's newest deployment had; 0 for none. Anything else in the store: `stale`. */
  readonly expectedDeployment: number
  /** The next revision; its number is `expectedRevision + 1`. */
  readonly revision: Revision
  readonly changes: readonly ResourceChange[]
  /** The merged branch as it goes on from the new revision: its own changes are dropped. */
  readonly branch: { readonly expectedVersion: number; readonly next: Branch }
  readonly deployment: Deployment
  /** The run of the deployment's test cases; null when there are none. */
  readonly testRun: TestRun | null
}

/** Which resources to read. All given conditions must hold; none given: all resources. */
export interface ResourceFilter {
  readonly kinds?: readonly ResourceKind[]
  /** Keys as made by `resourceKey`. */
  readonly keys?: readonly string[]
  /** Exact, case-sensitive names, for the kinds whose value has a `name`. */
  readonly names?: readonly string[]
}

/**
 * Main: a line of revisions, each the set of resources that it changed. Revisions never change. Part of the agent's
 * aggregate.
 */
export interface RevisionStore {
  /** The newest revision of main; null when there is no such agent. */
  head(agentId: AgentId): Promise<Revision | null>
  find(agentId: AgentId, number: number): Promise<Revision | null>
  /** For each resource its newest version not after the revision; removed ones left out. In no particular order. */
  resourcesAt(agentId: AgentId, revision: number, filter?: ResourceFilter): Promise<readonly Resource[]>
  /** For each resource that main changed after revision `after` and not after `through`: its newest change there. */
  changesBetween(agentId: AgentId, after: number, through: number): Promise<readonly ResourceChange[]>
  /**
   * Appends a revision to main together with its branch and deployment. Of two commits with the same expectations one
   * wins; the others are `stale` and write nothing.
   */
  commit(commit: MainCommit, outbox?: Outbox): Promise<'committed' | 'stale'>
}
