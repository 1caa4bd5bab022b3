import type { Agent, Branch, Deployment, Revision } from '../../domain/agent/agent.ts'
import type { Resource, ResourceChange, ResourceKind } from '../../domain/agent/content.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** An agent, and how far its main is, at one instant. */
export interface AgentMain {
  readonly agent: Agent
  /** The newest revision. */
  readonly head: Revision
  /** The number of the newest deployment, 0 without one. */
  readonly lastDeployment: number
}

/** The next revision of main with its branch and deployment, written atomically. */
export interface MainCommit {
  readonly agentId: AgentId
  /** The newest revision that the decision was based on. If the store has another one: `stale`. */
  readonly expectedRevision: number
  /** The number of the agent's newest deployment, 0 without one. If the store has another one: `stale`. */
  readonly expectedDeployment: number
  /** The next revision; its number is `expectedRevision + 1`. */
  readonly revision: Revision
  readonly changes: readonly ResourceChange[]
  /** The merged branch, based on the new revision: its own changes are dropped. */
  readonly branch: { readonly expectedVersion: number; readonly next: Branch }
  readonly deployment: Deployment
  /** The run of the deployment's test cases; null without test cases. */
  readonly testRun: TestRun | null
}

/** The filter for resources to read. All given conditions must hold; without conditions, all resources. */
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
  /** Null when there is no such agent. */
  main(agentId: AgentId): Promise<AgentMain | null>
  find(agentId: AgentId, number: number): Promise<Revision | null>
  /** The resources as of that revision, without removed ones, in no particular order. */
  resourcesAt(agentId: AgentId, revision: number, filter?: ResourceFilter): Promise<readonly Resource[]>
  /** The newest change of each resource that main changed after revision `after`, up to and including `through`. */
  changesBetween(agentId: AgentId, after: number, through: number): Promise<readonly ResourceChange[]>
  /**
   * Appends a revision to main together with its branch and deployment. Of several commits with the same expectations
   * one wins; the others are `stale` and write nothing.
   */
  commit(commit: MainCommit, outbox?: Outbox): Promise<'committed' | 'stale'>
}
