import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { ENVIRONMENTS, type Environment } from '../../../src/domain/environment.ts'
import type { AgentId } from '../../../src/domain/ids.ts'
import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { compileSchema } from '../../../src/domain/real-time-config/compile-schema.ts'
import type { Agents } from '../../../src/usecases/agents/agents.ts'

const START = Date.UTC(2026, 0, 1)
const refusal = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

let agents: Agents
let advance: (milliseconds: number) => Promise<void>
let id: AgentId

beforeEach(async () => {
  const { platform, clock } = await createPopulatedPlatform()
  agents = platform.agents
  advance = milliseconds => clock.advance(milliseconds)
  id = (await agents.create({ accountId: 'ws-one', name: 'Desk', greeting: 'Hello' })).id
})

describe('reading', () => {
  test('AG62 an agent begins with an empty config in each environment', async () => {
    const empty = { variables: {}, schema: null, updatedAt: null }
    const configs = await agents.realTimeConfigs(id)
    expect(configs).toEqual(ENVIRONMENTS.map(environment => ({ environment, ...empty })))
    expect(await agents.realTimeConfig(id, 'live')).toEqual({ environment: 'live', ...empty })
  })

  test('AG62 environments are apart, listed in promotion order, and go with their agent', async () => {
    await agents.updateRealTimeConfigVariables(id, 'live', { a: 'live' })
    await agents.updateRealTimeConfigVariables(id, 'sandbox', { a: 'sandbox' })
    const shown = (await agents.realTimeConfigs(id)).map(({ environment, variables }) => [
      environment,
      variables.a,
    ])
    expect(shown).toEqual([
      ['sandbox', 'sandbox'],
      ['pre-release', undefined],
      ['live', 'live'],
    ])
    await agents.delete(id)
    await agents.create({ accountId: 'ws-one', agentId: id, name: 'Desk', greeting: 'Hello' })
    expect((await agents.realTimeConfig(id, 'live')).variables).toEqual({})
  })

  test('AG62 a merge and a promotion carry none', async () => {
    await agents.updateRealTimeConfigVariables(id, 'sandbox', { a: 1 })
    const branch = await agents.createBranch(id, { branchName: 'work' })
    const { deployment } = await agents.merge(id, branch.id)
    await agents.promote(id, deployment.id, { targetEnvironment: 'live' })
    const variables = (await agents.realTimeConfigs(id)).map(config => config.variables)
    expect(variables).toEqual([{ a: 1 }, {}, {}])
  })

  test('AG62 an agent that is made from another begins without', async () => {
    await agents.updateRealTimeConfigVariables(id, 'sandbox', { a: 1 })
    const copy = await agents.duplicate(id, { newAgentName: 'Copy' })
    expect((await agents.realTimeConfigs(copy.id)).map(config => config.variables)).toEqual([{}, {}, {}])
  })

  test('HT14 an agent that is not there has none, and takes none', async () => {
    const none = 'PROJECT-NONE'
    const gone = refusal('PROJECT_NOT_FOUND')
    await expect(agents.realTimeConfigs(none)).rejects.toEqual(gone)
    await expect(agents.realTimeConfig(none, 'live')).rejects.toEqual(gone)
    await expect(agents.updateRealTimeConfigSchema(none, 'live', null)).rejects.toEqual(gone)
    await expect(agents.updateRealTimeConfigVariables(none, 'live', {})).rejects.toEqual(gone)
  })
})

