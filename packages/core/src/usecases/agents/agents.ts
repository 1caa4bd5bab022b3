import * as z from 'zod'
import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { AgentRecord, Branch, Deployment } from '../../domain/agent/agent.ts'
import type { Difference } from '../../domain/agent/conflict.ts'
import {
  type Attribute,
  attributeSchema,
  behaviorSchema,
  type ResponseSettings,
  type ResponseSettingsChange,
  responseSettingsSchema,
  type Topic,
  topicSchema,
  type Variant,
  variantSchema,
} from '../../domain/agent/content.ts'
import { DEPLOYMENT_LIMITS } from '../../domain/agent/deployment.ts'
import type { Replay, ReplayReport } from '../../domain/agent/replay.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId, TestRunId } from '../../domain/ids.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import {
  acceptReplayGroup,
  listReplays,
  type ReplayAcceptance,
  type ReplayQuery,
  type ReplayTurnPage,
  type ReplayTurnQuery,
  readReplay,
  readReplayTurns,
  replayAcceptanceSchema,
  replayQuerySchema,
  replayTurnQuerySchema,
} from '../agent-tests/replays.ts'
import { type ReplayInput, replayInputSchema, startReplay } from '../agent-tests/start-replay.ts'
import { startTestRun, type TestRunInput, testRunInputSchema } from '../agent-tests/start-test-run.ts'
import { type TestCases, testCaseCalls } from '../agent-tests/test-cases.ts'
import { type TestRuns, testRunCalls } from '../agent-tests/test-runs.ts'
import { accountId, agentId, anyOf, branchId, naming, own, text } from '../shared/arguments.ts'
import {
  type BranchRecord,
  createBranch,
  deleteBranch,
  listBranches,
  readBranch,
} from './branches/branches.ts'
import { type BranchDiff, diffBranch } from './branches/diff-branch.ts'
import { type MergeInput, type MergeOutcome, mergeBranch, mergeInputSchema } from './branches/merge-branch.ts'
import {
  type MergePreviewInput,
  type MergeResultPreview,
  mergePreviewSchema,
  previewMergeOf,
} from './branches/preview-merge.ts'
import { attributes } from './content/attributes.ts'
import { readBehavior, updateBehavior } from './content/behavior.ts'
import {
  type BranchTree,
  type BranchWrite,
  branchWriteSchema,
  readBranchTree,
  writeBranchTree,
} from './content/branch-tree.ts'
import { readContent, readDeploymentContent } from './content/content.ts'
import { updating } from './content/named-resources.ts'
import {
  type JsonInput,
  listRealTimeConfigs,
  type RealTimeConfigRecord,
  readRealTimeConfig,
  updateRealTimeConfigSchema,
  updateRealTimeConfigVariables,
} from './content/real-time-configs.ts'
import type { Expecting } from './content/refuse-changed.ts'
import { readResponseSettings, updateResponseSettings } from './content/response-settings.ts'
import { topics } from './content/topics.ts'
import { variants } from './content/variants.ts'
import type { ActingDeps, AgentsDeps } from './deps.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { compareDeployments } from './releases/compare-deployments.ts'
import {
  activeDeployments,
  type Deployed,
  type DeployInput,
  deployInputSchema,
  listDeployments,
  type PromoteInput,
  type PublishInput,
  promote,
  promoteInputSchema,
  publish,
  publishInputSchema,
  rollback,
} from './releases/deploy.ts'
import { type DuplicateInput, duplicateAgent, duplicateSchema } from './releases/duplicate-agent.ts'
import {
  agentInputSchema,
  createAgent,
  deleteAgent,
  findAgent,
  listAgents,
  type NewAgentInput,
  type UpdateAgentInput,
  updateAgent,
  updateAgentSchema,
} from './releases/lifecycle.ts'
import { type PublicationPreview, previewPublish } from './releases/preview-publish.ts'
import { type Rollouts, rolloutCalls } from './rollouts/rollouts.ts'

/** A topic, an attribute or a variant, with its id. */
export type WithId<Value> = Value & { readonly id: string }

/**
 * Agents as versioned content: branches, merges, deployments (contract/agents.md). Calls about an agent throw
 * `PROJECT_NOT_FOUND` when it does not exist, calls about a branch `BRANCH_NOT_FOUND`. Calls that write to a branch
 * throw `MAIN_BRANCH_READ_ONLY` for main, `SCHEMA_VALIDATION_FAILED` for invalid input, and `WRITE_CONFLICT` when other
 * processes were faster repeatedly. The errors below come on top of these.
 */
