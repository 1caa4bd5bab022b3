import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { AgentId } from '../../packages/core/src/domain/ids.ts'
import type {
  ConversationStore,
  ConversationWrite,
} from '../../packages/core/src/ports/store/conversations.ts'
import type { IntervalFilter } from '../../packages/core/src/ports/store/intervals.ts'
import { intervalRows } from '../../packages/core/src/testing/contracts/index.ts'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '../../packages/core/src/testing/index.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** Rows in an order of their own: stores promise none. */
export async function rowsOf(conversations: ConversationStore, filter: IntervalFilter) {
  const rows = intervalRows(await conversations.intervals.list(filter), filter)
  return rows.map(row => JSON.stringify(row)).sort()
}

/** Moments on, and beside, the borders of stretches of time. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom(-1, 0, 1, 60_000, HOUR))
  .map(([stretch, offset]) => START + stretch * 4 * HOUR + offset)
const duration = fc.oneof(
  fc.constantFrom(0, 1, 4 * HOUR, 4 * HOUR + 1, 2 * DAY, 2 * DAY + 1, 45 * DAY, 45 * DAY + 1, -5),
  fc.integer({ min: 0, max: HOUR }),
)
const place = fc.record({
  startedAt: moment,
  duration: fc.option(duration, { nil: null, freq: 5 }),
  listed: fc.constantFrom(true, true, true, true, false),
  agent: fc.constantFrom(0, 0, 0, 1),
  variant: fc.constantFrom(null, 'a', 'b'),
  variantName: fc.constantFrom('Old', 'New'),
  language: fc.constantFrom(null, 'en-GB', 'de-DE'),
  toNumber: fc.constantFrom('', '+44', '+49'),
})

type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never

const indexOf = ({ startedAt, duration: lasted, ...rest }: Place) => ({
  startedAt,
  finishedAt: lasted === null ? null : startedAt + lasted,
  listed: rest.listed,
  variantId: rest.variant,
  variantName: rest.variant === null ? null : rest.variantName,
  language: rest.language,
  toNumber: rest.toNumber,
})

/** Changes of conversations, and pauses in which a store packs. */
export const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('create' as const), place }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('change' as const), which: fc.nat(), place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('purge' as const), before: moment }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('pause' as const) }) },
)
/** Queries of a store. */
export const question = fc.record(
  {
    from: moment,
    length: fc.constantFrom(1, 300_000, 4 * HOUR, DAY, 60 * DAY),
    agent: fc.constantFrom(0, 0, 1),
    variantId: fc.constantFrom('a', 'b', 'none'),
    variantName: fc.constantFrom('Old', 'New'),
    language: fc.constantFrom('en-GB', 'de-DE', 'fr-FR'),
    phoneNumber: fc.constantFrom('', '+44', '+49'),
  },
  { requiredKeys: ['from', 'length', 'agent'] },
)

export type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

/** Conversations of one history, which stores are told alike. */
export function tell(
  stores: readonly ConversationStore[],
  agents: readonly AgentId[],
  pause: () => Promise<void> = setImmediate,
) {
  const held: { write: ConversationWrite; version: number }[] = []
  const agree = async <T>(ask: (store: ConversationStore) => Promise<T>): Promise<T | undefined> => {
    const answers = await Promise.all(stores.map(ask))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    return answers[0]
  }
  const placed = (given: Place) => ({ ...indexOf(given), agentId: agents[given.agent] ?? '' })
  return async (given: Command, id: string): Promise<void> => {
    if (given.type === 'pause') return pause()
    if (given.type === 'create') {
      const write = aConversation(id, { index: placed(given.place) })
      held.push({ write, version: 1 })
      await agree(store => store.create(write))
    } else if (given.type === 'purge') {
      for (const store of stores) {
        for (const agentId of agents) {
          let more = true
          while (more)
            more = (await store.removals.removeFinished({ ...live, agentId }, given.before, 4)).more
        }
      }
    } else {
      const chosen = held[given.which % Math.max(held.length, 1)]
      if (chosen === undefined) return
      const { conversationId, index } = chosen.write
      if (given.type === 'remove') {
        await agree(store => store.removals.remove(index.accountId, index.agentId, conversationId))
        return
      }
      const append = anAppend(chosen.write, chosen.version, { index: placed(given.place) })
      const result = await agree(store => store.append(append))
      if (result?.status === 'appended') {
        chosen.write = append
        chosen.version++
      }
    }
  }
}
