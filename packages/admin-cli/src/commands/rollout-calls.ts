import type { Api } from '@colloquy/client/http'
import type { Agents, Rollout, RolloutReport } from '@colloquy/core'
import { type ConnectionOptions, connect, urlOf, workspaceApi } from '../connection.ts'
import { answerOf } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { needStore } from './command.ts'

/** A rollout as the commands show it. The routes keep its salt to themselves. */
export type ShownRollout = Omit<Rollout, 'salt'>

/** A rollout with its figures, as the commands show it. */
export type ShownReport = Omit<RolloutReport, 'rollout'> & { readonly rollout: ShownRollout }

type Rollouts = Agents['rollouts']

/** Calls of the commands about rollouts, over a store or over HTTP with the key of a workspace. */
export interface RolloutCalls {
  /** Returns the deployment that an environment runs; null for none. */
  active(agentId: string, environment: 'sandbox' | 'pre-release'): Promise<string | null>
  start(agentId: string, input: Parameters<Rollouts['start']>[1]): Promise<ShownRollout>
  list(agentId: string, query: NonNullable<Parameters<Rollouts['list']>[1]>): Promise<readonly ShownRollout[]>
  read(agentId: string, rolloutId: string): Promise<ShownReport>
  setShare(agentId: string, rolloutId: string, basisPoints: number): Promise<ShownRollout>
  end(agentId: string, rolloutId: string, input: Parameters<Rollouts['end']>[2]): Promise<ShownRollout>
  close(): Promise<void>
}

const unsalted = ({ salt: _, ...rollout }: Rollout): ShownRollout => rollout

const overStore = (
  { activeDeployments, rollouts }: Pick<Agents, 'activeDeployments' | 'rollouts'>,
  close: () => Promise<void>,
): RolloutCalls => ({
  active: async (agentId, environment) => (await activeDeployments(agentId))[environment]?.id ?? null,
  start: async (agentId, input) => unsalted(await rollouts.start(agentId, input)),
  list: async (agentId, query) => (await rollouts.list(agentId, query)).map(unsalted),
  async read(agentId, rolloutId) {
    const report = await rollouts.read(agentId, rolloutId)
    return { ...report, rollout: unsalted(report.rollout) }
  },
  setShare: async (agentId, rolloutId, basisPoints) =>
    unsalted(await rollouts.setShare(agentId, rolloutId, { basisPoints })),
  end: async (agentId, rolloutId, input) => unsalted(await rollouts.end(agentId, rolloutId, input)),
  close,
})

type Sent = Awaited<ReturnType<Api['startRollout']>>

const versionOf = ({ artifactVersion, ...version }: Sent['base']): Rollout['base'] => ({
  ...version,
  revision: Number(artifactVersion),
})

const timed = <Value extends { readonly at: string }>(value: Value) => ({
  ...value,
  at: Date.parse(value.at),
})

const rolloutOf = ({ basisPoints: _, ...sent }: Sent): ShownRollout => ({
  ...sent,
  base: versionOf(sent.base),
  candidate: versionOf(sent.candidate),
  shares: sent.shares.map(timed),
  startedAt: Date.parse(sent.startedAt),
  end: sent.end && timed(sent.end),
})

const overRoutes = (api: Api): RolloutCalls => ({
  async active(agentId, environment) {
    const { activeDeployments } = await answerOf(api.listActiveDeployments({ agentId }))
    return activeDeployments[environment]?.id ?? null
  },
  start: async (agentId, body) => rolloutOf(await answerOf(api.startRollout({ agentId, body }))),
  async list(agentId, query) {
    const { rollouts } = await answerOf(api.listRollouts({ agentId, ...query }))
    return rollouts.map(rolloutOf)
  },
  async read(agentId, rolloutId) {
    const { figures, isWhole, ...sent } = await answerOf(api.readRollout({ agentId, rolloutId }))
    return { figures, isWhole, rollout: rolloutOf(sent) }
  },
  setShare: async (agentId, rolloutId, basisPoints) =>
    rolloutOf(await answerOf(api.updateRollout({ agentId, rolloutId, body: { basisPoints } }))),
  end: async (agentId, rolloutId, body) =>
    rolloutOf(await answerOf(api.endRollout({ agentId, rolloutId, body }))),
  close: async () => undefined,
})

/** Opens what the options name: with a server, its routes for the key of a workspace. @throws UsageError, Failure */
export async function openRollouts(options: ConnectionOptions, terminal: Terminal): Promise<RolloutCalls> {
  if (urlOf(options, terminal.env) !== undefined)
    return overRoutes(workspaceApi('rollout', options, terminal.env))
  const admin = await connect(options, terminal)
  return overStore(needStore(admin).agents, admin.close)
}