export interface Agents {
  /**
   * Creates an agent with main alone, which holds the settings, an empty behavior and one variant.
   * @throws ACCOUNT_NOT_FOUND, PROJECT_ID_ALREADY_EXISTS
   */
  create(input: NewAgentInput): Promise<AgentRecord>
  /** Lists the account's agents, oldest first. Empty also for an unknown account. A slug works as well. */
  list(accountId: AccountId): Promise<readonly AgentRecord[]>
  /** Finds an agent. Returns null if there is no such agent. */
  find(agentId: AgentId): Promise<AgentRecord | null>
  /**
   * Creates an agent of the same account from the content of this one's main, under the same ids: behavior, response
   * settings, topics, attributes, variants, test cases. @throws PROJECT_ID_ALREADY_EXISTS
   */
  duplicate(agentId: AgentId, input: DuplicateInput): Promise<AgentRecord>
  /** Renames the agent; its id stays. */
  update(agentId: AgentId, input: UpdateAgentInput): Promise<AgentRecord>
  /** Removes the agent with its branches and deployments, and ends its open conversations; their records stay. */
  delete(agentId: AgentId): Promise<void>

  /** Lists the branches of an agent: main first, then oldest first. */
  branches(agentId: AgentId): Promise<readonly Branch[]>
  /** Returns a branch with its changes since its base revision. */
  branch(agentId: AgentId, branchId: BranchId): Promise<BranchRecord>
  /** Creates a branch at main's newest revision. @throws BRANCH_ALREADY_EXISTS for the name `main` */
  createBranch(agentId: AgentId, input: { readonly branchName: string }): Promise<Branch>
  /** Removes a branch with its changes; resolves with what it was. */
  deleteBranch(agentId: AgentId, branchId: BranchId): Promise<Branch>

  /** Returns the whole content of a branch, as of one moment: for programs that keep content elsewhere too (AG79). */
  branchTree(agentId: AgentId, branchId: BranchId): Promise<BranchTree>
  /**
   * Writes many changes of a branch at once, or none of them (AG79). They are checked as the single calls check theirs,
   * and the content as a whole: unique names, one default variant, values for existing attributes alone.
   * @throws WRITE_CONFLICT when the branch is not at `expectedVersion`
   */
  writeBranchTree(agentId: AgentId, branchId: BranchId, write: BranchWrite): Promise<void>

  /** Returns the system prompt. `""` until it is written. */
  behavior(agentId: AgentId, branchId: BranchId): Promise<string>
  /**
   * Replaces the system prompt; at most 200,000 characters. Only where it is the `expected` one, if that is given.
   * @throws CONTENT_CHANGED
   */
  updateBehavior(agentId: AgentId, branchId: BranchId, behavior: string, expected?: string): Promise<string>

  /** Returns the greeting, the language, the voice, the model, and the picture if there is one. */
  responseSettings(agentId: AgentId, branchId: BranchId): Promise<ResponseSettings>
  /**
   * Changes the given fields, if those that are `expected` are as expected; resolves with all of them. Null removes the
   * voice, the model or the picture. @throws CONTENT_CHANGED
   */
  updateResponseSettings(
    agentId: AgentId,
    branchId: BranchId,
    change: Expecting<ResponseSettingsChange>,
  ): Promise<ResponseSettings>

  /** Lists the topics of a branch, by name. */
  topics(agentId: AgentId, branchId: BranchId): Promise<readonly WithId<Topic>[]>
  /** Returns a topic of a branch. @throws TOPIC_NOT_FOUND */
  topic(agentId: AgentId, branchId: BranchId, topicId: string): Promise<WithId<Topic>>
  /**
   * Creates a topic. By default it is active, without actions and queries. The id of one that was removed from the
   * branch restores that one (AG76). @throws KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS, TOPIC_NOT_FOUND
   */
  createTopic(
    agentId: AgentId,
    branchId: BranchId,
    input: Pick<Topic, 'name' | 'content'> & Partial<Topic> & { readonly id?: string },
  ): Promise<WithId<Topic>>
  /**
   * Changes the given fields, if those that are `expected` are as expected.
   * @throws TOPIC_NOT_FOUND, KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS, CONTENT_CHANGED
   */
  updateTopic(
    agentId: AgentId,
    branchId: BranchId,
    topicId: string,
    change: Expecting<Partial<Topic>>,
  ): Promise<WithId<Topic>>
  /** Removes a topic from a branch. @throws TOPIC_NOT_FOUND */
  deleteTopic(agentId: AgentId, branchId: BranchId, topicId: string): Promise<void>

