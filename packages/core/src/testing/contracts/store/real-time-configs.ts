import { describe, expect, it } from 'vitest'
import { ENVIRONMENTS } from '../../../domain/environment.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { AGENT, anAgent, aRealTimeConfig, START } from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { count, HARD_STRINGS, openForTest, RACERS, race, type StoreFactory, untilWon } from './tools.ts'

const OTHER = 'PROJECT-TWO'

/** Rules SA70 to SA79: real-time configs. */
export function describeRealTimeConfigs(factory: StoreFactory): void {
  const open = async () => {
    const { agents } = await openForTest(factory)
    await agents.create(anAgent())
    await agents.create(anAgent(OTHER))
    return agents
  }

  describe('real-time configs', () => {
    it('SA70 a config is kept as given, under its agent and environment alone; before there is none', async () => {
      const agents = await open()
      expect(await agents.realTimeConfigs.find(AGENT, 'live')).toBeNull()
      expect(await agents.realTimeConfigs.list(AGENT)).toEqual([])
      const first = aRealTimeConfig({ environment: 'live', schema: null })
      expect(await agents.realTimeConfigs.write(0, first)).toBe('written')
      expect(await agents.realTimeConfigs.find(AGENT, 'live')).toEqual(first)
      const second = aRealTimeConfig({ environment: 'live', version: 2, updatedAt: START + 5, variables: {} })
      expect(await agents.realTimeConfigs.write(1, second)).toBe('written')
      expect(await agents.realTimeConfigs.find(AGENT, 'live')).toEqual(second)
      expect(await agents.realTimeConfigs.list(AGENT)).toEqual([second])
      expect(await agents.realTimeConfigs.find(AGENT, 'sandbox')).toBeNull()
      expect(await agents.realTimeConfigs.list(OTHER)).toEqual([])
      const theirs = aRealTimeConfig({ agentId: OTHER, environment: 'live' })
      expect(await agents.realTimeConfigs.write(0, theirs)).toBe('written')
      expect(await agents.realTimeConfigs.find(AGENT, 'live')).toEqual(second)
      expect(await agents.realTimeConfigs.find(OTHER, 'live')).toEqual(theirs)
    })

    it('SA71 the variables alone are those of the config', async () => {
      const agents = await open()
      await agents.realTimeConfigs.write(0, aRealTimeConfig({ variables: { a: { b: [1] } } }))
      await agents.realTimeConfigs.write(0, aRealTimeConfig({ environment: 'live', variables: {} }))
      const all = await Promise.all(ENVIRONMENTS.map(name => agents.realTimeConfigs.variables(AGENT, name)))
      expect(all).toEqual([{ a: { b: [1] } }, null, {}])
      expect(await agents.realTimeConfigs.variables(OTHER, 'sandbox')).toBeNull()
    })

    it('SA72 a write that expects another version, or whose agent is not there, is stale and writes nothing', async () => {
      const agents = await open()
      expect(await agents.realTimeConfigs.write(1, aRealTimeConfig({ version: 2 }))).toBe('stale')
      await agents.realTimeConfigs.write(0, aRealTimeConfig())
      await agents.realTimeConfigs.write(1, aRealTimeConfig({ version: 2 }))
      const before = await agentSnapshot(agents, AGENT)
      for (const expected of [0, 1, 3]) {
        const next = aRealTimeConfig({ version: expected + 1, variables: { late: expected } })
        expect(await agents.realTimeConfigs.write(expected, next)).toBe('stale')
      }
      const nobody = aRealTimeConfig({ agentId: 'PROJECT-NONE' })
      expect(await agents.realTimeConfigs.write(0, nobody)).toBe('stale')
      expect(await agentSnapshot(agents, AGENT)).toEqual(before)
    })

    it('SA73 of racing writes with one expected version exactly one is written, whole; also of first ones', async () => {
      const agents = await open()
      for (const expected of [0, 1, 2]) {
        const candidate = (racer: number) =>
          aRealTimeConfig({
            version: expected + 1,
            variables: { racer },
            schema: { maxProperties: racer + 1 },
          })
        const results = await race(racer => agents.realTimeConfigs.write(expected, candidate(racer)))
        expect(count(results, 'written')).toBe(1)
        expect(count(results, 'stale')).toBe(RACERS - 1)
        expect(await agents.realTimeConfigs.find(AGENT, 'sandbox')).toEqual(
          candidate(results.indexOf('written')),
        )
      }
    })

    it('SA74 losers who look again and try again all get their turn', async () => {
      const agents = await open()
      await race(racer =>
        untilWon(async () => {
          const stored = await agents.realTimeConfigs.find(AGENT, 'sandbox')
          const version = stored?.version ?? 0
          const variables = { ...stored?.variables, [`racer ${racer}`]: racer }
          const next = aRealTimeConfig({ version: version + 1, variables })
          return (await agents.realTimeConfigs.write(version, next)) === 'written'
        }),
      )
      const expected = Array.from({ length: RACERS }, (_, racer) => [`racer ${racer}`, racer])
      const stored = await agents.realTimeConfigs.find(AGENT, 'sandbox')
      expect(stored).toMatchObject({ version: RACERS, variables: Object.fromEntries(expected) })
    })

    it('SA75 any JSON is kept as it is, in variables and schema', async () => {
      const agents = await open()
      const values: JsonObject = {
        ...Object.fromEntries(HARD_STRINGS.filter(text => text !== '__proto__').map(text => [text, text])),
        proto: '__proto__',
        numbers: [0, -1, 0.1, 1e300, 5e-324, Number.MAX_SAFE_INTEGER],
        nothing: [null, false, '', [], {}],
        deep: { a: { b: { c: [{ d: [[]] }] } } },
        long: 'é\u{1F600}x'.repeat(20_000),
      }
      const config = aRealTimeConfig({ variables: values, schema: values })
      expect(await agents.realTimeConfigs.write(0, config)).toBe('written')
      expect(await agents.realTimeConfigs.find(AGENT, 'sandbox')).toEqual(config)
      expect(await agents.realTimeConfigs.variables(AGENT, 'sandbox')).toEqual(values)
    })
  })
}
