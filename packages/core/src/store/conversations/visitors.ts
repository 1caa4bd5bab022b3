import type { VisitorStore } from '../../ports/store/visitors.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { TEXT_PAIR } from '../kinds.ts'
import { CONVERSATION, CONVERSATION_STATE } from './kinds.ts'

/** The data of one visitor. */
export const visitorsOver = ({ erased, get, scan, write }: Guarded): VisitorStore => ({
  async conversations(accountId, visitor, after, limit) {
    const [index, value] =
      'visitorId' in visitor
        ? (['visitor', visitor.visitorId] as const)
        : (['phone', visitor.phoneNumber] as const)
    const place = after === null ? undefined : [after.startedAt, after.id]
    const found = await scan(CONVERSATION_STATE, index, {
      prefix: [accountId, value],
      descending: true,
      after: place,
      limit,
    })
    const held = await get(
      CONVERSATION,
      found.map(({ id }) => id),
    )
    return found.map(({ id, state: { agentId, environment, startedAt } }, at) => ({
      // One that is not there any more was removed in between.
      ...{ id, agentId, environment, startedAt, isOver: held[at]?.isOver ?? true },
    }))
  },
  pairs(accountId, theirs, ours, limit) {
    const after = ours === null ? undefined : [ours, idOf(ours, theirs)]
    return scan(TEXT_PAIR, 'visitor', { prefix: [accountId, theirs], after, limit })
  },
  async removePair(pair, left) {
    const of = { kind: TEXT_PAIR, id: TEXT_PAIR.id(pair) }
    const change = left === null ? { remove: [of] } : { put: [{ kind: TEXT_PAIR, value: left }] }
    const isDone = (await write({ when: [{ ...of, version: pair.version }], ...change })) === null
    if (isDone) await erased?.()
    return isDone
  },
})
