import type { JsonObject } from '../json.ts'
import { isoTime, isoTimeOrNull } from '../time.ts'
import type { Replay, ReplayReport } from './replay.ts'

/** Returns a replay as webhooks tell it, with its verdicts: without what anybody said. */
export const replayData = (
  { id, accountId, ...replay }: Replay & { readonly accountId: string },
  { verdicts, noise, replayed }: Pick<ReplayReport, 'verdicts' | 'noise' | 'replayed'>,
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
  replayed,
  verdicts: { ...verdicts },
  noise: { ...noise },
  started_at: isoTime(replay.startedAt),
  finished_at: isoTimeOrNull(replay.finishedAt),
})
