import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { type AcceptedGroup, factsOf, REPLAY_MODES, type Replay } from '../../domain/agent/replay.ts'
import { type ReplayCandidate, stratified } from '../../domain/agent/replay-sample.ts'
import { FURTHER_TOPICS, nameOf } from '../../domain/agent/replay-tally.ts'
import { newBranchTestRun, newReplay, newTestRun, type TestRun } from '../../domain/agent/test-run.ts'
import { actorWord } from '../../domain/audit/audit.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { PlainRecordFilter } from '../../ports/store/records.ts'
import { noBranch } from '../agents/branches/branch-view.ts'
import { readHashedBranch } from '../agents/content/branch-content.ts'
import { type ActingDeps, type AgentsDeps, noAgent, requireAgent, requireDeployment } from '../agents/deps.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import { eachRun } from './each-run.ts'
import { refuseReplayBeyond } from './forget-runs.ts'
import { recordedTurns } from './recorded-turns.ts'
import { REPLAY_LIMITS, shown } from './replays.ts'

/** The schema of {@link ReplayInput}. */
export const replayInputSchema = z
  .object({
    /** The deployment to replay with. @default that of `branchId` */
    deploymentId: z.string().exactOptional(),
    /** The branch to replay with, before its merge; `main` for what main holds. @default that of `deploymentId` */
    branchId: z.string().min(1).exactOptional(),
    /** The environment whose conversations are replayed. @default "live" */
    environment: z.enum(ENVIRONMENTS).default('live'),
    /** The most finished conversations, 1 to 1,000. @default 50 */
    last: z.int().min(1).max(REPLAY_LIMITS.conversations).default(REPLAY_LIMITS.conversationsDefault),
    /** Draws them at random from those that began in so many days, 1 to 365. @default the newest ones */
    days: z.int().min(1).max(REPLAY_LIMITS.days).exactOptional(),
    /** Whether each turn is asked alone, or in the course of a conversation. @default "recorded_history" */
    mode: z.enum(REPLAY_MODES).default('recorded_history'),
  })
  .refine(({ deploymentId, branchId }) => (deploymentId === undefined) !== (branchId === undefined), {
    path: ['deploymentId'],
    message: 'give either it or branchId',
  })

/** The conversations to replay, and the deployment or branch to replay them with. */
export type ReplayInput = InputOf<typeof replayInputSchema>

type Input = z.output<typeof replayInputSchema>

const DAY = 86_400_000

/** Conversations that are listed at once: as few as others in the process can wait for, since they are read whole. */
const PAGE = { count: 10, bytes: 262_144 } as const

/** For each conversation of the sample so many are looked at for rare topics (TE69). */
const CANDIDATES = 5

/** Returns the newest conversations of a filter, newest first. */
async function newest(
  { context: { breather, store } }: AgentsDeps,
  filter: PlainRecordFilter,
  most: number,
): Promise<readonly ConversationId[]> {
  const { records } = store.conversations
  const found: { id: ConversationId; startedAt: number }[] = []
  for (let more = true; more && found.length < most; ) {
    const end = found.at(-1)
    const from = end === undefined ? { offset: 0 } : { after: { startedAt: end.startedAt, id: end.id } }
    const wanted = Math.min(PAGE.count, most - found.length)
    const page = await records.newest(filter, from, wanted, PAGE.bytes)
    found.push(...page.records)
    await breather.rest()
    more = page.more && page.records.length > 0
  }
  return found.map(({ id }) => id)
}

/** Reads the topics that a conversation's replies rest on. */
async function candidate(
  { context: { settings, store } }: AgentsDeps,
  id: ConversationId,
): Promise<ReplayCandidate> {
  const { turns } = await recordedTurns(store, settings, id)
  return { id, topics: turns.map(turn => factsOf(turn).citedTopic).filter(topic => topic !== '') }
}

