import type { MainCommit, Revision, RevisionStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { AgentStatements } from './agent-statements.ts'
import { lastNumber } from './deployments.ts'
import { guardedBranch } from './guarded-branch.ts'
import { type EncodedChange, encodeChange, readResources, toChange } from './resources.ts'
import { type EncodedTestRun, encodeTestRun, insertTestRun } from './test-runs.ts'

type Run = AgentStatements

export const toRevision = (row: Selectable<Schema['revision']> | undefined): Revision | null =>
  row === undefined
    ? null
    : {
        number: row.number,
        contentHash: row.content_hash,
        contentBytes: row.content_bytes,
        createdAt: row.created_at,
      }

/** Adds a revision to main. To be called inside a write. */
export function writeRevision(
  run: Run,
  agent: number,
  revision: Revision,
  changes: readonly EncodedChange[],
): void {
  run.insertRevision.run({ agent, ...revision })
  for (const change of changes) run.insertResource.run({ agent, revision: revision.number, ...change })
}

function writeCommit(
  run: Run,
  commit: Omit<MainCommit, 'testRun'>,
  {
    changes,
    testRun,
  }: { readonly changes: readonly EncodedChange[]; readonly testRun: EncodedTestRun | null },
  keep: () => void,
): 'committed' | 'stale' {
  const { agentId, branch, revision, deployment } = commit
  const agent = run.agentRow.get({ id: agentId })?.row
  const row = guardedBranch(run, agentId, branch.next.id, branch.expectedVersion)
  if (
    agent === undefined ||
    row === null ||
    run.head.get({ agentId })?.number !== commit.expectedRevision ||
    lastNumber(run, agentId) !== commit.expectedDeployment
  ) {
    return 'stale'
  }
  writeRevision(run, agent, revision, changes)
  run.updateBranch.run({ ...branch.next, row })
  run.dropChanges.run({ branch: row })
  run.insertDeployment.run({ ...deployment, agent })
  if (testRun !== null) insertTestRun(run, testRun)
  keep()
  return 'committed'
}

/** Main in SQLite. */
export function revisionMethods(
  { read, snapshot, write }: Session,
  run: Run,
  keeper: OutboxKeeper,
): RevisionStore {
  return {
    head: agentId => read('read the newest revision', () => toRevision(run.head.get({ agentId }))),
    find: (agentId, number) =>
      read('read a revision', () => toRevision(run.revision.get({ agentId, number }))),
    resourcesAt: (agentId, revision, filter = {}) =>
      snapshot('read the content of a revision', () => {
        const agent = run.agentRow.get({ id: agentId })?.row
        return agent === undefined ? [] : readResources(run, agent, revision, filter)
      }),
    changesBetween: (agentId, after, through) =>
      snapshot('read the changes of revisions', () => {
        const agent = run.agentRow.get({ id: agentId })?.row
        return agent === undefined ? [] : run.changedBetween.all({ agent, after, through }).map(toChange)
      }),
    async commit(commit, outbox) {
      const keep = keeper.keeping(outbox)
      const rows = commit.changes.map(encodeChange)
      const { branch, revision, deployment } = commit
      const testRun = commit.testRun && encodeTestRun(commit.testRun)
      const given: Omit<MainCommit, 'testRun'> = {
        ...commit,
        branch: { ...branch, next: { ...branch.next } },
        revision: { ...revision },
        deployment: { ...deployment },
      }
      return write('commit to main', () => writeCommit(run, given, { changes: rows, testRun }, keep))
    },
  }
}
