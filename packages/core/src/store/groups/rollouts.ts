import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { RolloutStore } from '../../ports/store/rollouts.ts'
import type { Condition } from '../documents.ts'
import {
  absent,
  changed,
  type Guarded,
  isSame,
  plain,
  plainOrNull,
  unchanged,
  versioned,
} from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { AGENT, DEPLOYMENT, ROLLOUT } from '../kinds.ts'
import { newDeployment } from './new-deployment.ts'
import { newRun } from './test-runs.ts'

/** Returns the condition that no rollout is in progress in an environment of an agent. */
export const noneRuns = (agentId: AgentId, environment: Environment): Condition => ({
  ...{ kind: ROLLOUT, index: 'running', prefix: [agentId, environment], atMost: 0 },
})

/** Rollouts of agents. */
export const rolloutsOver = ({ decided, one, scan, scanFor }: Guarded): RolloutStore => ({
  start: (rollout, lastNumber, outbox) =>
    decided<'started' | 'stale'>(async () => {
      const agent = await one(AGENT, rollout.agentId)
      if (agent?.deployment !== lastNumber) return { result: 'stale' }
      return {
        when: [noneRuns(rollout.agentId, rollout.environment), unchanged(AGENT, agent)],
        put: [{ kind: ROLLOUT, value: versioned(rollout) }],
        outbox,
        result: 'started',
        refused: place => (place === 0 ? 'stale' : undefined),
      }
    }),
  find: async (agentId, id) => plainOrNull(await one(ROLLOUT, idOf(agentId, id))),
  async list({ agentId, candidateId, environment }, limit) {
    const range = { prefix: [agentId], descending: true, limit }
    const found = await scanFor(
      ROLLOUT,
      'agent',
      range,
      rollout =>
        (environment ?? rollout.environment) === rollout.environment &&
        (candidateId ?? rollout.candidate.deploymentId) === rollout.candidate.deploymentId,
    )
    return found.map(plain)
  },
  running: async agentId => (await scan(ROLLOUT, 'running', { prefix: [agentId] })).map(plain),
  change: ({ before, after, deployed }, outbox) =>
    decided<'changed' | 'stale'>(async () => {
      const { agentId, id } = before
      const known = await one(ROLLOUT, idOf(agentId, id))
      if (known === null || !isSame(plain(known), before)) return { result: 'stale' }
      const changes = {
        when: [unchanged(ROLLOUT, known)],
        put: [{ kind: ROLLOUT, value: changed(known, after) }],
      }
      if (deployed === undefined) return { ...changes, outbox, result: 'changed' }
      const { deployment, testRun } = deployed
      const agent = await one(AGENT, agentId)
      if (agent?.deployment !== deployment.number - 1) return { result: 'stale' }
      return {
        when: [...changes.when, absent(DEPLOYMENT, DEPLOYMENT.id(deployment)), unchanged(AGENT, agent)],
        put: [...changes.put, ...newDeployment(agent, deployment), ...newRun(testRun)],
        outbox,
        result: 'changed',
        refused: place => (place === 1 ? 'stale' : undefined),
      }
    }),
})