describe('writing', () => {
  test('AG62 every write sets the time, also one that changes nothing', async () => {
    const written = await agents.updateRealTimeConfigVariables(id, 'live', { a: 1 })
    expect(written).toEqual({ environment: 'live', variables: { a: 1 }, schema: null, updatedAt: START })
    await advance(1_000)
    expect(await agents.updateRealTimeConfigSchema(id, 'live', null)).toEqual({
      ...written,
      updatedAt: START + 1_000,
    })
    await advance(1_000)
    const again = await agents.updateRealTimeConfigVariables(id, 'live', {})
    expect(again).toEqual({ ...written, updatedAt: START + 2_000 })
    expect(await agents.realTimeConfig(id, 'live')).toEqual(again)
  })

  test('AG62 a name of another environment is refused by every call', async () => {
    const moon: Environment = JSON.parse('"moon"')
    const unknown = refusal(
      'REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT',
      /one of sandbox, pre-release, live/,
    )
    await expect(agents.realTimeConfig(id, moon)).rejects.toEqual(unknown)
    await expect(agents.updateRealTimeConfigSchema(id, moon, {})).rejects.toEqual(unknown)
    await expect(agents.updateRealTimeConfigVariables(id, moon, {})).rejects.toEqual(unknown)
  })

  test('AG62 variables merge into the stored ones', async () => {
    await agents.updateRealTimeConfigVariables(id, 'live', {
      hours: { open: 8, close: 20 },
      notices: ['a'],
      old: 1,
    })
    const change = { hours: { close: 18, noon: null }, notices: ['b'], old: null }
    const { variables } = await agents.updateRealTimeConfigVariables(id, 'live', change)
    expect(variables).toEqual({ hours: { close: 18, noon: null }, notices: ['b'] })
  })

  test('AG63 a change after which the variables do not fit changes nothing', async () => {
    await agents.updateRealTimeConfigVariables(id, 'live', { rooms: 5 })
    const schema = { properties: { rooms: { type: 'integer', minimum: 0 } }, required: ['rooms'] }
    const before = await agents.updateRealTimeConfigSchema(id, 'live', schema)
    expect(before).toMatchObject({ variables: { rooms: 5 }, schema })
    await advance(1_000)
    const change = (variables: JsonObject) => agents.updateRealTimeConfigVariables(id, 'live', variables)
    const misfit = (message: RegExp) => refusal('REAL_TIME_CONFIG_INVALID_FOR_SCHEMA', message)
    await expect(change({ rooms: 'many' })).rejects.toEqual(
      misfit(/"\/rooms" must be integer\. Nothing was changed/),
    )
    await expect(change({ rooms: -1, pool: true })).rejects.toEqual(misfit(/"\/rooms" must be >= 0/))
    await expect(change({ rooms: null })).rejects.toEqual(misfit(/"\/rooms" is required/))
    expect(await agents.realTimeConfig(id, 'live')).toEqual(before)
  })

  test('AG63 a schema that the stored variables do not fit changes nothing', async () => {
    const before = await agents.updateRealTimeConfigVariables(id, 'live', { rooms: 'many' })
    await advance(1_000)
    const schema = { properties: { rooms: { type: 'integer' } } }
    const misfit = refusal(
      'REAL_TIME_CONFIG_INVALID_FOR_SCHEMA',
      /stored variables do not fit.*"\/rooms" must be integer/,
    )
    await expect(agents.updateRealTimeConfigSchema(id, 'live', schema)).rejects.toEqual(misfit)
    expect(await agents.realTimeConfig(id, 'live')).toEqual(before)
    expect((await agents.updateRealTimeConfigSchema(id, 'sandbox', schema)).schema).toEqual(schema)
  })

  test('AG63 a removed schema holds no longer', async () => {
    await agents.updateRealTimeConfigSchema(id, 'live', { maxProperties: 0 })
    await expect(agents.updateRealTimeConfigVariables(id, 'live', { a: 1 })).rejects.toThrow(
      /must NOT have more than 0/,
    )
    expect((await agents.updateRealTimeConfigSchema(id, 'live', null)).schema).toBeNull()
    expect((await agents.updateRealTimeConfigVariables(id, 'live', { a: 1 })).variables).toEqual({ a: 1 })
  })

  test('AG64 the schema is kept and shown as it was given', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/desk',
      title: 'Desk',
      definitions: { room: { type: 'integer', 'x-hint': 'stepper' } },
      properties: { rooms: { $ref: '#/definitions/room' } },
    }
    await agents.updateRealTimeConfigSchema(id, 'live', schema)
    expect((await agents.realTimeConfig(id, 'live')).schema).toEqual(schema)
  })

  test('AG65 the result of a merge is as limited as what is merged', async () => {
    const long = 'x'.repeat(60_000)
    await agents.updateRealTimeConfigVariables(id, 'live', { one: long })
    const tooLarge = refusal(
      'SCHEMA_VALIDATION_FAILED',
      /merged variables must be at most 65536 bytes of JSON, not 120019/,
    )
    await expect(agents.updateRealTimeConfigVariables(id, 'live', { two: long })).rejects.toEqual(tooLarge)
    expect(await agents.updateRealTimeConfigVariables(id, 'live', { one: null, two: long })).toMatchObject({
      variables: { two: long },
    })
    const schema = refusal('REAL_TIME_CONFIG_INVALID_SCHEMA', /The schema must be at most 65536 bytes/)
    await expect(
      agents.updateRealTimeConfigSchema(id, 'live', { title: 'x'.repeat(65_536) }),
    ).rejects.toEqual(schema)
  })

  test('AG65 the host sets the limit', async () => {
    const base = createTestPlatform()
    const limits = { ...base.platform.settings.limits, realTimeConfigBytes: 20 }
    const small = (await createPopulatedPlatform({ limits })).platform.agents
    const agent = await small.create({ accountId: 'ws-one', name: 'Desk', greeting: 'Hello' })
    const too = refusal('SCHEMA_VALIDATION_FAILED', /at most 20 bytes of JSON, not 21/)
    await expect(
      small.updateRealTimeConfigVariables(agent.id, 'live', { a: 'x'.repeat(13) }),
    ).rejects.toEqual(too)
    await small.updateRealTimeConfigVariables(agent.id, 'live', { a: 'x'.repeat(12) })
  })

  test('AG62 changes that arrive at once all take effect', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `v${index}`)
    await Promise.all(names.map(name => agents.updateRealTimeConfigVariables(id, 'live', { [name]: 1 })))
    const { variables } = await agents.realTimeConfig(id, 'live')
    expect(Object.keys(variables).sort()).toEqual([...names].sort())
  })
})

