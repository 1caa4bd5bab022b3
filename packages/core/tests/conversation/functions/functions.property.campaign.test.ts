import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createMemoryStore } from '../../../src/memory/index.ts'
import { createPlatform } from '../../../src/platform.ts'
import type { FunctionConversation } from '../../../src/ports/agent-function.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../../src/testing/index.ts'
import { defineFunction } from '../../../src/usecases/conversation/functions/define-function.ts'

/** What a function does, one after the other, in the course of a call. */
const DEED = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      key: fc.constantFrom('a', 'b'),
      value: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('metric' as const), value: fc.constantFrom('x', 'y') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('attribute' as const), value: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('say' as const), text: fc.constantFrom('one ', 'two ', '') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.integer({ min: 1, max: 150 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expect' as const), delay: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'hand off' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'end' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'bad variable' as const }, { do: 'bad metric' as const }) },
)
type Deed = typeof DEED extends fc.Arbitrary<infer Value> ? Value : never

/** How the call ends, when its time has not run out before. */
const ENDING = fc.constantFrom(
  'returns',
  'returns nothing',
  'throws',
  'hangs',
  'returns a bigint',
  'returns itself',
)

/** A call of a turn: what the function does, and what it still tries when its call is over. */
const CALL = fc.record({
  name: fc.constantFrom('act', 'act', 'act', 'act', 'missing'),
  fits: fc.constantFrom(true, true, true, false),
  deeds: fc.array(DEED, { maxLength: 6 }),
  ending: ENDING,
  late: fc.array(DEED, { maxLength: 3 }),
})
type Call = typeof CALL extends fc.Arbitrary<infer Value> ? Value : never

const TURN = fc.record({
  calls: fc.array(CALL, { minLength: 1, maxLength: 5 }),
  together: fc.boolean(),
  streaming: fc.boolean(),
})

const TIMEOUT = 200

/**
 * What the turn must come to, as a plain model says: calls act up to their end, and nothing of them counts afterwards.
 */
interface Model {
  variables: Record<string, number>
  metrics: string[]
  attribute: number | null
  text: string
  awaiting: number
  concluded: boolean
}

const never = () => new Promise<never>(() => undefined)

it('FN23 whatever functions do: one event a call, nothing late counts, and the turn goes on', async () => {
  const outcomes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(TURN, async ({ calls, together, streaming }) => {
      const clock = createFakeClock()
      const model: Model = {
        variables: {},
        metrics: [],
        attribute: null,
        text: '',
        awaiting: 0,
        concluded: false,
      }
      /** Deeds that were done in time, but did not say so: what the platform took and the model did not. */
      const wrong: string[] = []
      const ended = new Set<number>()
      const later: (() => Promise<void>)[] = []

      async function perform(conversation: FunctionConversation, deed: Deed): Promise<void> {
        switch (deed.do) {
          case 'set':
            conversation.setVariable(deed.key, deed.value)
            model.variables[deed.key] = deed.value
            return
          case 'metric':
            conversation.setMetric('m', deed.value)
            model.metrics.push(deed.value)
            return
          case 'attribute':
            conversation.setIntegrationAttribute('tier', deed.value)
            model.attribute = deed.value
            return
          case 'say':
            conversation.say(deed.text)
            model.text += deed.text
            return
          case 'wait':
            await new Promise<void>(resolve => clock.schedule(deed.milliseconds, resolve))
            return
          case 'expect':
            await conversation.expectExternalEvent({ delayResponse: deed.delay })
            model.awaiting += 1
            model.concluded ||= deed.delay
            return
          case 'hand off':
            conversation.handOff('reception', 'asked')
            model.concluded = true
            return
          case 'end':
            conversation.end()
            model.concluded = true
            return
          case 'bad variable':
            conversation.setVariable('a', Number.NaN)
            wrong.push('NaN was taken')
            return
          case 'bad metric':
            conversation.setMetric('m', JSON.parse('5'))
            wrong.push('a number was taken as a metric')
        }
      }

      async function finish(ending: Call['ending']): Promise<unknown> {
        if (ending === 'throws') throw new Error('it broke')
        if (ending === 'hangs') return never()
        if (ending === 'returns a bigint') return 1n
        const itself: { again?: unknown } = {}
        itself.again = itself
        return ending === 'returns itself' ? itself : ending === 'returns' ? { done: true } : undefined
      }

      const act = defineFunction({
        description: 'Acts.',
        parameters: z.object({ index: z.int().min(0) }),
        timeout: TIMEOUT,
        async execute(conversation, { index }) {
          const call = calls[index]
          if (call === undefined) throw new Error('no such call')
          later.push(async () => {
            for (const deed of call.late) {
              if (deed.do === 'wait') continue
              await perform(conversation, deed).then(
                () => wrong.push(`${deed.do} was taken late`),
                () => undefined,
              )
            }
          })
          for (const deed of call.deeds) {
            await perform(conversation, deed)
            if (ended.has(index) && deed.do !== 'wait') wrong.push(`${deed.do} was taken after the call`)
          }
          return finish(call.ending)
        },
      })

      const told: string[] = []
      const runtime = createScriptedRuntime(
        {
          greeting: 'Welcome.',
          otherwise: async turn => {
            const make = async (call: Call, index: number): Promise<void> => {
              const { name, error } = await turn.callFunction(call.name, { index: call.fits ? index : -1 })
              ended.add(index)
              told.push(`${name} ${error}`)
            }
            if (together) await Promise.all(calls.map(make))
            else for (const [index, call] of calls.entries()) await make(call, index)
            for (const tryAgain of later) await tryAgain()
            return 'Done.'
          },
        },
        clock,
      )
      const store = createMemoryStore()
      const errors: unknown[] = []
      const platform = createPlatform({
        ...{ store, clock, runtime, ids: createSequentialIds(), functions: { act } },
        onError: error => errors.push(error),
      })
      const visitor = await openVisitor(platform, clock, streaming)
      await visitor.join()
      await visitor.say('go')
      await clock.advance(calls.length * TIMEOUT + 1)
      for (const tryAgain of later) await tryAgain()
      await clock.settle()

      expect(wrong).toEqual([])
      expect(errors).toEqual([])
      const [, turn] = await store.conversations.turns(visitor.id)
      const { function_events: events } = turn?.details ?? {}
      const seen = z.array(z.object({ name: z.string(), error: z.string().nullable() })).parse(events)
      expect(seen.map(({ name, error }) => `${name} ${error}`)).toEqual(told)
      expect(seen.map(({ name }) => name).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
      expect(turn?.record.agent_response).toBe(`${model.text}Done.`)
      const state = (await store.conversations.load(visitor.id))?.state
      expect(state?.variables).toEqual(model.variables)
      expect([state?.metrics.m ?? []].flat()).toEqual(model.metrics)
      expect(state?.integrationAttributes).toEqual(model.attribute === null ? {} : { tier: model.attribute })
      expect(state?.turn).toBeNull()
      if (state?.endedAt === null) expect(state.awaiting).toHaveLength(model.awaiting)
      for (const { error } of seen) {
        const kind = error?.replace(/[0-9]+/g, 'n') ?? 'returned'
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
      }
    }),
    // Drawn with a seed, so that each of the outcomes is met for certain.
    { numRuns: 150, examples: fc.sample(fc.tuple(TURN), { seed: 1, numRuns: 30 }) },
  )
  // The histories have met what they are about.
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining([
      'returned',
      'it broke',
      'There is no function named missing.',
      'The function took longer than n ms.',
      'The result must be JSON, not a bigint.',
      'The result must not nest deeper than n levels.',
      'The argument "index" is not valid: Too small: expected number to be >=n.',
    ]),
  )
})
