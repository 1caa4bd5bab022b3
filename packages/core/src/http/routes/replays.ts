import * as z from 'zod'
import {
  REPLAY_MODES,
  REPLAY_REASONS,
  REPLAY_VERDICTS,
  type Replay,
  type ReplayReport,
} from '../../domain/agent/replay.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { isoTime, isoTimeOrNull } from '../../domain/time.ts'
import { REPLAY_LIMITS } from '../../usecases/agent-tests/replays.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { integer, text } from './query-values.ts'
import { strictBody } from './strict-body.ts'

const PATH = '/v1/agents/:agentId/replays'

const ofReplays = { ...agentsApi, ...ofAgent, path: PATH } as const

const ofReplay = {
  ...ofReplays,
  path: `${PATH}/:replayId`,
  params: ofAgent.params.extend({ replayId: z.string() }),
} as const

const replayOnWire = ({ revision, startedAt, finishedAt, ...replay }: Replay) => ({
  ...replay,
  artifactVersion: String(revision),
  startedAt: isoTime(startedAt),
  finishedAt: isoTimeOrNull(finishedAt),
})

const reportOnWire = ({ replayed, erased, verdicts, noise, judge, groups, ...replay }: ReplayReport) => ({
  ...replayOnWire(replay),
  replayed,
  erased,
  verdicts,
  noise,
  judge,
  groups: groups.map(group => ({
    ...group,
    accepted: group.accepted && { ...group.accepted, at: isoTime(group.accepted.at) },
  })),
})

const group = {
  verdict: z.enum(REPLAY_VERDICTS),
  reason: z.enum(REPLAY_REASONS),
  from: z.string().max(1_000),
  to: z.string().max(1_000),
}

/** Replays of recorded conversations (contract/agents.md, Replays). */
export const replayRoutes: readonly Route[] = [
  defineRoute({
    ...ofReplays,
    method: 'GET',
    operation: 'listReplays',
    summary: 'List the newest replays of an agent',
    query: z.object({
      deploymentId: text.exactOptional(),
      branchId: text.exactOptional(),
      limit: integer(1, REPLAY_LIMITS.listed).exactOptional(),
    }),
    async handle({ platform, params, query }) {
      const replays = await platform.agents.replays(params.agentId, query)
      return { status: 200, json: { replays: replays.map(replayOnWire) } }
    },
  }),
  defineRoute({
    ...ofReplays,
    method: 'POST',
    operation: 'startReplay',
    summary: 'Replay recorded conversations with a deployment or a branch',
    body: strictBody({
      deploymentId: z.string().exactOptional(),
      branchId: z.string().min(1).exactOptional(),
      environment: z.enum(ENVIRONMENTS).exactOptional(),
      last: z.int().min(1).max(REPLAY_LIMITS.conversations).exactOptional(),
      days: z.int().min(1).max(REPLAY_LIMITS.days).exactOptional(),
      mode: z.enum(REPLAY_MODES).exactOptional(),
    }),
    async handle({ platform, params, body }) {
      return { status: 201, json: replayOnWire(await platform.agents.startReplay(params.agentId, body)) }
    },
  }),
  defineRoute({
    ...ofReplay,
    method: 'GET',
    operation: 'readReplay',
    summary: 'Read a replay with its verdicts, and its turns in groups',
    async handle({ platform, params: { agentId, replayId } }) {
      return { status: 200, json: reportOnWire(await platform.agents.replay(agentId, replayId)) }
    },
  }),
  defineRoute({
    ...ofReplay,
    method: 'GET',
    path: `${PATH}/:replayId/turns`,
    operation: 'listReplayTurns',
    summary: 'Compare turns of a replay with the recorded ones',
    query: z.object({
      verdict: group.verdict.exactOptional(),
      reason: group.reason.exactOptional(),
      from: z.string().max(1_000).exactOptional(),
      to: z.string().max(1_000).exactOptional(),
      limit: integer(1, REPLAY_LIMITS.turns).exactOptional(),
      cursor: text.exactOptional(),
    }),
    async handle({ platform, params: { agentId, replayId }, query }) {
      return { status: 200, json: await platform.agents.replayTurns(agentId, replayId, query) }
    },
  }),
  defineRoute({
    ...ofReplay,
    method: 'POST',
    path: `${PATH}/:replayId/accept`,
    operation: 'acceptReplayGroup',
    summary: 'Accept a group of turns, with a reason',
    body: strictBody({ ...group, why: z.string() }),
    async handle({ platform, params: { agentId, replayId }, body }) {
      const report = await platform.agents.acceptReplayGroup(agentId, replayId, body)
      return { status: 200, json: reportOnWire(report) }
    },
  }),
]
