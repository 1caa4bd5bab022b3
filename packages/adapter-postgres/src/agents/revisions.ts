import type { Revision, RevisionStore } from '@colloquy/core/store'
import { mapped } from '../database/mapped.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import {
  type AgentStatements,
  branchParameters,
  deploymentParameters,
  revisionParameters,
} from './agent-statements.ts'
import { conditionsOf, encodeChanges, toChange, toResources } from './resources.ts'
import type { RevisionRow } from './revision-statements.ts'
import { encodeTestRun } from './test-runs.ts'

export const toRevision = (row: RevisionRow): Revision => ({
  number: row.number,
  contentHash: row.content_hash,
  contentBytes: row.content_bytes,
  createdAt: row.created_at,
})

/** Main in PostgreSQL. */
export function revisionMethods(run: AgentStatements): RevisionStore {
  return {
    head: async agentId => mapped(await run.head.get({ agentId }), toRevision),
    find: async (agentId, number) => mapped(await run.revision.get({ agentId, number }), toRevision),
    async resourcesAt(agentId, revision, filter = {}) {
      const { keys, ...conditions } = conditionsOf(filter)
      const rows =
        keys === undefined
          ? await run.resourcesAt.all({ agentId, revision, ...conditions })
          : await run.keysAt.all({ agentId, revision, ...conditions, ...keys })
      return toResources(rows)
    },
    changesBetween: async (agentId, after, through) =>
      (await run.changedBetween.all({ agentId, after, revision: through })).map(toChange),
    async commit(commit, outbox) {
      const {
        agentId,
        expectedRevision,
        expectedDeployment,
        revision,
        changes,
        branch,
        deployment,
        testRun,
      } = commit
      const committed = await run.commit.get({
        ...{ agentId, expectedRevision, expectedDeployment, expectedVersion: branch.expectedVersion },
        ...branchParameters(branch.next),
        ...revisionParameters(revision),
        ...encodeChanges(changes),
        ...deploymentParameters(deployment),
        ...encodeTestRun(testRun),
        ...outboxOf(outbox),
      })
      return committed?.done ? 'committed' : 'stale'
    },
  }
}
