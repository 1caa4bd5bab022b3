import * as z from 'zod'
import { REPLAY_REASONS, REPLAY_VERDICTS, type Replay, type ReplayReport } from '../domain/agent/replay.ts'
import { ENVIRONMENTS } from '../domain/environment.ts'
import { isoTime, isoTimeOrNull } from '../domain/time.ts'
import { REPLAY_LIMITS } from '../usecases/agent-tests/replays.ts'
import { describeRoute, type Route } from './route.ts'
import { agentsApi, ofAgent } from './routes/agents-api.ts'
import { integer, text } from './routes/query-values.ts'

const PATH = '/console/v1/agents/:agentId/replays'

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

const reportOnWire = ({ replayed, verdicts, groups, ...replay }: ReplayReport) => ({
  ...replayOnWire(replay),
  replayed,
  verdicts,
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

const startReplay = describeRoute({
  ...ofReplays,
  method: 'POST',
  operation: 'startReplay',
  summary: 'Replay recorded conversations with a deployment',
  body: z.object({
    deploymentId: z.string(),
    environment: z.enum(ENVIRONMENTS).exactOptional(),
    last: z.int().min(1).max(REPLAY_LIMITS.conversations).exactOptional(),
  }),
  async handle({ platform, params, body }) {
    return { status: 201, json: replayOnWire(await platform.agents.startReplay(params.agentId, body)) }
  },
})

const listReplays = describeRoute({
  ...ofReplays,
  method: 'GET',
  operation: 'listReplays',
  summary: 'List the newest replays of an agent',
  query: z.object({
    deploymentId: text.exactOptional(),
    limit: integer(1, REPLAY_LIMITS.listed).exactOptional(),
  }),
  async handle({ platform, params, query }) {
    const replays = await platform.agents.replays(params.agentId, query)
    return { status: 200, json: { replays: replays.map(replayOnWire) } }
  },
})

const readReplay = describeRoute({
  ...ofReplay,
  method: 'GET',
  operation: 'readReplay',
  summary: 'Read a replay with its verdicts, and its turns in groups',
  async handle({ platform, params: { agentId, replayId } }) {
    return { status: 200, json: reportOnWire(await platform.agents.replay(agentId, replayId)) }
  },
})

const listReplayTurns = describeRoute({
  ...ofReplay,
  method: 'GET',
  path: `${PATH}/:replayId/turns`,
  operation: 'listReplayTurns',
  summary: 'Compare turns of a replay with the recorded ones',
  query: z.object({
    verdict: group.verdict.exactOptional(),
    reason: group.reason.exactOptional(),
    from: z.string().exactOptional(),
    to: z.string().exactOptional(),
    offset: integer(0, Number.MAX_SAFE_INTEGER).exactOptional(),
    limit: integer(1, REPLAY_LIMITS.turns).exactOptional(),
  }),
  async handle({ platform, params: { agentId, replayId }, query }) {
    return { status: 200, json: { ...(await platform.agents.replayTurns(agentId, replayId, query)) } }
  },
})

const acceptReplayGroup = describeRoute({
  ...ofReplay,
  method: 'POST',
  path: `${PATH}/:replayId/accept`,
  operation: 'acceptReplayGroup',
  summary: 'Accept a group of turns, with a reason',
  body: z.object({ ...group, why: z.string() }),
  async handle({ platform, params: { agentId, replayId }, body }) {
    return {
      status: 200,
      json: reportOnWire(await platform.agents.acceptReplayGroup(agentId, replayId, body)),
    }
  },
})

/** The routes about replays, which are there for people alone (PE18). */
export const peopleReplayRoutes: readonly Route[] = [
  startReplay,
  listReplays,
  readReplay,
  listReplayTurns,
  acceptReplayGroup,
]
