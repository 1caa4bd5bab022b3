import type { JsonObject } from '../json.ts'
import { isoTime, isoTimeOrNull } from '../time.ts'
import type { Replay } from './replay.ts'
import type { ReplayCounts } from './replay-report.ts'

/** The groups that an event names. */
const MOST_GROUPS = 20

/**
 * Returns a replay as webhooks tell it, with its verdicts and the gravest groups: without what anybody said. So without
 * the sentences of a judge, who may repeat it: events outlive conversations.
 */
export const replayData = (
  { id, accountId, ...replay }: Replay & { readonly accountId: string },
  report: ReplayCounts,
): JsonObject => ({
  replay_id: id,
  account_id: accountId,
  project_id: replay.agentId,
  environment: replay.environment,
  deployment_id: replay.deploymentId,
  branch_id: replay.branchId,
  artifact_version: String(replay.revision),
  version: replay.version,
  mode: replay.mode,
  status: replay.status,
  error: replay.error,
  conversations: replay.conversations,
  replayed: report.replayed,
  verdicts: { ...report.verdicts },
  noise: { ...report.noise },
  judge: { ...report.judge },
  groups: report.groups.slice(0, MOST_GROUPS).map(({ accepted, ...group }) => ({
    ...group,
    accepted: accepted !== null,
  })),
  started_at: isoTime(replay.startedAt),
  finished_at: isoTimeOrNull(replay.finishedAt),
})