  /** Lists the variant attributes of a branch, by name. */
  attributes(agentId: AgentId, branchId: BranchId): Promise<readonly WithId<Attribute>[]>
  /** Returns a variant attribute of a branch. @throws ATTRIBUTE_NOT_FOUND */
  attribute(agentId: AgentId, branchId: BranchId, attributeId: string): Promise<WithId<Attribute>>
  /** Adds a variant attribute to a branch. @throws ATTRIBUTE_ALREADY_EXISTS */
  createAttribute(
    agentId: AgentId,
    branchId: BranchId,
    input: Attribute & { readonly id?: string },
  ): Promise<WithId<Attribute>>
  /**
   * Changes the given fields, if those that are `expected` are as expected.
   * @throws ATTRIBUTE_NOT_FOUND, ATTRIBUTE_ALREADY_EXISTS, CONTENT_CHANGED
   */
  updateAttribute(
    agentId: AgentId,
    branchId: BranchId,
    attributeId: string,
    change: Expecting<Partial<Attribute>>,
  ): Promise<WithId<Attribute>>
  /** Removes the attribute with its values in all variants. @throws ATTRIBUTE_NOT_FOUND */
  deleteAttribute(agentId: AgentId, branchId: BranchId, attributeId: string): Promise<void>

  /** Lists the variants of a branch, by name. Exactly one is the default. */
  variants(agentId: AgentId, branchId: BranchId): Promise<readonly WithId<Variant>[]>
  /** Returns a variant of a branch. @throws VARIANT_NOT_FOUND */
  variant(agentId: AgentId, branchId: BranchId, variantId: string): Promise<WithId<Variant>>
  /**
   * Creates a variant. By default it is not the default variant, and has no values. A new default replaces the old one.
   * @throws VARIANT_ALREADY_EXISTS
   */
  createVariant(
    agentId: AgentId,
    branchId: BranchId,
    input: Pick<Variant, 'name'> & Partial<Variant> & { readonly id?: string },
  ): Promise<WithId<Variant>>
  /**
   * Changes the given fields, if those that are `expected` are as expected; given attribute values replace all earlier
   * ones.
   * @throws CONTENT_CHANGED, VARIANT_NOT_FOUND, VARIANT_ALREADY_EXISTS, VARIANTS_REMOVE_DEFAULT_ERROR for
   *   `isDefault: false` of the default
   */
  updateVariant(
    agentId: AgentId,
    branchId: BranchId,
    variantId: string,
    change: Expecting<Partial<Variant>>,
  ): Promise<WithId<Variant>>
  /**
   * Removes a variant from a branch; the default one stays.
   * @throws VARIANT_NOT_FOUND, VARIANTS_REMOVE_DEFAULT_ERROR
   */
  deleteVariant(agentId: AgentId, branchId: BranchId, variantId: string): Promise<void>

  /** Returns the changes that a merge of the branch would make, and its conflicts. Writes nothing. Empty for main. */
  diff(agentId: AgentId, branchId: BranchId): Promise<BranchDiff>
  /**
   * Returns the main content that a merge with these resolutions would produce. Writes nothing (AG19).
   * @throws MERGE_INVALID_RESOLUTION
   */
  previewMerge(agentId: AgentId, branchId: BranchId, input?: MergePreviewInput): Promise<MergeResultPreview>
  /**
   * Merges a branch to main and deploys the result to sandbox, in one write; the branch goes on from the new revision.
   * @throws MERGE_CONFLICTS with the conflicts in its body, MERGE_INVALID_RESOLUTION, CONTENT_CHANGED with a new
   *   preview in its body where the branch or main is not as `expected`
   */
  merge(agentId: AgentId, branchId: BranchId, input?: MergeInput): Promise<MergeOutcome>

