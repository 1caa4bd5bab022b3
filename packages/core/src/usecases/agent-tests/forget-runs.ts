import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { eachRun } from './each-run.ts'
import { standsInTheWay } from './required-replay.ts'

type Forgetting = Pick<Context, 'breather' | 'clock' | 'settings' | 'store'>

/** An agent has at most so many times `testRuns.kept` replays: those that it keeps, and those that stand in the way. */
const MOST = 2

/**
 * Removes runs of an agent that are over and not among its newest `testRuns.kept`. A replay that stands in the way of
 * its version stays: forgetting it would let that version pass (TE24, TE96).
 */
export async function forgetRuns(context: Forgetting, agentId: AgentId): Promise<void> {
  const { settings, store } = context
  // Those that are kept are not read: a replay holds up to 1,000 groups of turns.
  for await (const run of eachRun(context, { agentId, skip: settings.testRuns.kept }))
    if (run.status !== 'running' && !standsInTheWay(context, run))
      await store.agents.testRuns.forget(agentId, [run.id])
}

/** Reports whether an agent has as many replays as it may have. */
async function isFull(context: Forgetting, agentId: AgentId): Promise<boolean> {
  const most = MOST * context.settings.testRuns.kept
  // Nearly always there are fewer runs of any kind, and none has to be read.
  if ((await context.store.agents.testRuns.list({ agentId, skip: most - 1 }, 1)).length === 0) return false
  let there = 0
  for await (const _ of eachRun(context, { agentId, replays: true })) if (++there === most) return true
  return false
}

/** Refuses a further replay of an agent that has too many which cannot be forgotten. @throws REPLAYS_LIMIT */
export async function refuseReplayBeyond(context: Forgetting, agentId: AgentId): Promise<void> {
  if (!(await isFull(context, agentId))) return
  // Their groups may have been accepted since.
  await forgetRuns(context, agentId)
  if (!(await isFull(context, agentId))) return
  const { kept } = context.settings.testRuns
  const message = `The agent has ${MOST * kept} replays: its newest ones, and those that run or stand in the way of a version. Accept their groups, wait until they are over or too old, or raise testRuns.kept.`
  throw new PlatformError('REPLAYS_LIMIT', message)
}