/** Returns the conversations to replay, newest first: so that rare topics are among them (TE69). */
async function sampled(
  deps: AgentsDeps,
  of: { readonly accountId: string; readonly agentId: AgentId },
  { environment, last, days }: Pick<Input, 'environment' | 'last' | 'days'>,
): Promise<readonly ConversationId[]> {
  const { clock, store } = deps.context
  const filter = { ...of, environment, inProgress: false }
  const most = Math.min(last * CANDIDATES, REPLAY_LIMITS.conversations)
  const since = { ...filter, startTime: clock.now() - (days ?? 0) * DAY }
  const rest = () => deps.context.breather.rest()
  const ids =
    days === undefined
      ? await newest(deps, filter, most)
      : (await store.conversations.records.sample(since, most, rest)).map(({ id }) => id).toReversed()
  if (ids.length <= last) return ids
  const candidates: ReplayCandidate[] = []
  for (const id of ids) {
    await deps.context.breather.rest()
    candidates.push(await candidate(deps, id))
  }
  return stratified(candidates, last).map(({ id }) => id)
}

/** Returns a run of the deployment or branch that the caller names. @throws DEPLOYMENT_NOT_FOUND, BRANCH_NOT_FOUND */
async function targetOf(
  deps: ActingDeps,
  agent: Parameters<typeof newBranchTestRun>[1] & { readonly id: AgentId },
  { deploymentId, branchId }: Pick<Input, 'deploymentId' | 'branchId'>,
): Promise<TestRun> {
  const { clock, ids } = deps.context
  const id = `REPLAY-${ids.short()}`
  if (branchId === undefined)
    return newTestRun(id, await requireDeployment(deps, agent.id, deploymentId ?? ''), 0, clock.now())
  const { branch, contentHash } = await readHashedBranch(deps, agent.id, branchId)
  const run = newBranchTestRun(id, agent, { branch, testCaseIds: [] }, clock.now())
  return { ...run, version: contentHash }
}

/** Returns what was accepted in earlier replays of a content: a change is accepted once for it (TE48). */
async function acceptedEarlier(
  { context }: AgentsDeps,
  { agentId, version }: TestRun,
): Promise<readonly AcceptedGroup[]> {
  const accepted = new Map<string, AcceptedGroup>()
  for await (const { replay } of eachRun(context, { agentId, version, replays: true }))
    for (const group of replay?.accepted ?? []) {
      const name = nameOf(group)
      if (group.at > (accepted.get(name)?.at ?? 0) && group.from !== FURTHER_TOPICS) accepted.set(name, group)
    }
  return [...accepted.values()]
}

/** See `Agents.startReplay`. */
export async function startReplay(deps: ActingDeps, agentId: AgentId, input: Input): Promise<Replay> {
  const { last, days, environment, mode } = input
  const { agents } = deps.context.store
  const agent = await requireAgent(deps, agentId)
  const { accountId } = agent
  const target = await targetOf(deps, agent, input)
  await refuseReplayBeyond(deps.context, agentId)
  const conversations = await sampled(deps, { accountId, agentId }, input)
  if (conversations.length === 0) {
    const when = days === undefined ? '' : ` that began in the last ${days} days`
    const message = `The agent has no finished conversation in ${environment}${when} to replay.`
    throw new PlatformError('CONVERSATIONS_NOT_FOUND', message)
  }
  const selection = { last, environment, days: days ?? null }
  const accepted = await acceptedEarlier(deps, target)
  const judge = deps.context.replayJudge?.version ?? null
  const run = {
    ...newReplay(target, { selection, mode, accepted, judge }, conversations.length),
    startedBy: actorWord(deps.context.caller),
  }
  const { branch, deploymentId } = run
  const replayedWith = branch === undefined ? { deploymentId } : { branchId: branch.id }
  const details = { ...replayedWith, environment, mode, conversations: conversations.length }
  const subject = { accountId, agentId, resourceId: run.id, details }
  const audit = auditEntry(deps.context, 'replay.started', subject)
  if ((await agents.testRuns.create(run, conversations, { audit })) !== 'created') {
    await requireAgent(deps, agentId)
    throw branch === undefined ? noAgent(agentId) : noBranch(branch.id)
  }
  deps.hooks.testRunsDue()
  return shown(run)
}