  /** Returns the changes of a publication to this environment, by default sandbox. Writes nothing (AG19). */
  previewPublish(agentId: AgentId, environment?: Environment): Promise<PublicationPreview>
  /**
   * Deploys the content of main.
   * @throws DEPLOYMENTS_INVALID_ENVIRONMENT, DEPLOYMENTS_ALREADY_PUBLISHED when it is active there already,
   *   DEPLOYMENTS_TESTS_NOT_PASSED, DEPLOYMENTS_REPLAY_NOT_PASSED, CONTENT_CHANGED
   */
  publish(agentId: AgentId, input?: PublishInput): Promise<Deployed>
  /**
   * Deploys the same version to a later environment, by default the next.
   * @throws DEPLOYMENT_NOT_FOUND, DEPLOYMENTS_INVALID_TARGET, DEPLOYMENTS_TESTS_NOT_PASSED,
   *   DEPLOYMENTS_REPLAY_NOT_PASSED, CONTENT_CHANGED
   */
  promote(agentId: AgentId, deploymentId: DeploymentId, input?: PromoteInput): Promise<Deployed>
  /**
   * Deploys the version of an earlier deployment again, in that deployment's environment.
   * @throws DEPLOYMENT_NOT_FOUND, CONTENT_CHANGED
   */
  rollback(agentId: AgentId, deploymentId: DeploymentId, input?: DeployInput): Promise<Deployed>
  /**
   * Lists the deployments of an environment, newest first. `limit` is 1 to 1,000, 100 unless given.
   * @throws DEPLOYMENTS_INVALID_ENVIRONMENT, SCHEMA_VALIDATION_FAILED
   */
  deployments(agentId: AgentId, environment: Environment, limit?: number): Promise<readonly Deployment[]>
  /**
   * Returns the differences of a deployment from another one, of any environment, field by field. Empty for the same
   * content (AG19). @throws DEPLOYMENT_NOT_FOUND
   */
  compareDeployments(
    agentId: AgentId,
    deploymentId: DeploymentId,
    otherId: DeploymentId,
  ): Promise<readonly Difference[]>
  /** Returns the newest deployment of each environment. Null for an environment without one. */
  activeDeployments(agentId: AgentId): Promise<Readonly<Record<Environment, Deployment | null>>>

  /** Two versions in one environment. */
  readonly rollouts: Rollouts
  /** Test conversations of the agent, on a branch. */
  readonly testCases: TestCases
  /** Runs of test cases against deployments and branches. */
  readonly testRuns: TestRuns
  /**
   * Runs the tests of a deployment once more, after an agent's services were down, for example; or tests of a branch,
   * with what it holds now. Goes on in the background. @throws DEPLOYMENT_NOT_FOUND, BRANCH_NOT_FOUND,
   * TEST_CASE_NOT_FOUND, TEST_RUN_WITHOUT_TEST_CASES without active test cases, SCHEMA_VALIDATION_FAILED
   */
  startTestRun(agentId: AgentId, input?: TestRunInput): Promise<TestRun>

  /**
   * Replays the visitor messages of recorded conversations with a deployment or a branch, and compares the answers turn
   * by turn. Goes on in the background.
   *
   * @throws DEPLOYMENT_NOT_FOUND, BRANCH_NOT_FOUND, REPLAYS_LIMIT, CONVERSATIONS_NOT_FOUND without finished
   *   conversations, SCHEMA_VALIDATION_FAILED
   */
  startReplay(agentId: AgentId, input: ReplayInput): Promise<Replay>
  /** Lists replays, newest first. `limit` is 1 to 100, 20 unless given. @throws SCHEMA_VALIDATION_FAILED */
  replays(agentId: AgentId, query?: ReplayQuery): Promise<readonly Replay[]>
  /** Returns a replay with its verdicts, and its turns in groups, the gravest first. @throws TEST_RUN_NOT_FOUND */
  replay(agentId: AgentId, replayId: TestRunId): Promise<ReplayReport>
  /**
   * Turns of a replay beside the recorded ones, the gravest verdict first.
   * @throws TEST_RUN_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   */
  replayTurns(agentId: AgentId, replayId: TestRunId, query?: ReplayTurnQuery): Promise<ReplayTurnPage>
  /**
   * Notes that a group of turns is as it should be, and why. @throws TEST_RUN_NOT_FOUND, SCHEMA_VALIDATION_FAILED for a
   * group that it does not have, WRITE_CONFLICT while it goes on
   */
  acceptReplayGroup(agentId: AgentId, replayId: TestRunId, input: ReplayAcceptance): Promise<ReplayReport>

