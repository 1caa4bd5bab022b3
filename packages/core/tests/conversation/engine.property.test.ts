import { createMemoryStore } from '@colloquy/adapter-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLocalBus } from '../../src/local-bus.ts'
import { createPlatform } from '../../src/platform.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type Script,
} from '../../src/testing/index.ts'
import { openVisitor } from '../support/visitor.ts'

/** What the agent does with a message, by the first word of its text. */
const SCRIPT: Script = {
  greeting: 'Welcome.',
  otherwise: ({ input }) => {
    const text = input.type === 'message' ? input.text : ''
    if (text.startsWith('fail')) return [{ type: 'fail', message: 'the model is down' }]
    const reply = `You said ${text}.`
    return text.startsWith('slow') ? [{ type: 'wait', milliseconds: 7_000 }, reply] : reply
  },
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      kind: fc.constantFrom('plain', 'slow', 'fail'),
      // Few numbers, so that the same message is often sent again: from here, from there, during and after its turn.
      number: fc.integer({ min: 1, max: 4 }),
      process: fc.integer({ min: 0, max: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.integer({ min: 1, max: 20_000 }),
    }),
  },
)

it('EN12 over two processes, with messages sent again and again: each takes effect once, and has one reply or one stated failure', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async steps => {
      const clock = createFakeClock()
      const store = createMemoryStore()
      const shared = { store, clock, bus: createLocalBus(), ids: createSequentialIds(), rateLimits: null }
      const start = () => createPlatform({ ...shared, runtime: createScriptedRuntime(SCRIPT, clock) })
      const here = await openVisitor(start(), clock)
      const there = await here.reconnect(start())
      await here.join()
      const sent = new Set<string>()
      for (const next of steps) {
        if (next.do === 'wait') await clock.advance(next.milliseconds)
        else {
          const text = `${next.kind} ${next.number}`
          sent.add(text)
          await (next.process === 0 ? here : there).say(text, text)
        }
      }
      await clock.advance(120_000)

      const log = await store.conversations.events(here.id, 0)
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1))
      const texts = (type: string) =>
        log.filter(event => event.type === type).map(({ payload }) => payload.text)
      expect(texts('USER_MESSAGE').toSorted()).toEqual([...sent].toSorted())
      const answerable = [...sent].filter(text => !text.startsWith('fail'))
      const replies = ['Welcome.', ...answerable.map(text => `You said ${text}.`)]
      expect(texts('AI_AGENT_MESSAGE').toSorted()).toEqual(replies.toSorted())
      const failures = [...here.texts('SYSTEM_MESSAGE'), ...there.texts('SYSTEM_MESSAGE')]
      expect(failures).toHaveLength(sent.size - answerable.length)
      for (const visitor of [here, there]) {
        const seen = visitor.received
          .filter(({ sequence }) => sequence !== null)
          .map(({ sequence }) => sequence)
        expect([...new Set(seen)]).toEqual(log.map(({ sequence }) => sequence))
      }
    }),
    { numRuns: 40 },
  )
})
