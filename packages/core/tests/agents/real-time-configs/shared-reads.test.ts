import { expect, it } from 'vitest'
import { createMemoryStore } from '../../../src/memory/index.ts'
import { anAgent } from '../../../src/testing/index.ts'
import { createRealTimeVariables } from '../../../src/usecases/conversation/turn/real-time-variables.ts'

it('AG35 turns that begin together share one read, each with an object of its own, and later ones read again', async () => {
  const store = createMemoryStore()
  const { id: agentId } = anAgent().agent
  let reads = 0
  let stored = { rooms: [1] }
  const realTimeConfigs = {
    ...store.agents.realTimeConfigs,
    variables: async () => {
      reads++
      return stored
    },
  }
  const variables = createRealTimeVariables({
    store: { ...store, agents: { ...store.agents, realTimeConfigs } },
  })
  const together = await Promise.all(Array.from({ length: 50 }, () => variables(agentId, 'live')))
  expect(reads).toBe(1)
  expect(new Set(together).size).toBe(50)
  expect(together).toEqual(together.map(() => stored))
  expect(together).not.toContain(stored)
  stored = { rooms: [2] }
  expect(await variables(agentId, 'live')).toEqual({ rooms: [2] })
  expect(reads).toBe(2)
})
