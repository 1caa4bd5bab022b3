import type { AgentId, PooledNumber } from '@colloquy/core'
import type { NumberPoolStore } from '@colloquy/core/store'
import { inOrder } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'

/** Numbers of pools. Every method runs to its end without a pause: at one instant. */
export function createNumberPool(keeper: OutboxKeeper) {
  const numbers = new Map<string, PooledNumber>()
  const ofAgent = (id: AgentId): PooledNumber[] =>
    inOrder(
      [...numbers.values()].filter(({ agentId }) => agentId === id),
      ({ number }) => [0, number],
    )

  const store: NumberPoolStore = {
    async add(added, limit, outbox) {
      const taken = added.filter(({ number }) => numbers.has(number)).map(({ number }) => number)
      if (taken.length > 0) return { outcome: 'taken', numbers: taken }
      if (ofAgent(added[0]?.agentId ?? '').length + added.length > limit) return { outcome: 'full' }
      for (const one of added) numbers.set(one.number, one)
      keeper.keep(outbox)
      return { outcome: 'added' }
    },
    find: async number => numbers.get(number) ?? null,
    list: async (agentId, { after }, limit) =>
      // Digits and a plus: their code units are in the order of their code points.
      ofAgent(agentId)
        .filter(({ number }) => after === undefined || number > after)
        .slice(0, limit),
    async reserve(agentId, { attributes, at, until }) {
      const free = inOrder(
        ofAgent(agentId).filter(({ freeFrom }) => freeFrom <= at),
        ({ freeFrom, number }) => [freeFrom, number],
      )
      for (const one of free) numbers.set(one.number, { ...one, attributes: null })
      const [first] = free
      if (first === undefined) return null
      const reserved = { ...first, attributes, freeFrom: until }
      numbers.set(first.number, reserved)
      return reserved
    },
    async remove(agentId, number, outbox) {
      if (numbers.get(number)?.agentId !== agentId) return false
      numbers.delete(number)
      keeper.keep(outbox)
      return true
    },
  }
  return {
    store,
    /** Removes the pool of an agent. */
    forgetAgent(id: AgentId): void {
      for (const { number } of ofAgent(id)) numbers.delete(number)
    },
  }
}