  /** Lists one real-time config for each environment, in promotion order, whether it was written or not. */
  realTimeConfigs(agentId: AgentId): Promise<readonly RealTimeConfigRecord[]>
  /**
   * Returns the real-time config of an environment, whether it was written or not.
   * @throws REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT
   */
  realTimeConfig(agentId: AgentId, environment: Environment): Promise<RealTimeConfigRecord>
  /**
   * Replaces the JSON Schema (draft 7), or removes it: null.
   * @throws REAL_TIME_CONFIG_INVALID_SCHEMA, REAL_TIME_CONFIG_INVALID_FOR_SCHEMA when the stored variables do not fit
   */
  updateRealTimeConfigSchema(
    agentId: AgentId,
    environment: Environment,
    schema: JsonInput | null,
  ): Promise<RealTimeConfigRecord>
  /** Merges variables into the stored ones; null removes one. @throws REAL_TIME_CONFIG_INVALID_FOR_SCHEMA */
  updateRealTimeConfigVariables(
    agentId: AgentId,
    environment: Environment,
    variables: JsonInput,
  ): Promise<RealTimeConfigRecord>

  /**
   * Returns the content at a revision, from a bounded cache. All callers get the same object, so do not change it.
   * @throws PROJECT_NOT_FOUND also for a missing revision
   */
  content(agentId: AgentId, revision: number): Promise<AgentContent>
  /**
   * Returns the content of a deployment, from the same cache. That of an earlier agent with the same id is not found.
   * @throws DEPLOYMENT_NOT_FOUND
   */
  deploymentContent(agentId: AgentId, deploymentId: DeploymentId): Promise<AgentContent>
}

/** The dependencies of the calls about agents. */
export interface AgentCallDeps extends AgentsDeps {
  /** Lets the runtime prepare a deployment. */
  readonly prepare: (deployment: Deployment) => void
}

/** The dependencies of the calls that note their caller. */
type Acting = AgentCallDeps & ActingDeps
const { call, act } = callsWith<AgentCallDeps, Acting>()

const prepared =
  <Input extends readonly unknown[]>(verb: (deps: Acting, ...input: Input) => Promise<Deployed>) =>
  async (deps: Acting, ...input: Input): Promise<Deployed> => {
    const deployment = await verb(deps, ...input)
    deps.prepare(deployment)
    return deployment
  }

const topicId = ['topicId', text] as const
const attributeId = ['attributeId', text] as const
const variantId = ['variantId', text] as const
const deploymentId = ['deploymentId', text] as const
const replayId = ['replayId', text] as const
/** The environment. Another name is refused with a code of its own. */
const environment = ['environment', own<Environment>()] as const
const limitSchema = z.int().min(1).max(DEPLOYMENT_LIMITS.listMaximum)

type InputOf<Name extends 'createTopic' | 'createAttribute' | 'createVariant'> = Parameters<Agents[Name]>[2]
type ChangeOf<Name extends 'updateTopic' | 'updateAttribute' | 'updateVariant'> = Parameters<Agents[Name]>[3]
const withId = { id: z.unknown().optional() }
const changeOf = (schema: z.ZodObject) => anyOf(schema, { expected: anyOf(schema, {}).optional() })

