import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import {
  type AcceptedGroup,
  REPLAY_REASONS,
  REPLAY_VERDICTS,
  type Replay,
  type ReplayedTurn,
  type ReplayGroupKey,
  type ReplayPlan,
  type ReplayReport,
} from '../../domain/agent/replay.ts'
import {
  createGathering,
  type PlacedTurn,
  passesOf,
  placeOf,
  type TurnPlace,
} from '../../domain/agent/replay-page.ts'
import { isOfGroup, replayCounts, replayOf } from '../../domain/agent/replay-report.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import type { AgentId, ConversationId, TestRunId } from '../../domain/ids.ts'
import type { Json } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import { type ActingDeps, type AgentsDeps, requireAgent } from '../agents/deps.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import { own } from '../shared/arguments.ts'
import { untilWritten } from '../shared/until-written.ts'
import { eachRun, resultPages } from './each-run.ts'
import { type RecordedTurns, recordedTurns } from './recorded-turns.ts'
import { testedBy, unknownCursor } from './test-runs.ts'

/** Limits of replays. */
export const REPLAY_LIMITS = {
  conversations: 1_000,
  conversationsDefault: 50,
  days: 365,
  listed: 100,
  listedDefault: 20,
  turns: 200,
  turnsDefault: 50,
  whyLength: 1_000,
} as const

/** A turn of a replay beside the recorded one. */
export interface ReplayedTurnShown extends ReplayedTurn {
  readonly conversationId: ConversationId
  /** As it was recorded; null if the conversation is gone. */
  readonly recorded: { readonly userInput: string; readonly reply: string } | null
}

/** A page of turns, the gravest verdict first. */
export interface ReplayTurnPage {
  readonly turns: readonly ReplayedTurnShown[]
  /** Marks where the next page begins; null on the last page. While the replay goes on, pages may lack turns. */
  readonly cursor: string | null
}

/** Returns a run that replays, as a replay. */
export const shown = (run: TestRun): Replay => {
  const replay = replayOf(run)
  if (replay === null) throw new PlatformError('INTERNAL', `${run.id} is no replay.`)
  return replay
}

/** The schema of {@link ReplayQuery}. */
export const replayQuerySchema = z.object({
  /** Only replays with one deployment. @default all */
  deploymentId: z.string().exactOptional(),
  /** Only replays with one branch. @default all */
  branchId: z.string().exactOptional(),
  /** 1 to 100. @default 20 */
  limit: z.int().min(1).max(REPLAY_LIMITS.listed).default(REPLAY_LIMITS.listedDefault),
})

/** The filter of a list of replays. */
export type ReplayQuery = InputOf<typeof replayQuerySchema>

/** See `Agents.replays`. */
export async function listReplays(
  deps: AgentsDeps,
  agentId: AgentId,
  { limit, ...query }: z.output<typeof replayQuerySchema>,
): Promise<readonly Replay[]> {
  const target = testedBy(query)
  const filter = { agentId, replays: true, ...(target === undefined ? {} : { deploymentId: target }) }
  const replays: Replay[] = []
  for await (const run of eachRun(deps.context, filter)) if (replays.push(shown(run)) === limit) break
  if (replays.length === 0) await requireAgent(deps, agentId)
  return replays
}

interface FoundReplay {
  readonly run: TestRun
  readonly plan: ReplayPlan
}

async function findReplay(deps: AgentsDeps, agentId: AgentId, id: TestRunId): Promise<FoundReplay> {
  const run = await deps.context.store.agents.testRuns.run(agentId, id)
  const plan = run?.replay
  if (run !== null && plan !== undefined) return { run, plan }
  await requireAgent(deps, agentId)
  throw new PlatformError('TEST_RUN_NOT_FOUND', `The agent has no replay ${id}.`)
}

async function reportOf({ context }: AgentsDeps, { run, plan }: FoundReplay): Promise<ReplayReport> {
  let kept = 0
  for await (const page of resultPages(context, run))
    kept += page.filter(({ replayed }) => replayed !== undefined).length
  // Results may have been added since the run was read.
  const erased = Math.max(0, plan.tally.replayed - kept)
  return { ...shown(run), ...replayCounts(plan), erased }
}

/** See `Agents.replay`. */
export const readReplay = async (deps: AgentsDeps, agentId: AgentId, id: TestRunId): Promise<ReplayReport> =>
  reportOf(deps, await findReplay(deps, agentId, id))

const groupSchema = z.object({
  verdict: z.enum(REPLAY_VERDICTS),
  reason: z.enum(REPLAY_REASONS),
  from: z.string(),
  to: z.string(),
})

/** The schema of {@link ReplayTurnQuery}. */
export const replayTurnQuerySchema = z.object({
  verdict: z.enum(REPLAY_VERDICTS).exactOptional(),
  reason: z.enum(REPLAY_REASONS).exactOptional(),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
  /** 1 to 200. @default 50 */
  limit: z.int().min(1).max(REPLAY_LIMITS.turns).default(REPLAY_LIMITS.turnsDefault),
  /** The start of the page: `cursor` of the page before. @default the first page */
  cursor: own<string>().exactOptional(),
})

