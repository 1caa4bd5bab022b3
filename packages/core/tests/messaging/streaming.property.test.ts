import { createNetwork } from '@colloquy/test-support/network'
import { expectStream, fieldClient, replies } from '@colloquy/test-support/replies'
import { runs } from '@colloquy/test-support/runs'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../src/testing/index.ts'

const pause = (milliseconds: number) => ({ type: 'wait', milliseconds }) as const

const SCRIPT: Script = {
  greeting: 'Welcome.',
  messages: {
    story: ['Once ', pause(60), 'upon a ', pause(60), 'time ', pause(60), 'there was ', pause(60), 'an inn.'],
    endless: ['Once ', pause(60), 'upon a ', pause(600_000), 'time.'],
    person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked for a person' }],
    broken: ['Half ', pause(60), 'a ', pause(60), { type: 'fail', message: 'the model is down' }],
  },
  otherwise: 'Yes.',
}

function setUp(script: Script = SCRIPT) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const network = createNetwork()
  const errors: unknown[] = []
  const start = (options: Partial<PlatformOptions> = {}) =>
    createPlatform({
      store,
      clock,
      bus: network.bus(),
      runtime: createScriptedRuntime(script, clock),
      onError: error => errors.push(error),
      ...options,
    })
  return { clock, store, network, errors, start }
}

describe('clients of the field', () => {
  it(
    'MS29 have every word once, whenever they connect, write and are answered',
    async () => {
      const words = fc.array(fc.constantFrom('a ', 'bcd ', 'e f ', 'ghi. '), { minLength: 1, maxLength: 6 })
      const action = fc.oneof(
        { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.nat(150) }) },
        { weight: 2, arbitrary: fc.constant({ do: 'say' as const }) },
        {
          weight: 4,
          arbitrary: fc.record({
            do: fc.constant('connect' as const),
            process: fc.nat(1),
            relaunch: fc.boolean(),
          }),
        },
      )
      await fc.assert(
        fc.asyncProperty(words, fc.array(action, { minLength: 2, maxLength: 14 }), async (said, actions) => {
          const story = said.flatMap(word => [word, pause(70)])
          const { clock, start } = setUp({ greeting: story, otherwise: story })
          const processes = [start(), start()]
          const strict = await openVisitor(start(), clock, true)
          let visitor = strict
          const connections: { readonly visitor: Visitor; readonly cursor: number }[] = []
          const field = () => fieldClient(...connections.map(connection => connection.visitor))
          const connect = async (process: number, relaunch: boolean): Promise<void> => {
            await visitor.drop()
            const after = relaunch ? 0 : field().cursor
            visitor = await strict.reconnect(processes[process] ?? start(), after)
            connections.push({ visitor, cursor: after })
          }
          const beside = await strict.reconnect(start())
          await connect(0, false)
          await visitor.join()
          let questions = 0
          for (const step of actions) {
            if (step.do === 'wait') await clock.advance(step.milliseconds)
            else if (step.do === 'connect') await connect(step.process, step.relaunch)
            else await visitor.say(`question ${++questions}`)
          }
          await clock.advance(20_000)
          const whole = Array.from({ length: questions + 1 }, () => said.join(''))
          expect(field().texts()).toEqual(whole)
          expect(
            replies({ received: connections.flatMap(connection => connection.visitor.received) }),
          ).toEqual(whole)
          expect(fieldClient(beside).texts()).toEqual(whole)
          expect(replies(beside)).toEqual(whole)
          for (const connection of connections) expectStream(connection.visitor, connection.cursor)
          expectStream(beside)
          expect(beside.sequences()).toEqual(beside.sequences().map((_, index) => index + 1))
          for (const process of processes) await process.close()
        }),
        { numRuns: runs(12, 80) },
      )
    },
    runs(120_000, 300_000),
  )
})
