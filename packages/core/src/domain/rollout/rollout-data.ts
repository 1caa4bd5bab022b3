import type { JsonObject } from '../json.ts'
import { isoTime } from '../time.ts'
import { type Rollout, type RolloutVersion, shareOf } from './rollout.ts'

const versionData = ({ deploymentId, revision, version }: RolloutVersion): JsonObject => ({
  ...{ deployment_id: deploymentId, artifact_version: String(revision), version },
})

/** Returns a rollout as webhooks tell it. */
export const rolloutData = (rollout: Rollout): JsonObject => ({
  rollout_id: rollout.id,
  account_id: rollout.accountId,
  project_id: rollout.agentId,
  environment: rollout.environment,
  base: versionData(rollout.base),
  candidate: versionData(rollout.candidate),
  basis_points: shareOf(rollout),
  started_at: isoTime(rollout.startedAt),
  ended_at: rollout.end === null ? null : isoTime(rollout.end.at),
  winner: rollout.end?.winner ?? null,
  deployment_id: rollout.end?.deploymentId ?? null,
  ended_early: rollout.end?.early ?? null,
})
