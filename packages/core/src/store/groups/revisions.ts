import type { RevisionStore } from '../../ports/store/revisions.ts'
import { absent, changed, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import {
  AGENT,
  type AgentRevision,
  BRANCH,
  DEPLOYMENT,
  type HeldAgent,
  RESOURCE,
  REVISION,
  type RevisedResource,
} from '../kinds.ts'
import { toAgent } from './agents.ts'
import { changesOf } from './branches.ts'
import { readResources, resourcesOf } from './resources.ts'
import { newRun } from './test-runs.ts'

const toRevision = ({ contentBytes, contentHash, createdAt, number }: AgentRevision) => ({
  number,
  contentHash,
  contentBytes,
  createdAt,
})

/** Returns the store of agents' main revisions. */
export function revisionsOver(documents: Guarded): RevisionStore {
  const { decided, one } = documents
  const resources = readResources(documents)
  return {
    async main(agentId) {
      const agent = await one(AGENT, agentId)
      return agent && { agent: toAgent(agent), head: agent.head, lastDeployment: agent.deployment }
    },
    async find(agentId, number) {
      const revision = await one(REVISION, idOf(agentId, number))
      return revision === null ? null : toRevision(revision)
    },
    resourcesAt: (agentId, revision, filter = {}) => resources.at(agentId, revision, filter),
    changesBetween: resources.between,
    commit: (commit, outbox) =>
      decided(async () => {
        const { agentId, branch, changes, deployment, revision, testRun } = commit
        const agent = await one(AGENT, agentId)
        if (agent?.head.number !== commit.expectedRevision || agent.deployment !== commit.expectedDeployment)
          return { result: 'stale' }
        const replaced = await resources.current(agentId, changes)
        const held = changed<HeldAgent>(agent, { head: revision, deployment: deployment.number })
        return {
          when: [
            { kind: BRANCH, id: idOf(agentId, branch.next.id), version: branch.expectedVersion },
            absent(DEPLOYMENT, DEPLOYMENT.id(deployment)),
            unchanged(AGENT, agent),
          ],
          clear: [changesOf(agentId, branch.next.id)],
          put: [
            { kind: AGENT, value: held },
            { kind: BRANCH, value: branch.next },
            { kind: REVISION, value: { ...revision, agentId, version: 1 } },
            ...replaced.map(before => ({
              kind: RESOURCE,
              value: changed<RevisedResource>(before, { until: revision.number }),
            })),
            ...resourcesOf(agentId, revision.number, changes),
            { kind: DEPLOYMENT, value: deployment },
            ...newRun(testRun),
          ],
          outbox,
          result: 'committed',
          refused: place => (place < 2 ? 'stale' : undefined),
        }
      }),
  }
}
