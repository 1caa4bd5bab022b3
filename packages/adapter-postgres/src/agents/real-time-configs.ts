import type { AgentId, JsonObject } from '@colloquy/core'
import type { RealTimeConfig, RealTimeConfigStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { isViolated } from '../database/failure.ts'
import { inOneTick } from '../database/in-one-tick.ts'
import { fromJson, fromJsonOrNull } from '../database/json.ts'
import { mapped } from '../database/mapped.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'
import { agentRow } from './revision-statements.ts'

type Environment = RealTimeConfig['environment']

/** A config as its row says. */
export interface ConfigRow {
  readonly environment: Environment
  readonly version: number
  readonly updated_at: number
  /** JSON. */
  readonly variables: string
  /** JSON; null: any variables fit. */
  readonly schema: string | null
}

type Of = { agentId: AgentId; environment: Environment }

type ConfigParameters = Of & {
  expectedVersion: number
  version: number
  updatedAt: number
  variables: string
  schema: string | null
} & OutboxParameters

/** The statements about real-time configs. */
export const realTimeConfigStatements = (define: Define) => ({
  insertConfig: define<ConfigParameters>('write a real-time config')<Done>(
    (t, p) => sql`
    with written as (
      insert into ${t('real_time_config')} (agent, environment, version, updated_at, variables, schema)
      select row, ${p('environment')}::text, ${p('version')}::int, ${p('updatedAt')}::bigint, ${p('variables')}::text, ${p('schema')}::text
      from ${t('agent')} where id = ${p('agentId')}
      on conflict do nothing returning 1
    ), done (write) as (select 1 from written), ${keeping(t, p)} ${ANSWER}`,
  ),
  updateConfig: define<ConfigParameters>('write a real-time config')<Done>(
    (t, p) => sql`
    with written as (
      update ${t('real_time_config')} set version = ${p('version')}, updated_at = ${p('updatedAt')},
        variables = ${p('variables')}, schema = ${p('schema')}
      where agent = ${agentRow(t, p)} and environment = ${p('environment')} and version = ${p('expectedVersion')}::bigint
      returning 1
    ), done (write) as (select 1 from written), ${keeping(t, p)} ${ANSWER}`,
  ),
  config: define<Of>('read a real-time config')<ConfigRow>(
    (t, p) => sql`
    select * from ${t('real_time_config')} where agent = ${agentRow(t, p)} and environment = ${p('environment')}`,
  ),
  configs: define<{ agentId: AgentId }>('read real-time configs')<ConfigRow>(
    (t, p) => sql`
    select * from ${t('real_time_config')} where agent = ${agentRow(t, p)}`,
  ),
  variables: define<Of>('read the variables of a real-time config')<Pick<ConfigRow, 'variables'>>(
    (t, p) => sql`
    select variables from ${t('real_time_config')}
    where agent = ${agentRow(t, p)} and environment = ${p('environment')}`,
  ),
})

export const toConfig = (row: ConfigRow, agentId: AgentId): RealTimeConfig => ({
  agentId,
  environment: row.environment,
  variables: fromJson<JsonObject>(row.variables),
  schema: fromJsonOrNull<JsonObject>(row.schema),
  version: row.version,
  updatedAt: row.updated_at,
})

/** Real-time configs of agents. */
export function realTimeConfigMethods(
  { accept, accepted }: Pick<Session, 'accept' | 'accepted'>,
  run: ReturnType<typeof realTimeConfigStatements>,
): RealTimeConfigStore {
  // Every turn reads them, and a thousand turns may begin at once.
  const readVariables = inOneTick(key => {
    const { agentId, environment }: Of = JSON.parse(key)
    return run.variables.get({ agentId, environment }, accepted)
  })
  return {
    find: async (agentId, environment) =>
      mapped(await run.config.get({ agentId, environment }), row => toConfig(row, agentId)),
    list: async agentId => (await run.configs.all({ agentId })).map(row => toConfig(row, agentId)),
    variables: (agentId, environment) =>
      accept('read the variables of a real-time config', async () =>
        mapped(await readVariables(JSON.stringify({ agentId, environment })), row =>
          fromJson<JsonObject>(row.variables),
        ),
      ),
    async write(expectedVersion, next, outbox) {
      const { agentId, environment, version, updatedAt, variables, schema } = next
      const row = { agentId, environment, version, updatedAt, expectedVersion }
      const json = {
        variables: JSON.stringify(variables),
        schema: schema === null ? null : JSON.stringify(schema),
      }
      const statement = expectedVersion === 0 ? run.insertConfig : run.updateConfig
      try {
        const written = await statement.get({ ...row, ...json, ...outboxOf(outbox) })
        return written?.done ? 'written' : 'stale'
      } catch (error) {
        // The agent was deleted in between.
        if (isViolated(error, '23503')) return 'stale'
        throw error
      }
    },
  }
}
