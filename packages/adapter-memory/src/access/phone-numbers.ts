import type { AgentId, ConnectorId, PhoneNumber, TelephonyConnector } from '@colloquy/core'
import type { PhoneNumberStore } from '@colloquy/core/store'
import { inOrder } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'

const same = (one: PhoneNumber, other: PhoneNumber): boolean =>
  one.accountId === other.accountId &&
  one.agentId === other.agentId &&
  one.environment === other.environment &&
  one.connectorId === other.connectorId

/** Phone numbers by themselves. Every method runs to its end without a pause: at one instant. */
export function createPhoneNumbers(
  keeper: OutboxKeeper,
  connectorOf: (id: ConnectorId) => TelephonyConnector | null,
) {
  const numbers = new Map<string, PhoneNumber>()
  const listed = (chosen: (number: PhoneNumber) => boolean): PhoneNumber[] =>
    inOrder([...numbers.values()].filter(chosen), ({ number }) => [0, number])
  const mayAnswer = ({ connectorId, agentId, environment }: PhoneNumber): boolean => {
    if (connectorId === null) return true
    const connector = connectorOf(connectorId)
    return (
      connector?.revokedAt === null && connector.agentId === agentId && connector.environment === environment
    )
  }

  const store: PhoneNumberStore = {
    async add(added, limit, outbox) {
      const taken = added.filter(({ number }) => numbers.has(number)).map(({ number }) => number)
      if (taken.length > 0) return { outcome: 'taken', numbers: taken }
      const own = listed(({ agentId }) => agentId === added[0]?.agentId)
      if (own.length + added.length > limit) return { outcome: 'full' }
      for (const one of added) numbers.set(one.number, one)
      keeper.keep(outbox)
      return { outcome: 'added' }
    },
    find: async wanted => listed(({ number }) => wanted.includes(number)),
    list: async (agentId, { connectorId, after }, limit) => {
      const all = listed(
        one => one.agentId === agentId && (connectorId === undefined || one.connectorId === connectorId),
      )
      // Digits and a plus: their code units are in the order of their code points.
      return all.filter(({ number }) => after === undefined || number > after).slice(0, limit)
    },
    async update(before, next, outbox) {
      const stored = numbers.get(before.number)
      if (stored === undefined || !same(stored, before) || !mayAnswer(next)) return 'stale'
      numbers.set(before.number, { ...next, number: before.number })
      keeper.keep(outbox)
      return 'written'
    },
    async remove(agentId, number, outbox) {
      if (numbers.get(number)?.agentId !== agentId) return false
      numbers.delete(number)
      keeper.keep(outbox)
      return true
    },
  }
  const removeAll = (chosen: (number: PhoneNumber) => boolean): readonly string[] => {
    const gone = listed(chosen).map(({ number }) => number)
    for (const number of gone) numbers.delete(number)
    return gone
  }
  return {
    store,
    /** Removes what a connector answers, and says what it was. */
    dropOf: (id: ConnectorId): readonly string[] => removeAll(({ connectorId }) => connectorId === id),
    /** Gives what a connector answers its account, agent and environment. */
    moveTo({ id, accountId, agentId, environment }: TelephonyConnector): void {
      for (const one of listed(({ connectorId }) => connectorId === id))
        numbers.set(one.number, { ...one, accountId, agentId, environment })
    },
    /** Removes the numbers of an agent. */
    forgetAgent(id: AgentId): void {
      removeAll(({ agentId }) => agentId === id)
    },
  }
}
