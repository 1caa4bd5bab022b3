import type { Revision } from '../../domain/agent/agent.ts'
import type { ContentTree, Resource } from '../../domain/agent/content.ts'
import { applyChanges, isKind, type ResourceOf, treeOf } from '../../domain/agent/tree.ts'
import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { branchCacheKey } from './branch-view.ts'
import type { AgentsScope } from './scope.ts'

const cacheKey = (agentId: AgentId, revision: number): string => `${agentId}@${revision}`

/** The content at a revision. Kept: revisions never change. @throws PROJECT_NOT_FOUND */
export async function readContent(
  scope: AgentsScope,
  agentId: AgentId,
  revision: number,
): Promise<AgentContent> {
  const key = cacheKey(agentId, revision)
  const cached = scope.contents.get(key)
  if (cached) return cached
  const underWay = scope.loading.get(key)
  if (underWay) return underWay
  const loading = load(scope, agentId, revision)
  scope.loading.set(key, loading)
  try {
    const content = await loading
    // An agent that was deleted meanwhile has dropped the entry; what was read of it must not come back.
    if (scope.loading.get(key) === loading) scope.contents.set(key, content)
    return content
  } finally {
    if (scope.loading.get(key) === loading) scope.loading.delete(key)
  }
}

/** Forgets an agent's content and branches: nobody asks for them again, and another agent of the same id may be created later (FZ42). */
export function forgetAgent(scope: AgentsScope, agentId: AgentId): void {
  for (const cache of [scope.contents, scope.loading]) {
    for (const key of cache.keys()) if (key.startsWith(`${agentId}@`)) cache.delete(key)
  }
  for (const key of scope.branches.keys())
    if (key.startsWith(branchCacheKey(agentId, ''))) scope.branches.delete(key)
}

async function load(scope: AgentsScope, agentId: AgentId, number: number): Promise<AgentContent> {
  const revision = await scope.context.store.agents.revision(agentId, number)
  if (!revision)
    throw new PlatformError('PROJECT_NOT_FOUND', `There is no revision ${number} of agent ${agentId}.`)
  return contentOf(agentId, revision, await loadTree(scope, agentId, number))
}

async function loadTree(scope: AgentsScope, agentId: AgentId, revision: number): Promise<ContentTree> {
  const store = scope.context.store.agents
  const previous = scope.contents.peek(cacheKey(agentId, revision - 1))
  if (!previous) return treeOf(await store.resourcesAt(agentId, revision))
  return applyChanges(previous.tree, await store.changesBetween(agentId, revision - 1, revision))
}

/** Field by field: a spread costs ten times as much, and there are thousands of topics. */
const toTopicRecord = ({ id, value }: ResourceOf<'topics'>): AgentContent['topics'][number] => ({
  id,
  name: value.name,
  content: value.content,
  actions: value.actions,
  exampleQueries: value.exampleQueries,
  isActive: value.isActive,
})

/** Topics of one revision have different names (AG31): no two are equal. */
const topicsByName = (resources: readonly Resource[]): AgentContent['topics'] =>
  resources
    .filter(isKind('topics'))
    .map(toTopicRecord)
    .sort((a, b) => (a.name < b.name ? -1 : 1))

function contentOf(agentId: AgentId, revision: Revision, tree: ContentTree): AgentContent {
  const resources = [...tree.values()]
  const settings = resources.find(isKind('response_settings'))
  if (!settings) throw new Error(`Revision ${revision.number} of agent ${agentId} has no response settings.`)
  let topics: AgentContent['topics'] | null = null
  return {
    // The hash tells two agents apart that had the same id one after the other.
    key: `${agentId}@${revision.number}#${revision.contentHash}`,
    behavior: resources.find(isKind('behavior'))?.value.behavior ?? '',
    responseSettings: settings.value,
    // Put in order when somebody asks: a function or a greeting never does.
    get topics() {
      topics ??= topicsByName(resources)
      return topics
    },
    tree,
  }
}
