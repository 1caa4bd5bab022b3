import * as z from 'zod'
import type { InputOf } from '../../../calls/call.ts'
import type { AgentId, RolloutId } from '../../../domain/ids.ts'
import { createRolloutSum, ENOUGH, type RolloutFigures } from '../../../domain/rollout/figures.ts'
import {
  ROLLOUT_ENVIRONMENTS,
  ROLLOUT_LIMITS,
  type Rollout,
  type RolloutSide,
} from '../../../domain/rollout/rollout.ts'
import type { RecordPage, RecordPageStart } from '../../../ports/store/records.ts'
import { type AgentsDeps, requireAgent } from '../deps.ts'
import { requireRollout } from './running.ts'

/** The newest conversations that figures are counted over. */
const COUNTED = 10_000

/** Records that are read at once: more of them would delay other tasks. */
const SLICE = 50

/** A rollout with the figures of its sides. */
export interface RolloutReport {
  readonly rollout: Rollout
  readonly figures: RolloutFigures
  /** False where only the newest 10,000 conversations were counted. */
  readonly isWhole: boolean
}

/** The schema of {@link RolloutQuery}. */
export const rolloutQuerySchema = z.object({
  /** 1 to 100. @default 20 */
  limit: z.int().min(1).max(ROLLOUT_LIMITS.listMaximum).default(ROLLOUT_LIMITS.listDefault),
  /** Only those of one environment. @default all */
  environment: z.enum(ROLLOUT_ENVIRONMENTS).exactOptional(),
  /** Only those whose candidate is that deployment. @default all */
  deploymentId: z.string().exactOptional(),
})

/** The filter of a list of rollouts. */
export type RolloutQuery = InputOf<typeof rolloutQuerySchema>

/** Lists rollouts, newest first. @throws PROJECT_NOT_FOUND */
export async function listRollouts(
  deps: AgentsDeps,
  agentId: AgentId,
  { limit, environment, deploymentId: candidateId }: z.output<typeof rolloutQuerySchema>,
): Promise<readonly Rollout[]> {
  const tried = candidateId === undefined ? {} : { candidateId }
  const filter = { agentId, ...(environment && { environment }), ...tried }
  const rollouts = await deps.context.store.agents.rollouts.list(filter, limit)
  if (rollouts.length === 0) await requireAgent(deps, agentId)
  return rollouts
}

/** Returns the side that a record was on. Null for one that ran something else. */
function sideOfRecord({ base, candidate }: Rollout, deploymentId: unknown): RolloutSide | null {
  if (deploymentId === candidate.deploymentId) return 'candidate'
  return deploymentId === base.deploymentId ? 'base' : null
}

const finishedFilter = ({ accountId, agentId, environment, startedAt }: Rollout) =>
  ({ accountId, agentId, environment, startTime: startedAt, inProgress: false }) as const

/** Reports whether each side of a rollout in progress has enough finished conversations to be compared. */
export async function hasEnough({ context }: AgentsDeps, rollout: Rollout): Promise<boolean> {
  const { records } = context.store.conversations
  const last = await Promise.all(
    [rollout.base, rollout.candidate].map(({ deploymentId }) =>
      records.newest({ ...finishedFilter(rollout), deploymentId }, { offset: ENOUGH - 1 }, 1),
    ),
  )
  return last.every(({ records: [record] }) => record !== undefined)
}

/** Reads the finished conversations that began while the rollout ran, newest first. */
async function* finished({ context }: AgentsDeps, rollout: Rollout): AsyncGenerator<RecordPage> {
  const until = rollout.end === null ? {} : { endTime: rollout.end.at }
  const filter = { ...finishedFilter(rollout), ...until }
  const { records } = context.store.conversations
  let from: RecordPageStart = { offset: 0 }
  for (let left = COUNTED; left > 0; ) {
    const page = await records.newest(filter, from, Math.min(left, SLICE), context.settings.limits.sliceBytes)
    yield page
    const last = page.records.at(-1)
    if (!page.more || last === undefined) return
    left -= page.records.length
    from = { after: { startedAt: last.startedAt, id: last.id } }
  }
}

/**
 * Returns a rollout with the figures of its sides, over the finished conversations that began in it (RO7). The turns of
 * one that is longer than a slice are not counted. @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND
 */
export async function readRollout(
  deps: AgentsDeps,
  agentId: AgentId,
  rolloutId: RolloutId,
): Promise<RolloutReport> {
  const rollout = await requireRollout(deps, agentId, rolloutId)
  const sum = createRolloutSum()
  let isWhole = true
  for await (const { more, records } of finished(deps, rollout)) {
    isWhole = !more
    for (const { json } of records) {
      const side = sideOfRecord(rollout, json.details.value.deployment_id)
      const turns = json.turns?.value ?? []
      if (side !== null)
        sum.add(
          side,
          json.summary.value,
          turns.map(record => ({ record, details: {} })),
        )
    }
  }
  return { rollout, figures: sum.figures(), isWhole }
}
