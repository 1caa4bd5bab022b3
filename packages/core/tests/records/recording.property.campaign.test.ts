import { eventsOf } from '@colloquy/test-support/stored'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chosenKey } from '../../src/domain/conversation/conversation-key.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import {
  ACCOUNT,
  AGENT,
  anAgent,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '../../src/testing/index.ts'

const TURNS = 4
const CALL = 'call'
const KEY = chosenKey(AGENT, CALL)

/** The calls that record one conversation, in order. */
const CALLS: readonly ((platform: Platform) => Promise<unknown>)[] = [
  ({ conversations }) =>
    conversations.start({
      ...{ accountId: ACCOUNT, agentId: AGENT, environment: 'live', channel: 'VOICE', conversationId: CALL },
      startedAt: START - 100_000,
    }),
  ...Array.from(
    { length: TURNS },
    (_, index) =>
      ({ conversations }: Platform) =>
        conversations.recordTurn({
          agentId: AGENT,
          conversationId: CALL,
          turnId: `turn-${index}`,
          userInput: index === 0 ? '' : `question ${index}`,
          userInputAt: START - 90_000 + index * 1_000,
          agentResponse: index === 2 ? '' : `answer ${index}`,
          outOfDomain: index === 1,
          silence: index === 2,
          variables: { [`key ${index % 2}`]: index },
          metrics: { last: `${index}` },
        }),
  ),
  ({ conversations }) =>
    conversations.finish({
      agentId: AGENT,
      conversationId: CALL,
      finishedAt: START,
      variables: { finished: true },
    }),
]

async function processes() {
  const clock = createFakeClock()
  const store = createMemoryStore()
  await store.agents.create(anAgent())
  const start = () =>
    createPlatform({ store, clock, bus: createLocalBus(), runtime: createScriptedRuntime({}, clock) })
  return { store, platforms: [start(), start()] as const }
}

async function kept({ store }: Awaited<ReturnType<typeof processes>>) {
  const log = await eventsOf(store.conversations, KEY, 0)
  return {
    record: await store.conversations.records.find(ACCOUNT, AGENT, KEY),
    turns: await store.conversations.turns(KEY),
    log: log.map(({ sequence, type, clientEventId, payload }) => [
      sequence,
      type,
      clientEventId,
      payload.text,
    ]),
  }
}

/** A call that comes again: which one, from which process, and whether it waits for those before it. */
const repeat = fc.record({
  which: fc.nat({ max: CALLS.length - 1 }),
  process: fc.constantFrom(0 as const, 1 as const),
  waits: fc.boolean(),
})

it('RC32 doubled, made again later, and made by two processes at once, the calls give the record that they give once and in order', async () => {
  const once = await processes()
  for (const call of CALLS) await call(once.platforms[0])
  const expected = await kept(once)
  expect(expected.turns).toHaveLength(TURNS)
  const rounds = fc.array(fc.array(repeat, { maxLength: 8, size: 'max' }), {
    minLength: CALLS.length,
    maxLength: CALLS.length,
  })
  await fc.assert(
    fc.asyncProperty(rounds, fc.integer({ min: 0, max: 1 }), async (repeats, odd) => {
      const made = await processes()
      for (const [index, call] of CALLS.entries()) {
        const own = made.platforms[(index + odd) % 2 === 0 ? 0 : 1]
        // The next call of the conversation, and at the same time whatever came so far, again.
        const under = [call(own)]
        for (const { which, process, waits } of repeats[index] ?? []) {
          const again = CALLS[Math.min(which, index)]
          if (waits) await Promise.all(under)
          if (again !== undefined && (which < index || index > 0)) under.push(again(made.platforms[process]))
        }
        await Promise.all(under)
      }
      expect(await kept(made)).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})
