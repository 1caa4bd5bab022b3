import * as z from 'zod'
import { REPLAY_MODES, REPLAY_REASONS, REPLAY_VERDICTS } from '../../domain/agent/replay.ts'
import { answers, count, environment, list, time } from './answer.ts'

const replay = z
  .object({
    id: z.string(),
    agentId: z.string(),
    deploymentId: z.string().nullable(),
    branchId: z.string().nullable(),
    environment,
    artifactVersion: z.string(),
    version: z.string(),
    mode: z.enum(REPLAY_MODES),
    status: z.enum(['running', 'finished', 'errored']),
    error: z.string().nullable(),
    selection: z.object({ last: count, environment, days: count.nullable() }),
    conversations: count,
    startedAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Replay' })

const group = {
  verdict: z.enum(REPLAY_VERDICTS),
  reason: z.enum(REPLAY_REASONS),
  from: z.string(),
  to: z.string(),
}

const report = replay
  .extend({
    replayed: count,
    erased: count,
    verdicts: z.object({
      ...{ worse: count, errored: count, changed: count, off_script: count },
      ...{ not_replayable: count, better: count, reworded: count, same: count },
    }),
    noise: z.object({ turns: count, different: count }),
    judge: z.object({ judged: count, failed: count }),
    groups: list(
      z.object({
        ...group,
        turns: count,
        accepted: z.object({ why: z.string(), by: z.string(), at: time }).nullable(),
      }),
    ),
  })
  .meta({ id: 'ReplayReport' })

const turn = z
  .object({
    ...group,
    conversationId: z.string(),
    turn: count,
    reply: z.string(),
    judged: z
      .object({ reason: z.string(), rule: z.enum(REPLAY_REASONS) })
      .nullable()
      .exactOptional(),
    recorded: z.object({ userInput: z.string(), reply: z.string() }).nullable(),
  })
  .meta({ id: 'ReplayedTurn' })

/** The responses of the routes about replays (contract/agents.md, Replays). */
export const replayAnswers = {
  listReplays: answers({ 200: z.object({ replays: list(replay) }) }),
  startReplay: answers(
    { 201: replay },
    'DEPLOYMENT_NOT_FOUND',
    'BRANCH_NOT_FOUND',
    'CONVERSATIONS_NOT_FOUND',
    'REPLAYS_LIMIT',
  ),
  readReplay: answers({ 200: report }, 'TEST_RUN_NOT_FOUND'),
  listReplayTurns: answers(
    { 200: z.object({ turns: list(turn), cursor: z.string().nullable() }) },
    'TEST_RUN_NOT_FOUND',
  ),
  acceptReplayGroup: answers({ 200: report }, 'TEST_RUN_NOT_FOUND', 'WRITE_CONFLICT'),
}
