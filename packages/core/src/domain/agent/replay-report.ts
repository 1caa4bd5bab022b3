import { type ConversationId, isBranchId } from '../ids.ts'
import {
  REPLAY_VERDICTS,
  type Replay,
  type ReplayedTurn,
  type ReplayGroup,
  type ReplayGroupKey,
  type ReplayPlan,
  type ReplayReport,
  type ReplayTally,
  type ReplayVerdict,
} from './replay.ts'
import { nameOf } from './replay-tally.ts'
import type { TestCaseResult, TestRun } from './test-run.ts'

const isSameGroup =
  (one: ReplayGroupKey) =>
  (other: ReplayGroupKey): boolean =>
    one.verdict === other.verdict &&
    one.reason === other.reason &&
    one.from === other.from &&
    one.to === other.to

/** Reports whether a turn belongs to a group, where a field that is left out is any. */
export const isOfGroup =
  (group: Partial<ReplayGroupKey>) =>
  (turn: ReplayGroupKey): boolean =>
    isSameGroup({ ...turn, ...group })(turn)

const gravity = ({ verdict }: ReplayGroupKey): number => REPLAY_VERDICTS.indexOf(verdict)

/** The numbers of a report. */
export type ReplayCounts = Omit<ReplayReport, keyof Replay | 'erased'>

function groupsOf({ accepted, tally }: ReplayPlan): readonly ReplayGroup[] {
  const acceptedAs = new Map(accepted.map(({ why, by, at, ...key }) => [nameOf(key), { why, by, at }]))
  return tally.groups
    .filter(({ verdict }) => verdict !== 'same')
    .map(group => ({ ...group, accepted: acceptedAs.get(nameOf(group)) ?? null }))
    .sort((one, other) => gravity(one) - gravity(other) || other.turns - one.turns)
}

function verdictsOf({ groups }: ReplayTally): ReplayReport['verdicts'] {
  const verdicts = {
    ...{ worse: 0, errored: 0, changed: 0, off_script: 0 },
    ...{ not_replayable: 0, better: 0, reworded: 0, same: 0 },
  }
  for (const { turns, verdict } of groups) verdicts[verdict] += turns
  return verdicts
}

/** Returns a run that replays, as a replay; null for a run of test cases. */
export function replayOf(run: TestRun): Replay | null {
  const { id, agentId, deploymentId, environment, revision, version, error, startedAt, finishedAt } = run
  if (run.replay === undefined) return null
  const isBranch = isBranchId(deploymentId)
  return {
    ...{ id, agentId, environment, revision, version, error, startedAt, finishedAt },
    deploymentId: isBranch ? null : deploymentId,
    branchId: isBranch ? deploymentId : null,
    mode: run.replay.mode,
    status: run.status === 'running' ? 'running' : error === null ? 'finished' : 'errored',
    selection: run.replay.selection,
    conversations: run.counts.total,
  }
}

/** Returns what a replay has come to so far, without its results. */
export function replayCounts(plan: ReplayPlan): ReplayCounts {
  const { replayed, noise, judge } = plan.tally
  return { replayed, verdicts: verdictsOf(plan.tally), noise, judge, groups: groupsOf(plan) }
}

/** Returns the result of one conversation of a replay. */
export function replayResult(
  key: ConversationId,
  replayed: readonly ReplayedTurn[],
  error: string | null = null,
): TestCaseResult {
  const has = (wanted: ReplayVerdict): boolean => replayed.some(({ verdict }) => verdict === wanted)
  const isSame = replayed.every(({ verdict }) => verdict === 'same')
  const status = has('errored') ? 'errored' : isSame ? 'passed' : 'failed'
  return { testCaseId: key, name: '', status, error, turns: [], replayed }
}

/** Returns the result for a conversation that is gone: without its text, and without the agent's replies (TE43). */
export const erasedResult = (key: ConversationId): TestCaseResult => ({
  ...{ testCaseId: key, name: '', status: 'failed', error: null, turns: [] },
})
