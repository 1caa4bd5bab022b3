import type { Agent, AgentRecord } from '@colloquy/core'
import type { AgentStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { audioBesideStatements } from '../audio-cache.ts'
import { countersBesideStatements } from '../counters.ts'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import { ownedStatements } from '../documents/owned.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { type AgentRecordRow, allAgentStatements } from './agent-statements.ts'
import { branchMethods } from './branches.ts'
import { deploymentMethods } from './deployments.ts'
import { realTimeConfigMethods } from './real-time-configs.ts'
import { encodeChange } from './resources.ts'
import { revisionMethods, writeRevision } from './revisions.ts'
import { testRunMethods } from './test-runs.ts'

export const toAgent = (row: Selectable<Schema['agent']>): Agent => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** In one literal: this is read with every request for an agent. */
const toRecord = (row: AgentRecordRow): AgentRecord => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  createdAt: row.created_at,
  updatedAt: Math.max(row.updated_at, row.branches_updated_at, row.revised_at),
  branchCount: row.branch_count,
})

/** Agents in SQLite. Arguments are read before a call returns, so later changes to them change nothing. */
export function createAgentStore(session: Session, keeper: OutboxKeeper): AgentStore {
  const { read, write } = session
  const run = allAgentStatements(session.define)
  const counters = countersBesideStatements(session.define)
  const sounds = audioBesideStatements(session.define)
  const owned = ownedStatements(session.define)
  return {
    async create({ agent, main, revision, changes }, outbox) {
      const keep = keeper.keeping(outbox)
      const rows = changes.map(encodeChange)
      const [first, begun, trunk] = [{ ...agent }, { ...revision }, { ...main }]
      return write('create an agent', () => {
        if (run.deletedElsewhere.get(first) !== undefined) return 'taken'
        const { changes: written, row } = run.insertAgent.run(first)
        if (written === 0) return 'taken'
        run.insertBranch.run({ ...trunk, agent: row })
        writeRevision(run, row, begun, rows)
        keep()
        return 'created'
      })
    },
    find: id =>
      read('read an agent', () => {
        const row = run.agent.get({ id })
        return row === undefined ? null : toAgent(row)
      }),
    findRecord: id =>
      read('read an agent and its branches', () => {
        const row = run.agentRecord.get({ id })
        return row === undefined ? null : toRecord(row)
      }),
    list: accountId => read('list agents', () => run.agentsOf.all({ accountId }).map(toAgent)),
    async rename(id, { before, after }, updatedAt, outbox) {
      const keep = keeper.keeping(outbox)
      return write('rename an agent', () => {
        if (run.renameAgent.run({ id, before, after, updatedAt }).changes === 0) return false
        keep()
        return true
      })
    },
    async delete(id, deletedAt, outbox) {
      const keep = keeper.keeping(outbox)
      return write('delete an agent', () => {
        const accountId = run.agent.get({ id })?.account_id
        if (accountId === undefined) return false
        run.rememberAgent.run({ accountId, id, deletedAt })
        run.deleteAgent.run({ id })
        counters.dropCountsOf.run({ accountId, id })
        sounds.dropAudioOf.run({ id })
        owned.dropDocumentsOfAgent(id)
        keep()
        return true
      })
    },
    findDeleted: (accountId, id) =>
      read('read a deleted agent', () => {
        const row = run.deletedAgent.get({ accountId, id })
        return row === undefined ? null : { id: row.id, accountId: row.account_id, deletedAt: row.deleted_at }
      }),
    branches: branchMethods(session, run, keeper),
    revisions: revisionMethods(session, run, keeper),
    deployments: deploymentMethods(session, run, keeper),
    realTimeConfigs: realTimeConfigMethods(session, run, keeper),
    testRuns: testRunMethods(session, run),
  }
}
