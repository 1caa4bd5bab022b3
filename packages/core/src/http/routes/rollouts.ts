import * as z from 'zod'
import {
  ROLLOUT_ENVIRONMENTS,
  ROLLOUT_KEYS,
  ROLLOUT_LIMITS,
  ROLLOUT_SIDES,
  type Rollout,
  type RolloutVersion,
  shareOf,
} from '../../domain/rollout/rollout.ts'
import { isoTime } from '../../domain/time.ts'
import type { RolloutReport } from '../../usecases/agents/rollouts/read-rollouts.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, deploymentMessage, ofAgent } from './agents-api.ts'
import { integer, text } from './query-values.ts'
import { strictBody } from './strict-body.ts'

const PATH = '/v1/agents/:agentId/rollouts'

const ofRollouts = { ...agentsApi, ...ofAgent, path: PATH } as const

const ofRollout = {
  ...ofRollouts,
  path: `${PATH}/:rolloutId`,
  params: ofAgent.params.extend({ rolloutId: z.string() }),
} as const

const basisPoints = z.int().min(0).max(ROLLOUT_LIMITS.whole)

const versionOnWire = ({ deploymentId, environment, revision, version }: RolloutVersion) => ({
  ...{ deploymentId, environment, artifactVersion: String(revision), version },
})

const rolloutOnWire = (rollout: Rollout) => ({
  id: rollout.id,
  accountId: rollout.accountId,
  agentId: rollout.agentId,
  environment: rollout.environment,
  base: versionOnWire(rollout.base),
  candidate: versionOnWire(rollout.candidate),
  key: rollout.key,
  basisPoints: shareOf(rollout),
  shares: rollout.shares.map(share => ({ ...share, at: isoTime(share.at) })),
  guards: rollout.guards,
  startedAt: isoTime(rollout.startedAt),
  startedBy: rollout.startedBy,
  end: rollout.end && { ...rollout.end, at: isoTime(rollout.end.at) },
})

const reportOnWire = ({ figures, isWhole, rollout }: RolloutReport) => ({
  ...rolloutOnWire(rollout),
  figures,
  isWhole,
})

/** Two versions in one environment (contract/agents.md, Rollouts). */
export const rolloutRoutes: readonly Route[] = [
  defineRoute({
    ...ofRollouts,
    method: 'GET',
    operation: 'listRollouts',
    summary: 'List the rollouts of an agent, newest first',
    query: z.object({
      environment: z.enum(ROLLOUT_ENVIRONMENTS).exactOptional(),
      deploymentId: text.exactOptional(),
      limit: integer(1, ROLLOUT_LIMITS.listMaximum).exactOptional(),
    }),
    async handle({ platform, params, query }) {
      const rollouts = await platform.agents.rollouts.list(params.agentId, query)
      return { status: 200, json: { rollouts: rollouts.map(rolloutOnWire) } }
    },
  }),
  defineRoute({
    ...ofRollouts,
    method: 'POST',
    operation: 'startRollout',
    summary: 'Share an environment between what it runs and another version',
    body: strictBody({
      deploymentId: z.string(),
      environment: z.enum(ROLLOUT_ENVIRONMENTS).exactOptional(),
      basisPoints,
      key: z.enum(ROLLOUT_KEYS).exactOptional(),
      guards: z.array(z.string()).max(ROLLOUT_LIMITS.guards).exactOptional(),
    }),
    async handle({ platform, params, body }) {
      return { status: 201, json: rolloutOnWire(await platform.agents.rollouts.start(params.agentId, body)) }
    },
  }),
  defineRoute({
    ...ofRollout,
    method: 'GET',
    operation: 'readRollout',
    summary: 'Read a rollout with the figures of both sides',
    async handle({ platform, params: { agentId, rolloutId } }) {
      return { status: 200, json: reportOnWire(await platform.agents.rollouts.read(agentId, rolloutId)) }
    },
  }),
  defineRoute({
    ...ofRollout,
    method: 'PATCH',
    operation: 'updateRollout',
    summary: 'Set the share of the candidate',
    body: strictBody({ basisPoints }),
    async handle({ platform, params: { agentId, rolloutId }, body }) {
      const rollout = await platform.agents.rollouts.setShare(agentId, rolloutId, body)
      return { status: 200, json: rolloutOnWire(rollout) }
    },
  }),
  defineRoute({
    ...ofRollout,
    method: 'POST',
    path: `${PATH}/:rolloutId/end`,
    operation: 'endRollout',
    summary: 'End a rollout: the winner gets the whole environment',
    body: strictBody({ ...deploymentMessage, winner: z.enum(ROLLOUT_SIDES) }),
    async handle({ platform, params: { agentId, rolloutId }, body }) {
      const rollout = await platform.agents.rollouts.end(agentId, rolloutId, body)
      return { status: 200, json: rolloutOnWire(rollout) }
    },
  }),
]
