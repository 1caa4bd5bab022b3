import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { Agent, AgentRecord, Branch } from '../../../domain/agent/agent.ts'
import { CONTENT_LIMITS, type Resource } from '../../../domain/agent/content.ts'
import { contentBytes, refuseLargerContent } from '../../../domain/agent/content-bytes.ts'
import { contentHash } from '../../../domain/agent/content-hash.ts'
import { properNameSchema } from '../../../domain/agent/proper-name.ts'
import { parseResource, treeOf } from '../../../domain/agent/tree.ts'
import { type AccountId, type AgentId, MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import { PlatformError } from '../../../errors.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { mainAt } from '../branches/branch-view.ts'
import { forgetAgent } from '../content/content.ts'
import { type ActingDeps, type AgentsDeps, noAgent, requireAgent, retried } from '../deps.ts'

const DEFAULT_LANGUAGE = 'en-GB'

/** The optional fields of a new agent (contract/agents.md, Agents). */
export const newAgentSchema = z.object({
  /** 1 to 100 characters. */
  name: properNameSchema(CONTENT_LIMITS.nameLength),
  /**
   * Letters, digits and hyphens, at most 100; not the id of an existing agent, nor of one that another account ever
   * had.
   * @default a new one, `PROJECT-<id>`
   */
  agentId: z
    .string()
    .max(CONTENT_LIMITS.nameLength)
    .regex(/^[a-zA-Z0-9-]+$/, 'only letters, digits and hyphens')
    .optional(),
  /** 1 to 10,000 characters. */
  greeting: z.string().min(1).max(CONTENT_LIMITS.greetingLength),
  /** @default "en-GB" */
  languageCode: z.string().min(2).max(35).optional(),
  voiceId: z.string().max(200).optional(),
  modelId: z.string().max(200).optional(),
})

/** The fields of a new agent of an account, which is given by its id or its slug. */
export const agentInputSchema = newAgentSchema.extend({ accountId: z.string() })

/** A new agent of an account. */
export type NewAgentInput = InputOf<typeof agentInputSchema>

function firstContent(deps: AgentsDeps, input: z.output<typeof newAgentSchema>): readonly Resource[] {
  return [
    parseResource('behavior', '', { behavior: '' }),
    parseResource('response_settings', '', {
      greeting: input.greeting,
      languageCode: input.languageCode ?? DEFAULT_LANGUAGE,
      voiceId: input.voiceId ?? null,
      modelId: input.modelId ?? null,
    }),
    parseResource('variants', `VARIANT-${deps.context.ids.short()}`, {
      name: 'default',
      isDefault: true,
      attributeValues: {},
    }),
  ]
}

/** Content that an agent may begin with. */
export interface FirstContent {
  readonly resources: readonly Resource[]
  readonly hash: string
  readonly bytes: number
}

/** The origin of a new agent, as the audit log records it. */
type Origin =
  | { readonly action: 'agent.created' }
  | { readonly action: 'agent.duplicated'; readonly copyOf: AgentId }

/** Returns the agent as entries of the audit log name it. */
const agentSubject = ({ accountId, id }: Agent) => ({ accountId, agentId: id, resourceId: id })

/**
 * Writes an agent with one branch, `main`, at revision 1.
 * @throws PROJECT_ID_ALREADY_EXISTS, SCHEMA_VALIDATION_FAILED for content that is too large (AG72)
 */
export async function writeAgent(
  deps: ActingDeps,
  about: { readonly accountId: AccountId; readonly name: string; readonly agentId?: string | undefined },
  content: FirstContent,
  origin: Origin = { action: 'agent.created' },
): Promise<AgentRecord> {
  const { clock, ids, settings, store } = deps.context
  refuseLargerContent(settings.limits.contentBytes, 0, content.bytes)
  const now = clock.now()
  const id: AgentId = about.agentId ?? `PROJECT-${ids.short()}`
  const agent: Agent = { id, accountId: about.accountId, name: about.name, createdAt: now, updatedAt: now }
  const stamp = { baseRevision: 1, version: 1, createdAt: now, updatedAt: now }
  const main: Branch = { id: MAIN_BRANCH_ID, agentId: id, name: 'main', ...stamp }
  const revision = { number: 1, contentHash: content.hash, contentBytes: content.bytes, createdAt: now }
  forgetAgent(deps, id)
  const { action, ...details } = origin
  const entry = auditEntry(deps.context, action, {
    ...agentSubject(agent),
    details: { name: agent.name, ...details },
  })
  const outcome = await store.agents.create(
    { agent, main, revision, changes: content.resources },
    { audit: entry },
  )
  if (outcome === 'taken') {
    throw new PlatformError('PROJECT_ID_ALREADY_EXISTS', `The agent id ${id} is taken; choose another.`)
  }
  return { ...agent, branchCount: 1 }
}

/**
 * Creates an agent with one branch, `main`, at revision 1: its response settings, an empty behavior and one variant,
 * the default one (contract/agents.md, Agents). @throws SCHEMA_VALIDATION_FAILED, ACCOUNT_NOT_FOUND,
 * PROJECT_ID_ALREADY_EXISTS
 */
export async function createAgent(deps: ActingDeps, given: NewAgentInput): Promise<AgentRecord> {
  const account = await deps.context.store.access.accounts.find(given.accountId)
  if (account === null)
    throw new PlatformError('ACCOUNT_NOT_FOUND', `There is no account ${given.accountId}.`)
  const resources = firstContent(deps, given)
  const about = { accountId: account.id, name: given.name, agentId: given.agentId }
  const tree = treeOf(resources)
  return writeAgent(deps, about, { resources, hash: contentHash(tree), bytes: contentBytes(tree) })
}

/**
 * Returns the agent's branches, main first and as of its newest revision, then oldest first. Empty when there is no
 * such agent.
 */
export async function listBranchesOf(deps: AgentsDeps, agentId: AgentId): Promise<readonly Branch[]> {
  const store = deps.context.store.agents
  const [branches, found] = await Promise.all([store.branches.list(agentId), store.revisions.main(agentId)])
  const main = branches.filter(branch => branch.id === MAIN_BRANCH_ID)
  const others = branches.filter(branch => branch.id !== MAIN_BRANCH_ID)
  return [...main.map(branch => (found ? mainAt(branch, found.head) : branch)), ...others]
}

/**
 * Returns the account's agents, oldest first. `updatedAt` is the newest write of any branch. The account is named by id
 * or slug.
 */
export async function listAgents(deps: AgentsDeps, accountId: AccountId): Promise<readonly AgentRecord[]> {
  const { access, agents: store } = deps.context.store
  const account = await access.accounts.find(accountId)
  const agents = account === null ? [] : await store.list(account.id)
  const records = await Promise.all(agents.map(({ id }) => store.findRecord(id)))
  // One that was deleted meanwhile has none.
  return records.filter(record => record !== null)
}

/** Finds an agent. Returns null when there is no such agent. */
export const findAgent = (deps: AgentsDeps, agentId: AgentId): Promise<AgentRecord | null> =>
  deps.context.store.agents.findRecord(agentId)

/** The schema of {@link UpdateAgentInput}. */
export const updateAgentSchema = newAgentSchema.pick({ name: true })

/** The new name of an agent. */
export type UpdateAgentInput = InputOf<typeof updateAgentSchema>

/**
 * Renames the agent; its id stays. Writes nothing if the name is the same.
 *
 * @throws SCHEMA_VALIDATION_FAILED, PROJECT_NOT_FOUND, WRITE_CONFLICT
 */
export async function updateAgent(
  deps: ActingDeps,
  agentId: AgentId,
  { name }: UpdateAgentInput,
): Promise<AgentRecord> {
  const { clock, store } = deps.context
  return retried(deps, agentId, async () => {
    const agent = await store.agents.findRecord(agentId)
    if (agent === null) throw noAgent(agentId)
    if (agent.name === name) return agent
    const [renaming, now] = [{ before: agent.name, after: name }, clock.now()]
    const entry = auditEntry(deps.context, 'agent.updated', { ...agentSubject(agent), details: renaming })
    const isWritten = await store.agents.rename(agentId, renaming, now, { audit: entry })
    return isWritten ? { ...agent, name, updatedAt: Math.max(agent.updatedAt, now) } : 'stale'
  })
}

/**
 * Ends the agent's conversations and removes it with its branches and deployments. A crash on the way leaves an agent
 * that can be deleted again. Conversations that begin meanwhile end afterwards. @throws PROJECT_NOT_FOUND
 */
export async function deleteAgent(deps: ActingDeps, agentId: AgentId): Promise<void> {
  const { clock, store } = deps.context
  const agent = await requireAgent(deps, agentId)
  await deps.hooks.withdraw(deps.context.caller, agentId)
  const details = { name: agent.name }
  const entry = auditEntry(deps.context, 'agent.deleted', { ...agentSubject(agent), details })
  if (!(await store.agents.delete(agentId, clock.now(), { audit: entry }))) throw noAgent(agentId)
  forgetAgent(deps, agentId)
  await deps.hooks.withdraw(deps.context.caller, agentId)
}
