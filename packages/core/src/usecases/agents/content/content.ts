import type { Deployment, Revision } from '../../../domain/agent/agent.ts'
import type { ContentTree, Resource } from '../../../domain/agent/content.ts'
import { applyChanges, isKind, type ResourceOf, treeOf } from '../../../domain/agent/tree.ts'
import type { AgentId, DeploymentId } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import { branchCacheKey } from '../branches/branch-view.ts'
import { type AgentsDeps, type ReadingDeps, requireDeployment } from '../deps.ts'

/** The dependencies of reading content. */
export type ContentDeps = Pick<AgentsDeps, 'context' | 'contents' | 'loading'>

/** A revision by its number and the hash of what it holds. */
type RevisionKey = Pick<Revision, 'number' | 'contentHash'>

/**
 * Returns the key of a content. Equal keys mean equal contents, also for an earlier agent with the same id: the hash is
 * part of the key (AG35).
 */
const cacheKey = (agentId: AgentId, { number, contentHash }: RevisionKey): string =>
  `${agentId}@${number}#${contentHash}`

const noRevision = (agentId: AgentId, number: number): PlatformError =>
  new PlatformError('PROJECT_NOT_FOUND', `There is no revision ${number} of agent ${agentId}.`)

/** Returns a revision of the agent that has the id now. @throws PROJECT_NOT_FOUND */
export async function readRevision(deps: ReadingDeps, agentId: AgentId, number: number): Promise<Revision> {
  const revision = await deps.context.store.agents.revisions.find(agentId, number)
  if (revision === null) throw noRevision(agentId, number)
  return revision
}

/**
 * Returns the content at a revision of the agent that has the id now. Kept: revisions never change.
 * @throws PROJECT_NOT_FOUND
 */
export const readContent = async (
  deps: ReadingDeps,
  agentId: AgentId,
  number: number,
): Promise<AgentContent> => contentAt(deps, agentId, await readRevision(deps, agentId, number))

/**
 * Returns the content that a deployment of the agent that has the id now points to. Ids of deployments are never used
 * twice: the deployment of an earlier agent with the same id is not found. @throws DEPLOYMENT_NOT_FOUND,
 * PROJECT_NOT_FOUND
 */
export async function readDeploymentContent(
  deps: ContentDeps,
  agentId: AgentId,
  deploymentId: DeploymentId,
): Promise<AgentContent> {
  return deployedContent(deps, await requireDeployment(deps, agentId, deploymentId))
}

/** Returns the content of a deployment that was read just now. @throws PROJECT_NOT_FOUND */
export const deployedContent = (
  deps: ContentDeps,
  { agentId, revision, version }: Deployment,
): Promise<AgentContent> => contentAt(deps, agentId, { number: revision, contentHash: version })

async function contentAt(deps: ContentDeps, agentId: AgentId, revision: RevisionKey): Promise<AgentContent> {
  const key = cacheKey(agentId, revision)
  const cached = deps.contents.get(key)
  if (cached) return cached
  const underWay = deps.loading.get(key)
  if (underWay) return underWay
  const loading = load(deps, agentId, revision)
  deps.loading.set(key, loading)
  try {
    const content = await loading
    // If the agent was deleted meanwhile, its entry was dropped. The content must not be cached again then.
    if (deps.loading.get(key) === loading) deps.contents.set(key, content)
    return content
  } finally {
    if (deps.loading.get(key) === loading) deps.loading.delete(key)
  }
}

/** Forgets an agent's content and branches, which are not read again (FZ5). */
export function forgetAgent(deps: AgentsDeps, agentId: AgentId): void {
  for (const cache of [deps.contents, deps.loading]) {
    for (const key of cache.keys()) if (key.startsWith(`${agentId}@`)) cache.delete(key)
  }
  for (const [id, deployment] of deps.deployments.entries())
    if (deployment.agentId === agentId) deps.deployments.delete(id)
  for (const key of deps.branches.keys())
    if (key.startsWith(branchCacheKey(agentId, ''))) deps.branches.delete(key)
}

async function load(deps: ContentDeps, agentId: AgentId, revision: RevisionKey): Promise<AgentContent> {
  const tree = await loadTree(deps, agentId, revision.number)
  // Several reads: another agent may have taken the id between them.
  const after = await deps.context.store.agents.revisions.find(agentId, revision.number)
  if (after?.contentHash !== revision.contentHash) throw noRevision(agentId, revision.number)
  return contentOf(cacheKey(agentId, revision), tree)
}

async function loadTree(deps: ContentDeps, agentId: AgentId, number: number): Promise<ContentTree> {
  const store = deps.context.store.agents
  const before = number > 1 ? await store.revisions.find(agentId, number - 1) : null
  const previous = before === null ? undefined : deps.contents.peek(cacheKey(agentId, before))
  if (!previous) return treeOf(await store.revisions.resourcesAt(agentId, number))
  return applyChanges(previous.tree, await store.revisions.changesBetween(agentId, number - 1, number))
}

/** Copies field by field: a spread costs ten times as much, and there are thousands of topics. */
const toTopicRecord = ({ id, value }: ResourceOf<'topics'>): AgentContent['topics'][number] => ({
  id,
  name: value.name,
  content: value.content,
  actions: value.actions,
  exampleQueries: value.exampleQueries,
  isActive: value.isActive,
})

/** Topics of one revision have different names (AG30): no two are equal. */
const topicsByName = (resources: readonly Resource[]): AgentContent['topics'] =>
  resources
    .filter(isKind('topics'))
    .map(toTopicRecord)
    .sort((a, b) => (a.name < b.name ? -1 : 1))

/** Returns a tree as runtimes see it. */
export function contentOf(key: string, tree: ContentTree): AgentContent {
  const resources = [...tree.values()]
  const settings = resources.find(isKind('response_settings'))
  if (!settings) throw new Error(`The content ${key} has no response settings.`)
  let topics: AgentContent['topics'] | null = null
  return {
    key,
    behavior: resources.find(isKind('behavior'))?.value.behavior ?? '',
    responseSettings: settings.value,
    // Sorted on first use: functions and greetings never need it.
    get topics() {
      topics ??= topicsByName(resources)
      return topics
    },
    tree,
  }
}