/** The filter of a replay's turns. Parts of the group that are left out match any turn. */
export type ReplayTurnQuery = InputOf<typeof replayTurnQuerySchema>

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Turns of the record of a conversation are fewer. */
const TURNS_OF_ONE = 1_000

const cursorOf = ({ verdict, key, turn }: TurnPlace): string =>
  encodeCursor({ startedAt: REPLAY_VERDICTS.indexOf(verdict) * TURNS_OF_ONE + turn, id: key })

/** Returns the place that a cursor names. Null without one. @throws SCHEMA_VALIDATION_FAILED */
function placeNamed(cursor: string | undefined): TurnPlace | null {
  if (cursor === undefined) return null
  const position = decodeCursor(cursor)
  const verdict = position && REPLAY_VERDICTS[Math.floor(position.startedAt / TURNS_OF_ONE)]
  if (!position || !verdict) throw unknownCursor()
  return { verdict, key: position.id, turn: position.startedAt % TURNS_OF_ONE }
}

/** Returns a turn beside the recorded one. Words of a conversation are not shown once it is gone. */
function besideRecorded({ key, turn }: PlacedTurn, { turns }: RecordedTurns): ReplayedTurnShown {
  const recorded = turns[turn.turn]?.record
  const { judged, ...rest } = turn
  return {
    ...rest,
    ...(recorded === undefined || judged === undefined ? {} : { judged }),
    reply: recorded === undefined ? '' : turn.reply,
    conversationId: publicId(key),
    recorded: recorded
      ? { userInput: textOf(recorded.user_input), reply: textOf(recorded.agent_response) }
      : null,
  }
}

/** See `Agents.replayTurns`. */
export async function readReplayTurns(
  deps: AgentsDeps,
  agentId: AgentId,
  id: TestRunId,
  { cursor, limit, ...group }: z.output<typeof replayTurnQuerySchema>,
): Promise<ReplayTurnPage> {
  const after = placeNamed(cursor)
  const { run, plan } = await findReplay(deps, agentId, id)
  const { breather, settings, store } = deps.context
  const found: PlacedTurn[] = []
  for (const pass of passesOf(group, replayCounts(plan).verdicts, after)) {
    // One more tells whether there are more.
    const gathering = createGathering(pass, group, limit + 1 - found.length)
    for await (const page of resultPages(deps.context, run, pass.after?.key)) {
      for (const result of page) gathering.add(result)
      if (gathering.isFull) break
    }
    found.push(...gathering.turns)
    if (found.length > limit) break
  }
  const shownOnes = found.slice(0, limit)
  const records = new Map<ConversationId, RecordedTurns>()
  for (const key of new Set(shownOnes.map(one => one.key))) {
    records.set(key, await recordedTurns(store, settings, key))
    await breather.rest()
  }
  const last = found.length > limit ? shownOnes.at(-1) : undefined
  return {
    turns: shownOnes.map(one => besideRecorded(one, records.get(one.key) ?? { turns: [], more: false })),
    cursor: last === undefined ? null : cursorOf(placeOf(last)),
  }
}

/** The schema of {@link ReplayAcceptance}. */
export const replayAcceptanceSchema = groupSchema.extend({
  why: z.string().trim().min(1).max(REPLAY_LIMITS.whyLength),
})

/** The group of turns to accept, and the reason. */
export type ReplayAcceptance = InputOf<typeof replayAcceptanceSchema>

const isGroup = (one: ReplayGroupKey) => isOfGroup({ ...one })

/** See `Agents.acceptReplayGroup`. */
export async function acceptReplayGroup(
  deps: ActingDeps,
  agentId: AgentId,
  id: TestRunId,
  { why, ...key }: ReplayAcceptance,
): Promise<ReplayReport> {
  const { caller, clock, store } = deps.context
  const conflict = () =>
    new PlatformError(
      'WRITE_CONFLICT',
      `The replay ${id} is under way. Accept what it comes to when it is over.`,
    )
  return untilWritten(conflict, async () => {
    const found = await findReplay(deps, agentId, id)
    if (found.run.status === 'running') throw conflict()
    const group = replayCounts(found.plan).groups.find(isGroup(key))
    if (group === undefined)
      throw new PlatformError('SCHEMA_VALIDATION_FAILED', `The replay ${id} has no such group of turns.`)
    const by = caller.name === '' ? (caller.id ?? caller.type) : caller.name
    const accepted: AcceptedGroup = { ...key, why, by, at: clock.now() }
    const { run, plan } = found
    const others = plan.accepted.filter(one => !isGroup(key)(one))
    const replay = { ...plan, accepted: [...others, accepted] }
    const next = { ...run, replay, writes: run.writes + 1 }
    const { accountId } = run
    const details = { ...key, why, turns: group.turns }
    const subject = { accountId, agentId, resourceId: id, details }
    const audit = auditEntry(deps.context, 'replay.accepted', subject)
    if ((await store.agents.testRuns.save(run.writes, next, [], { audit })) === 'stale') return 'stale'
    return reportOf(deps, { run: next, plan: replay })
  })
}
