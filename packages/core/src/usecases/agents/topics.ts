import { type Topic, topicSchema } from '../../domain/agent/content.ts'
import { removal } from '../../domain/agent/tree.ts'
import type { AgentId, BranchId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { checked } from '../checked.ts'
import { type BranchView, nameTaken, resourceIn, resourcesIn, viewBranch } from './branch-view.ts'
import { editBranch } from './edit-branch.ts'
import type { AgentsScope } from './scope.ts'

/** A topic with its id. */
export type TopicRecord = Topic & { readonly id: string }

async function requireTopic(scope: AgentsScope, view: BranchView, id: string): Promise<TopicRecord> {
  const topic = await resourceIn(scope, view, 'topics', id)
  if (!topic) throw new PlatformError('TOPIC_NOT_FOUND', `There is no topic ${id} on this branch.`)
  return { ...topic.value, id }
}

async function refuseTakenName(
  scope: AgentsScope,
  view: BranchView,
  name: string,
  exceptId: string | null,
): Promise<void> {
  if (await nameTaken(scope, view, 'topics', name, exceptId)) {
    const message = `A topic named "${name}" exists already on this branch.`
    throw new PlatformError('KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS', message)
  }
}

/** All topics of the branch, by name. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
export async function listTopics(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
): Promise<readonly TopicRecord[]> {
  const topics = await resourcesIn(scope, await viewBranch(scope, agentId, branchId), 'topics')
  return topics.map(({ id, value }) => ({ ...value, id }))
}

/** @throws TOPIC_NOT_FOUND */
export async function readTopic(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  topicId: string,
): Promise<TopicRecord> {
  return requireTopic(scope, await viewBranch(scope, agentId, branchId), topicId)
}

/** Active unless said otherwise. @throws SCHEMA_VALIDATION_FAILED, KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS */
export async function createTopic(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  input: Pick<Topic, 'name' | 'content'> & Partial<Topic>,
): Promise<TopicRecord> {
  const value = checked(topicSchema, { actions: '', exampleQueries: [], isActive: true, ...input })
  const id = `TOPIC-${scope.context.ids.short()}`
  return editBranch(scope, agentId, branchId, async view => {
    await refuseTakenName(scope, view, value.name, null)
    return { changes: [{ kind: 'topics', id, value }], result: { ...value, id } }
  })
}

/** Changes the given fields. @throws TOPIC_NOT_FOUND, SCHEMA_VALIDATION_FAILED, KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS */
export async function updateTopic(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  topicId: string,
  change: Partial<Topic>,
): Promise<TopicRecord> {
  return editBranch(scope, agentId, branchId, async view => {
    const value = checked(topicSchema, { ...(await requireTopic(scope, view, topicId)), ...change })
    await refuseTakenName(scope, view, value.name, topicId)
    return { changes: [{ kind: 'topics', id: topicId, value }], result: { ...value, id: topicId } }
  })
}

/** @throws TOPIC_NOT_FOUND */
export async function deleteTopic(
  scope: AgentsScope,
  agentId: AgentId,
  branchId: BranchId,
  topicId: string,
): Promise<void> {
  return editBranch(scope, agentId, branchId, async view => {
    await requireTopic(scope, view, topicId)
    return { changes: [removal({ kind: 'topics', id: topicId })], result: undefined }
  })
}
