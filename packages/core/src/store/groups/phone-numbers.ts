import type { PhoneNumber } from '../../domain/telephony/phone-number.ts'
import type { PhoneNumberStore } from '../../ports/store/phone-numbers.ts'
import type { Condition } from '../documents.ts'
import { type Guarded, isSame, plain, unchanged } from '../guarded.ts'
import { CONNECTOR, PHONE_NUMBER } from '../kinds.ts'
import { addNumbers, removeNumber } from './numbers.ts'

/** Returns the store of agents' phone numbers. */
export function phoneNumbersOver(documents: Guarded): PhoneNumberStore {
  const { decided, get, one, scan } = documents

  /** Returns the condition that the number's connector, if it has one, may still answer it. Null: it may not. */
  async function answered({ agentId, connectorId, environment }: PhoneNumber): Promise<Condition[] | null> {
    if (connectorId === null) return []
    const connector = await one(CONNECTOR, connectorId)
    const mayAnswer =
      connector?.kind === 'telephony' &&
      connector.agentId === agentId &&
      connector.environment === environment &&
      connector.revokedAt === null
    return mayAnswer ? [unchanged(CONNECTOR, connector)] : null
  }

  return {
    add: (numbers, limit, outbox) => addNumbers(documents, PHONE_NUMBER, { numbers, limit, outbox }),
    async find(numbers) {
      const found = await get(PHONE_NUMBER, [...new Set(numbers)].sort())
      return found.flatMap(number => (number === null ? [] : [plain<PhoneNumber>(number)]))
    },
    async list(agentId, { after, connectorId }, limit) {
      const range = { after: after === undefined ? after : [after], limit }
      const found =
        connectorId === undefined
          ? await scan(PHONE_NUMBER, 'agent', { prefix: [agentId], ...range })
          : await scan(PHONE_NUMBER, 'connector', { prefix: [connectorId, agentId], ...range })
      return found.map(plain<PhoneNumber>)
    },
    update: (before, next, outbox) =>
      decided(async () => {
        const stored = await one(PHONE_NUMBER, before.number)
        const answering = await answered(next)
        if (stored === null || answering === null || !isSame(plain<PhoneNumber>(stored), before))
          return { result: 'stale' }
        const value = { ...next, number: before.number, version: stored.version + 1 }
        return {
          when: [unchanged(PHONE_NUMBER, stored), ...answering],
          put: [{ kind: PHONE_NUMBER, value }],
          outbox,
          result: 'written',
        }
      }),
    remove: (agentId, number, outbox) => removeNumber(documents, PHONE_NUMBER, { agentId, number, outbox }),
  }
}
