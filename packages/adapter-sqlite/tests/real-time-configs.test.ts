import { createPlatform, type JsonObject } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { expect, it } from 'vitest'
import { openStore, temporaryStoreFile } from './files.ts'

const WRITES = 12

/** Two platforms whose stores share a file, and an agent. */
async function twoNodes() {
  const filename = temporaryStoreFile()
  const clock = createFakeClock()
  const start = () =>
    createPlatform({ store: openStore({ filename }), clock, runtime: createScriptedRuntime({}, clock) })
  const nodes = [start(), start()] as const
  const account = await nodes[0].access.createAccount({ slug: 'acme', name: 'Acme' })
  const { id } = await nodes[0].agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  return { one: nodes[0].agents, two: nodes[1].agents, id }
}

it('AG62 variables that two stores on one file merge at once are all there', async () => {
  const { one, two, id } = await twoNodes()
  const agents = [one, two]
  const names = Array.from({ length: WRITES }, (_, index) => `v${index}`)
  const writes = agents.flatMap((node, index) =>
    names.map(name => node.updateRealTimeConfigVariables(id, 'live', { [`${name}-${index}`]: index })),
  )
  await Promise.all(writes)
  const { variables } = await one.realTimeConfig(id, 'live')
  const expected = names.flatMap(name => agents.map((_, index) => [`${name}-${index}`, index]))
  expect(variables).toEqual(Object.fromEntries(expected))
})

it('AG62 variables that race a schema on another store always fit the schema that stands', async () => {
  const { one, two, id } = await twoNodes()
  for (let round = 0; round < 20; round++) {
    await one.updateRealTimeConfigSchema(id, 'live', null)
    await one.updateRealTimeConfigVariables(id, 'live', { rooms: null })
    const number: JsonObject = { properties: { rooms: { type: 'number' } } }
    const bySchema = () => one.updateRealTimeConfigSchema(id, 'live', number)
    const byVariables = () => two.updateRealTimeConfigVariables(id, 'live', { rooms: 'many' })
    // Whoever asks first writes first, as a rule: each of them does so in every other round.
    const first = round % 2 === 0 ? bySchema() : byVariables()
    const second = round % 2 === 0 ? byVariables() : bySchema()
    const settled = await Promise.allSettled([first, second])
    const { schema, variables } = await two.realTimeConfig(id, 'live')
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const standing = [
      { schema: number, variables: {} },
      { schema: null, variables: { rooms: 'many' } },
    ]
    expect(standing).toContainEqual({ schema, variables })
  }
})
