import type { AuditAction } from '../../../domain/audit/audit.ts'
import { namesOf } from '../../../domain/audit/details.ts'
import { ENVIRONMENTS, type Environment } from '../../../domain/environment.ts'
import type { AgentId } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { plainJsonObject } from '../../../domain/plain-json.ts'
import { mergeVariables } from '../../../domain/real-time-config/merge-variables.ts'
import { placesOf } from '../../../domain/real-time-config/problems.ts'
import {
  REAL_TIME_CONFIG_LIMITS,
  type RealTimeConfig,
} from '../../../domain/real-time-config/real-time-config.ts'
import { PlatformError } from '../../../errors.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import { environmentOf } from '../../shared/environment.ts'
import { type ActingDeps, type AgentsDeps, requireAgent, retried } from '../deps.ts'
import { schemaCheck } from './schema-checks.ts'

/** A real-time config as it is shown; a config that was never written has no variables and no schema. */
export interface RealTimeConfigRecord {
  readonly environment: Environment
  readonly variables: JsonObject
  readonly schema: JsonObject | null
  /** Milliseconds since the epoch; null until the first write. */
  readonly updatedAt: number | null
}

const UNKNOWN = 'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT'

/** An object that a caller hands over; that it is nothing but JSON is checked. */
export type JsonInput = Readonly<Record<string, unknown>>

function recordOf(environment: Environment, config: RealTimeConfig | null): RealTimeConfigRecord {
  if (config === null) return { environment, variables: {}, schema: null, updatedAt: null }
  const { variables, schema, updatedAt } = config
  return { environment, variables, schema, updatedAt }
}

/** @throws PROJECT_NOT_FOUND, REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT */
export async function readRealTimeConfig(
  deps: AgentsDeps,
  agentId: AgentId,
  environment: Environment,
): Promise<RealTimeConfigRecord> {
  environmentOf(environment, UNKNOWN)
  await requireAgent(deps, agentId)
  return recordOf(environment, await deps.context.store.agents.realTimeConfigs.find(agentId, environment))
}

/** Lists one real-time config for each environment, in promotion order. @throws PROJECT_NOT_FOUND */
export async function listRealTimeConfigs(
  deps: AgentsDeps,
  agentId: AgentId,
): Promise<readonly RealTimeConfigRecord[]> {
  await requireAgent(deps, agentId)
  const written = await deps.context.store.agents.realTimeConfigs.list(agentId)
  return ENVIRONMENTS.map(environment =>
    recordOf(environment, written.find(config => config.environment === environment) ?? null),
  )
}

/** Writes what `change` makes of the stored values; calls it again when another write came first. */
function write(
  deps: ActingDeps,
  { agentId, environment }: Pick<RealTimeConfig, 'agentId' | 'environment'>,
  note: { readonly action: AuditAction; readonly details: JsonObject },
  change: (stored: RealTimeConfigRecord) => Promise<Pick<RealTimeConfig, 'variables' | 'schema'>>,
): Promise<RealTimeConfigRecord> {
  const { clock, store } = deps.context
  return retried(deps, agentId, async () => {
    const { accountId } = await requireAgent(deps, agentId)
    const stored = await store.agents.realTimeConfigs.find(agentId, environment)
    const expectedVersion = stored?.version ?? 0
    const next: RealTimeConfig = {
      ...(await change(recordOf(environment, stored))),
      ...{ agentId, environment, version: expectedVersion + 1, updatedAt: clock.now() },
    }
    const entry = auditEntry(deps.context, note.action, {
      ...{ accountId, agentId, resourceId: environment, details: note.details },
    })
    const result = await store.agents.realTimeConfigs.write(expectedVersion, next, { audit: entry })
    return result === 'stale' ? result : recordOf(environment, next)
  })
}

/**
 * Replaces the schema, or removes it: null. The stored variables must fit it.
 * @throws PROJECT_NOT_FOUND, REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT, REAL_TIME_CONFIG_INVALID_SCHEMA,
 *   REAL_TIME_CONFIG_INVALID_FOR_SCHEMA
 */
export async function updateRealTimeConfigSchema(
  deps: ActingDeps,
  agentId: AgentId,
  environment: Environment,
  input: JsonInput | null,
): Promise<RealTimeConfigRecord> {
  environmentOf(environment, UNKNOWN)
  const rules = {
    noun: 'schema',
    code: 'REAL_TIME_CONFIG_INVALID_SCHEMA',
    bytes: deps.context.settings.limits.realTimeConfigBytes,
    depth: REAL_TIME_CONFIG_LIMITS.schemaDepth,
  } as const
  const schema = input === null ? null : plainJsonObject(input, rules)
  const check = schema === null ? null : await schemaCheck(deps.schemaChecks, schema)
  const note = {
    action: 'real_time_config.schema_changed',
    details: schema === null ? { removed: true } : { removed: false },
  } as const
  return write(deps, { agentId, environment }, note, async ({ variables }) => {
    const problems = check?.(variables) ?? []
    if (problems.length === 0) return { variables, schema }
    const wrong = `The stored variables do not fit this schema: ${problems.join('; ')}.`
    const message = `${wrong} Nothing was changed: change the variables first.`
    throw new PlatformError('REAL_TIME_CONFIG_INVALID_FOR_SCHEMA', message, {
      body: { about: placesOf(problems) },
    })
  })
}

/**
 * Merges variables into the stored ones at the first level: a given key replaces its value whole, null removes it. The
 * result must fit the schema.
 * @throws PROJECT_NOT_FOUND, REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT, REAL_TIME_CONFIG_INVALID_FOR_SCHEMA,
 *   SCHEMA_VALIDATION_FAILED
 */
export async function updateRealTimeConfigVariables(
  deps: ActingDeps,
  agentId: AgentId,
  environment: Environment,
  input: JsonInput,
): Promise<RealTimeConfigRecord> {
  environmentOf(environment, UNKNOWN)
  const rules = {
    noun: 'variables',
    code: 'SCHEMA_VALIDATION_FAILED',
    bytes: deps.context.settings.limits.realTimeConfigBytes,
    depth: REAL_TIME_CONFIG_LIMITS.variablesDepth,
  } as const
  const patch = plainJsonObject(input, rules)
  const note = { action: 'real_time_config.variables_changed', details: namesOf(patch) } as const
  return write(deps, { agentId, environment }, note, async ({ variables: before, schema }) => {
    const variables = plainJsonObject(mergeVariables(before, patch), { ...rules, noun: 'merged variables' })
    const problems = schema === null ? [] : (await schemaCheck(deps.schemaChecks, schema))(variables)
    if (problems.length === 0) return { variables, schema }
    const message = `The merged variables do not fit the schema: ${problems.join('; ')}. Nothing was changed.`
    throw new PlatformError('REAL_TIME_CONFIG_INVALID_FOR_SCHEMA', message, {
      body: { about: placesOf(problems) },
    })
  })
}