/** The implementations of the calls about agents. Long because it names every call. */
export const agentCalls = {
  create: act(() => [agentInputSchema], createAgent),
  list: call(() => [accountId], listAgents),
  find: call(() => [agentId], findAgent),
  duplicate: act(() => [agentId, duplicateSchema], oneAtATime(duplicateAgent)),
  update: act(() => [agentId, updateAgentSchema], updateAgent),
  delete: act(() => [agentId], deleteAgent),
  branches: call(() => [agentId], listBranches),
  branch: call(() => [agentId, branchId], readBranch),
  createBranch: call(() => [agentId, z.object({ branchName: text })], createBranch),
  deleteBranch: act(() => [agentId, branchId], deleteBranch),
  branchTree: call(() => [agentId, branchId], readBranchTree),
  writeBranchTree: call(() => [agentId, branchId, branchWriteSchema()], writeBranchTree),
  behavior: call(() => [agentId, branchId], readBehavior),
  updateBehavior: call(
    () => [
      agentId,
      branchId,
      ['behavior', behaviorSchema.shape.behavior],
      ['expected', own<string>().optional()],
    ],
    (deps, agent, branch, ...[behavior, expected]) =>
      updateBehavior(deps, agent, branch, { behavior, expected }),
  ),
  responseSettings: call(() => [agentId, branchId], readResponseSettings),
  updateResponseSettings: call(
    () => [agentId, branchId, naming<Expecting<ResponseSettingsChange>>(changeOf(responseSettingsSchema))],
    updateResponseSettings,
  ),
  topics: call(() => [agentId, branchId], topics.list),
  topic: call(() => [agentId, branchId, topicId], topics.read),
  createTopic: call(
    () => [agentId, branchId, naming<InputOf<'createTopic'>>(anyOf(topicSchema, withId))],
    topics.create,
  ),
  updateTopic: call(
    () => [agentId, branchId, topicId, naming<ChangeOf<'updateTopic'>>(changeOf(topicSchema))],
    updating(topics),
  ),
  deleteTopic: call(() => [agentId, branchId, topicId], topics.delete),
  attributes: call(() => [agentId, branchId], attributes.list),
  attribute: call(() => [agentId, branchId, attributeId], attributes.read),
  createAttribute: call(
    () => [agentId, branchId, naming<InputOf<'createAttribute'>>(anyOf(attributeSchema, withId))],
    attributes.create,
  ),
  updateAttribute: call(
    () => [agentId, branchId, attributeId, naming<ChangeOf<'updateAttribute'>>(changeOf(attributeSchema))],
    updating(attributes),
  ),
  deleteAttribute: call(() => [agentId, branchId, attributeId], attributes.delete),
  variants: call(() => [agentId, branchId], variants.list),
  variant: call(() => [agentId, branchId, variantId], variants.read),
  createVariant: call(
    () => [agentId, branchId, naming<InputOf<'createVariant'>>(anyOf(variantSchema, withId))],
    variants.create,
  ),
  updateVariant: call(
    () => [agentId, branchId, variantId, naming<ChangeOf<'updateVariant'>>(changeOf(variantSchema))],
    updating(variants),
  ),
  deleteVariant: call(() => [agentId, branchId, variantId], variants.delete),
  diff: call(() => [agentId, branchId], oneAtATime(diffBranch)),
  previewMerge: call(() => [agentId, branchId, mergePreviewSchema], oneAtATime(previewMergeOf)),
  merge: act(
    () => [agentId, branchId, mergeInputSchema],
    async (deps, ...input) => {
      const outcome = await mergeBranch(deps, ...input)
      deps.prepare(outcome.deployment)
      return outcome
    },
  ),
  previewPublish: call(
    () => [agentId, ['environment', own<Environment>().optional()]],
    oneAtATime(previewPublish),
  ),
  publish: act(() => [agentId, publishInputSchema], prepared(publish)),
  promote: act(() => [agentId, deploymentId, promoteInputSchema], prepared(promote)),
  rollback: act(() => [agentId, deploymentId, deployInputSchema], prepared(rollback)),
  deployments: call(
    () => [agentId, environment, ['limit', limitSchema.default(DEPLOYMENT_LIMITS.listDefault)]],
    listDeployments,
  ),
  compareDeployments: call(() => [agentId, deploymentId, ['otherId', text]], oneAtATime(compareDeployments)),
  activeDeployments: call(() => [agentId], activeDeployments),
  rollouts: rolloutCalls,
  testCases: testCaseCalls,
  testRuns: testRunCalls,
  startTestRun: act(() => [agentId, testRunInputSchema], startTestRun),
  startReplay: act(() => [agentId, replayInputSchema], startReplay),
  replays: call(() => [agentId, replayQuerySchema], listReplays),
  replay: call(() => [agentId, replayId], readReplay),
  replayTurns: call(() => [agentId, replayId, replayTurnQuerySchema], readReplayTurns),
  acceptReplayGroup: act(() => [agentId, replayId, replayAcceptanceSchema], acceptReplayGroup),
  realTimeConfigs: call(() => [agentId], listRealTimeConfigs),
  realTimeConfig: call(() => [agentId, environment], readRealTimeConfig),
  updateRealTimeConfigSchema: act(
    () => [agentId, environment, ['schema', own<JsonInput | null>()]],
    updateRealTimeConfigSchema,
  ),
  updateRealTimeConfigVariables: act(
    () => [agentId, environment, ['variables', own<JsonInput>()]],
    updateRealTimeConfigVariables,
  ),
  content: call(() => [agentId, ['revision', z.int()]], readContent),
  deploymentContent: call(() => [agentId, deploymentId], readDeploymentContent),
} satisfies CallsOf<Agents, AgentCallDeps>