type Step =
  | { readonly type: 'variables'; readonly environment: Environment; readonly patch: JsonObject }
  | { readonly type: 'schema'; readonly environment: Environment; readonly schema: JsonObject | null }

const KEYS = ['a', 'b', 'nested'] as const
const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(null, 0, 1, 'x', true, [], [1, 'x'])
const patches = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.oneof(leaf, fc.dictionary(fc.constantFrom(...KEYS), leaf, { maxKeys: 2 })),
  { maxKeys: 3 },
)
const rule: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'boolean', 'object', 'array') }),
  fc.constant({ properties: { a: { type: 'number' } } }),
  fc.constant({ enum: [1, 'x'] }),
)
const schemas: fc.Arbitrary<JsonObject | null> = fc.oneof(
  fc.constant(null),
  fc.record({ properties: fc.dictionary(fc.constantFrom(...KEYS), rule, { maxKeys: 3 }) }),
  fc.record({ required: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 2 }) }),
  fc.record({
    maxProperties: fc.nat(3),
    properties: fc.dictionary(fc.constantFrom(...KEYS), rule, { maxKeys: 1 }),
  }),
)
const environments = fc.constantFrom(...ENVIRONMENTS)
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('variables'), environment: environments, patch: patches }),
  fc.record({ type: fc.constant('schema'), environment: environments, schema: schemas }),
)

/** AG62, word for word. */
function patched(stored: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(stored))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name)
    else result.set(name, value)
  }
  return Object.fromEntries(result)
}

test('AG63 whatever is written in whatever order: the configs are what a plain model says, and variables fit their schema', async () => {
  const platform = (await createPopulatedPlatform()).platform.agents
  const outcomes = { taken: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 25, size: 'max' }), async history => {
      const agent = await platform.create({ accountId: 'ws-one', name: 'Desk', greeting: 'Hello' })
      const model = new Map(
        ENVIRONMENTS.map(environment => [
          environment,
          { variables: {} as JsonObject, schema: null as JsonObject | null },
        ]),
      )
      for (const step of history) {
        const before = model.get(step.environment)
        if (before === undefined) throw new Error('every environment is in the model')
        const next =
          step.type === 'schema'
            ? { ...before, schema: step.schema }
            : { ...before, variables: patched(before.variables, step.patch) }
        const writing =
          step.type === 'schema'
            ? platform.updateRealTimeConfigSchema(agent.id, step.environment, step.schema)
            : platform.updateRealTimeConfigVariables(agent.id, step.environment, step.patch)
        if (fits(next.schema, next.variables)) {
          expect(await writing).toMatchObject(next)
          model.set(step.environment, next)
          outcomes.taken++
        } else {
          await expect(writing).rejects.toEqual(refusal('REAL_TIME_CONFIG_INVALID_FOR_SCHEMA'))
          outcomes.refused++
        }
      }
      for (const { environment, variables, schema } of await platform.realTimeConfigs(agent.id)) {
        expect({ variables, schema }).toEqual(model.get(environment))
        expect(schema === null ? [] : compileSchema(schema)(variables)).toEqual([])
      }
    }),
    { numRuns: 60 },
  )
  // The histories would mean little if either never happened.
  expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(20)
})

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const isObject = (value: Json | undefined): value is JsonObject =>
  value !== undefined && typeOf(value) === 'object'

/** The few keywords that the histories use, as plainly as they can be written. */
function fits(schema: Json | undefined, value: Json): boolean {
  if (!isObject(schema)) return true
  const { type, required, maxProperties, properties } = schema
  if (type !== undefined && type !== typeOf(value)) return false
  if (Array.isArray(schema.enum) && !schema.enum.some(allowed => allowed === value)) return false
  if (!isObject(value)) return true
  if (Array.isArray(required) && !required.every(name => Object.keys(value).includes(String(name))))
    return false
  if (typeof maxProperties === 'number' && Object.keys(value).length > maxProperties) return false
  return Object.entries(value).every(([name, part]) => !isObject(properties) || fits(properties[name], part))
}
