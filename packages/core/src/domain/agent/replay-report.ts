import { canonicalJson } from '../canonical-json.ts'
import { type ConversationId, isBranchId } from '../ids.ts'
import {
  type AcceptedGroup,
  REPLAY_VERDICTS,
  type Replay,
  type ReplayedTurn,
  type ReplayGroup,
  type ReplayGroupKey,
  type ReplayNoise,
  type ReplayPlan,
  type ReplayReport,
  type ReplayVerdict,
} from './replay.ts'
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

/** The turn that stands for a conversation that is gone. */
export const ERASED_TURN: ReplayedTurn = {
  ...{ turn: 0, verdict: 'not_replayable', reason: 'erased' },
  ...{ from: '', to: '', reply: '' },
}

type Placed = ReplayedTurn & { readonly key: ConversationId }

/** Returns the turns of results; a conversation that was erased since the replay has a turn that says so (TE45). */
function turnsOf(
  { status }: Pick<Replay, 'status'>,
  { conversations }: ReplayPlan,
  results: readonly TestCaseResult[],
): readonly Placed[] {
  const known = new Map(results.map(result => [result.testCaseId, result.replayed ?? []]))
  const gone = status === 'finished' ? [ERASED_TURN] : []
  return conversations.flatMap(key => (known.get(key) ?? gone).map(turn => ({ ...turn, key })))
}

/** Returns the turns of a replay, the gravest verdict first, then conversation by conversation. */
export const replayedTurns = (...of: Parameters<typeof turnsOf>): readonly Placed[] =>
  turnsOf(...of)
    .map((turn, place) => ({ turn, place }))
    .sort((one, other) => gravity(one.turn) - gravity(other.turn) || one.place - other.place)
    .map(({ turn }) => turn)

function groupsOf(
  turns: readonly ReplayedTurn[],
  accepted: readonly AcceptedGroup[],
): readonly ReplayGroup[] {
  const groups = new Map<string, ReplayGroup>()
  for (const { verdict, reason, from, to } of turns) {
    if (verdict === 'same') continue
    const key = { verdict, reason, from, to }
    const name = canonicalJson({ ...key })
    const by = accepted.find(isSameGroup(key))
    const known = groups.get(name)?.turns ?? 0
    groups.set(name, {
      ...key,
      turns: known + 1,
      accepted: by === undefined ? null : { why: by.why, by: by.by, at: by.at },
    })
  }
  return [...groups.values()].sort((one, other) => gravity(one) - gravity(other) || other.turns - one.turns)
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
    conversations: run.replay.conversations.length,
  }
}

const noiseOf = (results: readonly TestCaseResult[]): ReplayNoise => ({
  turns: results.reduce((sum, { noise }) => sum + (noise?.turns ?? 0), 0),
  different: results.reduce((sum, { noise }) => sum + (noise?.different ?? 0), 0),
})

/** Returns the report of a replay from the results so far. */
export function replayReport(
  replay: Replay,
  plan: ReplayPlan,
  results: readonly TestCaseResult[],
): ReplayReport {
  const turns = turnsOf(replay, plan, results)
  const count = (wanted: ReplayVerdict): number => turns.filter(({ verdict }) => verdict === wanted).length
  return {
    ...replay,
    replayed: results.length,
    verdicts: {
      ...{ worse: count('worse'), errored: count('errored'), changed: count('changed') },
      ...{ off_script: count('off_script'), not_replayable: count('not_replayable') },
      ...{ better: count('better'), reworded: count('reworded'), same: count('same') },
    },
    noise: noiseOf(results),
    judge: {
      judged: turns.filter(({ judged = null }) => judged !== null).length,
      failed: turns.filter(({ judged }) => judged === null).length,
    },
    groups: groupsOf(turns, plan.accepted),
  }
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
