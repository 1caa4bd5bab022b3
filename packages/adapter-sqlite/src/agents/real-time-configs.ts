import type { AgentId, JsonObject } from '@colloquy/core'
import type { RealTimeConfig, RealTimeConfigStore } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { fromJson, fromJsonOrNull } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'

type Environment = RealTimeConfig['environment']

/** The statements about real-time configs, prepared. */
export const realTimeConfigStatements = (define: Define) => ({
  insertConfig: define<{
    agentId: AgentId
    environment: Environment
    version: number
    updatedAt: number
    variables: string
    schema: string | null
  }>()((db, p) =>
    db
      .insertInto('real_time_config')
      .columns(['agent', 'environment', 'version', 'updated_at', 'variables', 'schema'])
      .expression(
        db
          .selectFrom('agent')
          .select([
            'agent.row',
            p('environment').as('environment'),
            p('version').as('version'),
            p('updatedAt').as('updated_at'),
            p('variables').as('variables'),
            p('schema').as('schema'),
          ])
          .where('agent.id', '=', p('agentId')),
      )
      .onConflict(conflict => conflict.doNothing())
      .compile(),
  ),
  updateConfig: define<{
    agentId: AgentId
    environment: Environment
    expectedVersion: number
    version: number
    updatedAt: number
    variables: string
    schema: string | null
  }>()((db, p) =>
    db
      .updateTable('real_time_config')
      .set({
        version: p('version'),
        updated_at: p('updatedAt'),
        variables: p('variables'),
        schema: p('schema'),
      })
      .where('agent', '=', db.selectFrom('agent').select('row').where('id', '=', p('agentId')))
      .where('environment', '=', p('environment'))
      .where('version', '=', p('expectedVersion'))
      .compile(),
  ),
  config: define<{ agentId: AgentId; environment: Environment }>()((db, p) =>
    db
      .selectFrom('real_time_config')
      .innerJoin('agent', 'agent.row', 'real_time_config.agent')
      .selectAll('real_time_config')
      .where('agent.id', '=', p('agentId'))
      .where('real_time_config.environment', '=', p('environment'))
      .compile(),
  ),
  configs: define<{ agentId: AgentId }>()((db, p) =>
    db
      .selectFrom('real_time_config')
      .innerJoin('agent', 'agent.row', 'real_time_config.agent')
      .selectAll('real_time_config')
      .where('agent.id', '=', p('agentId'))
      .compile(),
  ),
  variables: define<{ agentId: AgentId; environment: Environment }>()((db, p) =>
    db
      .selectFrom('real_time_config')
      .innerJoin('agent', 'agent.row', 'real_time_config.agent')
      .select('real_time_config.variables')
      .where('agent.id', '=', p('agentId'))
      .where('real_time_config.environment', '=', p('environment'))
      .compile(),
  ),
})

export const toConfig = (row: Selectable<Schema['real_time_config']>, agentId: AgentId): RealTimeConfig => ({
  agentId,
  environment: row.environment,
  variables: fromJson<JsonObject>(row.variables),
  schema: fromJsonOrNull<JsonObject>(row.schema),
  version: row.version,
  updatedAt: row.updated_at,
})

/** Real-time configs of agents. */
export function realTimeConfigMethods(
  { read, write }: Session,
  run: ReturnType<typeof realTimeConfigStatements>,
  keeper: OutboxKeeper,
): RealTimeConfigStore {
  return {
    find: (agentId, environment) =>
      read('read a real-time config', () => {
        const row = run.config.get({ agentId, environment })
        return row === undefined ? null : toConfig(row, agentId)
      }),
    list: agentId =>
      read('read real-time configs', () => run.configs.all({ agentId }).map(row => toConfig(row, agentId))),
    variables: (agentId, environment) =>
      read('read the variables of a real-time config', () =>
        fromJsonOrNull<JsonObject>(run.variables.get({ agentId, environment })?.variables ?? null),
      ),
    async write(expectedVersion, next, outbox) {
      const { agentId, environment, version, updatedAt, ...values } = next
      const keep = keeper.keeping(outbox)
      const variables = JSON.stringify(values.variables)
      const schema = values.schema === null ? null : JSON.stringify(values.schema)
      const row = { agentId, environment, version, updatedAt, variables, schema }
      return write('write a real-time config', () => {
        const written =
          expectedVersion === 0
            ? run.insertConfig.run(row)
            : run.updateConfig.run({ ...row, expectedVersion })
        if (written.changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
  }
}
