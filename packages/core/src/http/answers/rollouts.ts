import * as z from 'zod'
import {
  ROLLOUT_EARLY,
  ROLLOUT_ENVIRONMENTS,
  ROLLOUT_KEYS,
  ROLLOUT_SIDES,
} from '../../domain/rollout/rollout.ts'
import { answers, count, environment, list, texts, time } from './answer.ts'

const version = z
  .object({ deploymentId: z.string(), environment, artifactVersion: z.string(), version: z.string() })
  .meta({ id: 'RolloutVersion' })

const side = z.enum(ROLLOUT_SIDES)

const rollout = z
  .object({
    id: z.string(),
    accountId: z.string(),
    agentId: z.string(),
    environment: z.enum(ROLLOUT_ENVIRONMENTS),
    base: version,
    candidate: version,
    key: z.enum(ROLLOUT_KEYS),
    basisPoints: count,
    shares: list(z.object({ basisPoints: count, at: time, by: z.string() })),
    guards: texts,
    startedAt: time,
    startedBy: z.string(),
    end: z
      .object({
        ...{ winner: side, at: time, by: z.string(), deploymentId: z.string().nullable() },
        early: z.enum(ROLLOUT_EARLY).nullable().exactOptional(),
      })
      .nullable(),
  })
  .meta({ id: 'Rollout' })

const estimate = z
  .object({ count, of: count, share: z.number(), low: z.number(), high: z.number() })
  .meta({ id: 'Estimate' })

const sideFigures = z
  .object({
    conversations: count,
    turns: count,
    latency: z.object({ median: z.number(), p95: z.number(), longest: z.number() }).nullable(),
    unknown: count,
    handoffs: count,
    destinations: list(z.object({ name: z.string(), count })),
    contained: estimate,
    understood: estimate,
    satisfied: estimate,
    engaged: estimate,
  })
  .meta({ id: 'RolloutSideFigures' })

const difference = z
  .object({
    value: z.number(),
    low: z.number(),
    high: z.number(),
    verdict: z.enum(['not_enough', 'no_difference', 'better', 'worse']),
  })
  .meta({ id: 'RolloutDifference' })

const dayFigures = z.object({ conversations: count, contained: count })

const report = rollout
  .extend({
    figures: z.object({
      base: sideFigures,
      candidate: sideFigures,
      differences: z.object({
        contained: difference,
        understood: difference,
        satisfied: difference,
        engaged: difference,
      }),
      days: list(z.object({ day: z.string(), base: dayFigures, candidate: dayFigures })),
    }),
    isWhole: z.boolean(),
  })
  .meta({ id: 'RolloutReport' })

/** The responses of the routes about rollouts (contract/agents.md, Rollouts). */
export const rolloutAnswers = {
  listRollouts: answers({ 200: z.object({ rollouts: list(rollout) }) }),
  startRollout: answers(
    { 201: rollout },
    'DEPLOYMENT_NOT_FOUND',
    'ROLLOUTS_INVALID_CANDIDATE',
    'ROLLOUTS_RUNNING',
    'DEPLOYMENTS_PRE_RELEASE_REQUIRED',
    'DEPLOYMENTS_TESTS_NOT_PASSED',
    'DEPLOYMENTS_REPLAY_NOT_PASSED',
    'ALERT_RULE_NOT_FOUND',
  ),
  readRollout: answers({ 200: report }, 'ROLLOUT_NOT_FOUND'),
  updateRollout: answers({ 200: rollout }, 'ROLLOUT_NOT_FOUND', 'ROLLOUTS_ENDED'),
  endRollout: answers({ 200: rollout }, 'ROLLOUT_NOT_FOUND', 'ROLLOUTS_ENDED'),
}
