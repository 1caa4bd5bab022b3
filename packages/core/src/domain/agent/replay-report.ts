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

/**
 * Returns the turns of a replay that belong to a group, the gravest verdict first, then conversation by conversation.
 * A replay may have 100,000 turns: they are placed by verdict, and not sorted.
 */
export function replayedTurns(
  group: Partial<ReplayGroupKey>,
  ...of: Parameters<typeof turnsOf>
): readonly Placed[] {
  const isWanted = isOfGroup(group)
  const byVerdict = new Map(REPLAY_VERDICTS.map((verdict): [ReplayVerdict, Placed[]] => [verdict, []]))
  for (const turn of turnsOf(...of)) if (isWanted(turn)) byVerdict.get(turn.verdict)?.push(turn)
  return [...byVerdict.values()].flat()
}

/** Returns the name of a group, which no other one has: most turns of a replay are in few groups. */
const nameOf = ({ from, reason, to, verdict }: ReplayGroupKey): string =>
  `${verdict} ${reason} ${from.length} ${from} ${to}`

function groupsOf(
  turns: readonly ReplayedTurn[],
  accepted: readonly AcceptedGroup[],
): readonly ReplayGroup[] {
  const groups = new Map<string, { readonly key: ReplayGroupKey; turns: number }>()
  for (const turn of turns) {
    const { verdict, reason, from, to } = turn
    if (verdict === 'same') continue
    const name = nameOf(turn)
    const known = groups.get(name)
    if (known === undefined) groups.set(name, { key: { verdict, reason, from, to }, turns: 1 })
    else known.turns++
  }
  const acceptedAs = new Map(accepted.map(({ why, by, at, ...key }) => [nameOf(key), { why, by, at }]))
  return [...groups]
    .map(([name, { key, turns }]) => ({ ...key, turns, accepted: acceptedAs.get(name) ?? null }))
    .sort((one, other) => gravity(one) - gravity(other) || other.turns - one.turns)
}

/** Returns the numbers of turns by verdict, and those that were judged. */
function countsOf(turns: readonly ReplayedTurn[]): Pick<ReplayReport, 'verdicts' | 'judge'> {
  const verdicts = {
    ...{ worse: 0, errored: 0, changed: 0, off_script: 0 },
    ...{ not_replayable: 0, better: 0, reworded: 0, same: 0 },
  }
  const judge = { judged: 0, failed: 0 }
  for (const { judged, verdict } of turns) {
    verdicts[verdict]++
    if (judged === null) judge.failed++
    else if (judged !== undefined) judge.judged++
  }
  return { verdicts, judge }
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
  return {
    ...replay,
    replayed: results.length,
    ...countsOf(turns),
    noise: noiseOf(results),
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
