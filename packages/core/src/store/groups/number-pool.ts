import type { PooledNumber } from '../../domain/telephony/pooled-number.ts'
import type { NumberPoolStore } from '../../ports/store/number-pool.ts'
import { changed, type Guarded, plain, plainOrNull, unchanged } from '../guarded.ts'
import { POOLED_NUMBER } from '../kinds.ts'
import { addNumbers, removeNumber } from './numbers.ts'

/** Numbers of agents' pools. */
export function numberPoolOver(documents: Guarded): NumberPoolStore {
  const { decided, one, scan } = documents
  return {
    add: (numbers, limit, outbox) => addNumbers(documents, POOLED_NUMBER, { numbers, limit, outbox }),
    find: async number => plainOrNull<PooledNumber>(await one(POOLED_NUMBER, number)),
    async list(agentId, { after }, limit) {
      const range = { prefix: [agentId], after: after === undefined ? after : [after], limit }
      return (await scan(POOLED_NUMBER, 'agent', range)).map(plain<PooledNumber>)
    },
    reserve: (agentId, { at, attributes, until }) =>
      decided<PooledNumber | null>(async () => {
        const free = { prefix: [agentId], through: at }
        const [next = null] = await scan(POOLED_NUMBER, 'free', { ...free, limit: 1 })
        const others = await scan(POOLED_NUMBER, 'used', free)
        const forgotten = others
          .filter(({ number }) => number !== next?.number)
          .map(other => changed<PooledNumber>(other, { attributes: null }))
        const reserved = next === null ? [] : [changed<PooledNumber>(next, { attributes, freeFrom: until })]
        const looked =
          next === null ? others : [next, ...others.filter(({ number }) => number !== next.number)]
        return {
          when: looked.map(number => unchanged(POOLED_NUMBER, number)),
          put: [...reserved, ...forgotten].map(value => ({ kind: POOLED_NUMBER, value })),
          result: plainOrNull<PooledNumber>(reserved[0] ?? null),
        }
      }),
    remove: (agentId, number, outbox) => removeNumber(documents, POOLED_NUMBER, { agentId, number, outbox }),
  }
}
