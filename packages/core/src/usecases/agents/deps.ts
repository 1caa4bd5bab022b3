import { LRUCache } from 'lru-cache'
import type { Agent, Deployment } from '../../domain/agent/agent.ts'
import type { Caller } from '../../domain/audit/audit.ts'
import type { AgentId, DeploymentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import type { AgentMain } from '../../ports/store/revisions.ts'
import type { Acting, Context } from '../context.ts'
import { createLastUsed } from '../shared/last-used.ts'
import { createSerial, type Serial } from '../shared/serial.ts'
import { untilWritten } from '../shared/until-written.ts'
import type { HotBranch } from './branches/hot-branch.ts'
import { createSchemaChecks, type SchemaChecks } from './content/schema-checks.ts'
import { createWholeContents, type WholeContents } from './whole-contents.ts'

/** Resources kept in memory by each of the two caches; an entry counts as at least one, at most as all. */
const CACHED_RESOURCES = 200_000

/** Notices about agents for other parts of the platform. */
export interface AgentHooks {
  /**
   * Withdraws an agent that is no longer used: ends its open conversations, and revokes its credentials in the caller's
   * name. May be called again.
   */
  withdraw(caller: Caller, agentId: AgentId): Promise<void>
  /** Called when a test run may have been written that has to be run. */
  testRunsDue(): void
}

/** A deployment whose content was read. */
export interface KnownDeployment extends Deployment {
  /** The `key` of that content, kept so that no turn has to compose it again. */
  readonly contentKey: string
}

/** The memory of the use cases of agents, shared by the calls of all callers. */
export interface AgentsMemory {
  /**
   * Contents by agent, revision and content hash, because ids and numbers may come again. `loading` has those being
   * read.
   */
  readonly contents: LRUCache<string, AgentContent>
  readonly loading: Map<string, Promise<AgentContent>>
  /** Deployments whose content was read lately: they never change. */
  readonly deployments: LRUCache<DeploymentId, KnownDeployment>
  /** The changes of branches that were edited lately. Guarded writes make a stale entry harmless. */
  readonly branches: LRUCache<string, HotBranch>
  /** Agents of which content is being prepared, and the revision that comes next. */
  readonly preparing: Map<AgentId, number | null>
  /** Aborted when the platform closes: nothing more is prepared, and later failures are not reported. */
  readonly closing: AbortController
  /** Schemas of real-time configs that were used lately, compiled. */
  readonly schemaChecks: SchemaChecks
  /**
   * One writer of this process at a time for each agent; the store's guarded writes handle those of other processes.
   */
  readonly serialize: Serial<AgentId>
  /** Comparisons and copies of whole contents. */
  readonly wholeContents: WholeContents
}

/** The dependencies of a use case that only reads agents. */
export interface ReadingDeps extends AgentsMemory {
  readonly context: Context
}

/** The dependencies of every use case of agents. */
export interface AgentsDeps extends ReadingDeps {
  readonly hooks: AgentHooks
}

/** The dependencies of a use case of agents that records its caller. */
export interface ActingDeps extends AgentsDeps {
  readonly context: Acting
}

/** The number of deployments whose revision a process remembers. */
const CACHED_DEPLOYMENTS = 10_000

const cacheOf = <Value extends object>(size: (value: Value) => number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({
    maxSize: CACHED_RESOURCES,
    sizeCalculation: value => Math.min(size(value) + 1, CACHED_RESOURCES),
  })

/** Returns an empty memory. */
export const createAgentsMemory = (): AgentsMemory => ({
  contents: cacheOf<AgentContent>(content => content.tree.size),
  loading: new Map(),
  deployments: createLastUsed<DeploymentId, KnownDeployment>(CACHED_DEPLOYMENTS),
  branches: cacheOf<HotBranch>(branch => branch.changes.size),
  preparing: new Map(),
  closing: new AbortController(),
  schemaChecks: createSchemaChecks(),
  serialize: createSerial<AgentId>(),
  wholeContents: createWholeContents(),
})

/** Returns the error for an agent that does not exist. */
export const noAgent = (agentId: AgentId): PlatformError =>
  new PlatformError('PROJECT_NOT_FOUND', `There is no agent ${agentId}.`)

/** Returns the agent. @throws PROJECT_NOT_FOUND */
export async function requireAgent(deps: ReadingDeps, agentId: AgentId): Promise<Agent> {
  const agent = await deps.context.store.agents.find(agentId)
  if (!agent) throw noAgent(agentId)
  return agent
}

/** Returns the agent with how far its main is. @throws PROJECT_NOT_FOUND */
export async function requireMain(deps: ReadingDeps, agentId: AgentId): Promise<AgentMain> {
  const main = await deps.context.store.agents.revisions.main(agentId)
  if (!main) throw noAgent(agentId)
  return main
}

/** Returns the agent's deployment. @throws DEPLOYMENT_NOT_FOUND */
export async function requireDeployment(
  deps: Pick<AgentsDeps, 'context'>,
  agentId: AgentId,
  id: DeploymentId,
): Promise<Deployment> {
  const deployment = await deps.context.store.agents.deployments.find(agentId, id)
  if (!deployment) throw new PlatformError('DEPLOYMENT_NOT_FOUND', `There is no deployment ${id}.`)
  return deployment
}

/**
 * Runs `attempt` until no other writer was faster; `stale` says that one was, and everything is read again.
 * @throws WRITE_CONFLICT after too many attempts
 */
export function retried<T>(
  deps: AgentsDeps,
  agentId: AgentId,
  attempt: () => Promise<T | 'stale'>,
): Promise<T> {
  const conflict = () =>
    new PlatformError('WRITE_CONFLICT', `Agent ${agentId} is being changed elsewhere; try again.`)
  return deps.serialize(agentId, () => untilWritten(conflict, attempt))
}
