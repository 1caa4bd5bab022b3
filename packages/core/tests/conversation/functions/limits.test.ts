import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { FunctionConversation } from '../../../src/ports/agent-function.ts'
import type { FunctionCall } from '../../../src/ports/agent-runtime.ts'
import type { Script } from '../../../src/testing/index.ts'
import { defineFunction } from '../../../src/usecases/conversation/functions/define-function.ts'
import { errorText } from '../../../src/usecases/conversation/turn/error-text.ts'
import { CALLER, does, gate, openChat, wordsOf } from './support.ts'

const never = () => new Promise(() => undefined)

describe('time', () => {
  it.each([
    ['functionTimeout', undefined, {}, 10_000],
    ['functionTimeout as it was set', undefined, { functionTimeout: 3_000 }, 3_000],
    ['half of a short turnDeadline', undefined, { turnDeadline: 4_001 }, 2_000],
    ['its own time limit', 700, { functionTimeout: 3_000 }, 700],
  ])(
    'FN20 a function that hangs is left after %s, and the turn goes on',
    async (_, timeout, options, limit) => {
      const signals: AbortSignal[] = []
      const hang = does((__, signal) => {
        signals.push(signal)
        return never()
      }, timeout)
      const chat = await openChat({ functions: { hang }, options })
      const answered = chat.say('hang')
      await chat.clock.advance(limit - 1)
      expect(signals[0]?.aborted).toBe(false)
      await chat.clock.advance(1)
      const error = `The function took longer than ${limit} ms.`
      const turn = await answered
      expect(turn.record.agent_response).toBe(error)
      expect(signals[0]).toMatchObject({ aborted: true, reason: { code: 'AGENT_FAILED', message: error } })
      expect(turn.details.function_events).toEqual([
        { name: 'hang', arguments: {}, result: null, error, duration_ms: limit },
      ])
    },
  )

  it('FN20 a check of arguments that hangs is left likewise', async () => {
    const check = defineFunction({
      description: 'Checks for ever.',
      parameters: z.object({}).refine(never),
      execute: () => 'done',
    })
    const chat = await openChat({ functions: { check } })
    expect((await chat.sayDuring('check', 10_000)).record.agent_response).toBe(
      'The function took longer than 10000 ms.',
    )
  })

  it('FN20 a function that is done in time has no limit left behind', async () => {
    const signals: AbortSignal[] = []
    const chat = await openChat({ functions: { quick: does((_, signal) => signals.push(signal)) } })
    await chat.say('quick')
    const { pending } = chat.clock
    await chat.clock.advance(20_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    expect(chat.clock.pending).toBeLessThanOrEqual(pending)
  })
})

/** Every member that says, sets or asks. */
const MEMBERS: Readonly<Record<string, (conversation: FunctionConversation) => unknown>> = {
  setVariable: conversation => conversation.setVariable('late', 1),
  setMetric: conversation => conversation.setMetric('late', 'x'),
  setIntegrationAttribute: conversation => conversation.setIntegrationAttribute('late', 1),
  setVariantAttribute: conversation => conversation.setVariantAttribute('house', 'late'),
  updateRealTimeConfigVariables: conversation => conversation.updateRealTimeConfigVariables({ late: 1 }),
  expectExternalEvent: conversation => conversation.expectExternalEvent({ delayResponse: true }),
  say: conversation => conversation.say('late'),
  suggest: conversation => conversation.suggest('late'),
  attach: conversation =>
    conversation.attach({
      ...{ title: 'late', contentType: 'url', contentUrl: 'https://example.com' },
      ...{ previewImageUrl: '', callToActionText: '' },
    }),
  offerCall: conversation => conversation.offerCall('late', '1'),
  handOff: conversation => conversation.handOff('late', 'late'),
  end: conversation => conversation.end(),
}

describe('a call that is over', () => {
  const CASES = Object.keys(MEMBERS).flatMap(member =>
    (['returned', 'threw', 'took too long'] as const).map(how => [member, how] as const),
  )

  it.each(CASES)('FN20 %s is refused when the function has %s, and changes nothing', async (member, how) => {
    const held = gate<FunctionConversation>()
    const begin = does(async conversation => {
      conversation.setVariable('early', 1)
      held.open(conversation)
      if (how === 'threw') throw new Error('no')
      if (how === 'took too long') await never()
    }, 100)
    const late = gate()
    const script: Script = {
      ...CALLER,
      messages: {
        begin: async turn => {
          const call = await turn.callFunction('begin', {})
          // The turn is still under way: nothing but the end of the call stands against it.
          await late.opened
          return wordsOf(call)
        },
      },
    }
    const chat = await openChat({ functions: { begin }, script })
    const answered = chat.say('begin')
    const conversation = await held.opened
    await chat.clock.advance(100)
    const refused = async () => MEMBERS[member]?.(conversation)
    const message = `conversation.${member} does nothing: this call of the function begin is over.`
    await expect(refused()).rejects.toMatchObject({ code: 'AGENT_FAILED', message })
    late.open()
    const turn = await answered
    await expect(refused()).rejects.toMatchObject({ code: 'AGENT_FAILED', message })
    expect(turn.record.agent_response).not.toContain('late')
    expect(turn.details).toMatchObject({ delayed: false, ends: false, handoff_destination: '' })
    expect(await chat.state()).toMatchObject({
      ...{ variables: { early: 1 }, metrics: {}, integrationAttributes: {}, setAttributes: {} },
      ...{ awaiting: [], endedAt: null },
    })
    const config = await chat.platform.agents.realTimeConfig(chat.agent.id, 'sandbox')
    expect(config.variables).toEqual({})
  })

  it('FN20 an event that was being asked for when the call’s time ran out is not expected', async () => {
    const slow = gate()
    const ask = does(conversation => conversation.expectExternalEvent({ delayResponse: true }), 100)
    const chat = await openChat({ functions: { ask } })
    const { externalEvents } = chat.store.conversations
    const { expect: reserve } = externalEvents
    Object.assign(externalEvents, {
      async expect(...input: Parameters<typeof reserve>) {
        await slow.opened
        return reserve.call(externalEvents, ...input)
      },
    })
    const turn = await chat.sayDuring('ask', 100)
    slow.open()
    await chat.clock.settle()
    expect(turn.details).toMatchObject({
      delayed: false,
      function_events: [{ error: 'The function took longer than 100 ms.' }],
    })
    expect((await chat.state()).awaiting).toEqual([])
  })
})

describe('results', () => {
  const itself: { again?: unknown } = {}
  itself.again = itself
  class Point {
    readonly x = 1
    norm() {
      return this.x
    }
  }
  let doubling: unknown = 'x'
  for (let level = 0; level < 60; level++) doubling = [doubling, doubling]
  const at = (place: string, kind: string) => `"${place}" in the result must be JSON, not ${kind}.`

  it.each<[string, unknown, string]>([
    ['a bigint', { a: 1n }, at('/a', 'a bigint')],
    ['a bigint alone', 1n, 'The result must be JSON, not a bigint.'],
    ['NaN', [Number.NaN], at('/0', 'NaN')],
    ['Infinity', { a: Number.POSITIVE_INFINITY }, at('/a', 'Infinity')],
    ['a function', { a: { f: () => 1 } }, at('/a/f', 'a function')],
    ['a symbol', Symbol('x'), 'The result must be JSON, not a symbol.'],
    ['an instance', { points: [new Point()] }, at('/points/0', 'an instance of Point')],
    ['a map', new Map([[1, 2]]), 'The result must be JSON, not an instance of Map.'],
    ['a hole', Object.assign([1], { 2: 2 }), at('/1', 'undefined')],
    ['a value that contains itself', itself, 'The result must not nest deeper than 64 levels.'],
    [
      'a value that doubles at each of sixty levels',
      doubling,
      'The result must be at most 65536 bytes of JSON.',
    ],
    ['too much text', 'x'.repeat(65_535), 'The result must be at most 65536 bytes of JSON, not 65537.'],
    ['far too much text', 'x'.repeat(5_000_000), 'The result must be at most 65536 bytes of JSON.'],
    ['__proto__', JSON.parse('{"__proto__":1}'), 'The result must have no key "__proto__".'],
    [
      'what throws when it is read',
      {
        get a() {
          throw new Error('no line')
        },
      },
      'no line',
    ],
  ])('FN23 %s is the call’s error', async (_, result, error) => {
    const chat = await openChat({ functions: { give: does(() => result) } })
    const turn = await chat.say('give')
    expect(turn.record.agent_response).toBe(error)
    expect(turn.details.function_events).toMatchObject([{ result: null, error }])
  })

  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['undefined properties', { a: undefined, b: 1 }, { b: 1 }],
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['text of the largest size', 'x'.repeat(65_534), 'x'.repeat(65_534)],
  ])('FN23 %s is taken', async (_, result, taken) => {
    const chat = await openChat({ functions: { give: does(() => result) } })
    const turn = await chat.say('give')
    expect(turn.details.function_events).toMatchObject([{ result: taken, error: null }])
  })

  it('FN23 arguments have the same limits, and a limit of the host’s own holds', async () => {
    const calls: FunctionCall[] = []
    const script: Script = {
      ...CALLER,
      messages: {
        large: async turn => {
          calls.push(await turn.callFunction('give', { text: 'x'.repeat(100) }))
          calls.push(await turn.callFunction('give', JSON.parse('{"a":{"__proto__":1}}')))
          return 'Done.'
        },
      },
    }
    const give = does(() => expect.fail('it was called'))
    const chat = await openChat({ functions: { give }, script, options: { limits: { functionBytes: 100 } } })
    expect((await chat.say('large')).details.function_events).toMatchObject([
      { arguments: {}, error: 'The arguments must be at most 100 bytes of JSON, not 111.' },
      { arguments: {}, error: '"/a" in the arguments must have no key "__proto__".' },
    ])
    expect(calls).toHaveLength(2)
  })
})

describe('errors', () => {
  const odd = Object.create(null)
  const broken = new Error('x')
  Object.defineProperty(broken, 'message', {
    get() {
      throw new Error('again')
    },
  })
  const SILENT = 'It failed without saying why.'

  it.each<[string, unknown, string]>([
    ['an error', new Error('no line'), 'no line'],
    ['an error without message', new TypeError(''), 'TypeError'],
    ['text', 'no line', 'no line'],
    ['nothing', undefined, 'undefined'],
    ['empty text', '', SILENT],
    ['what cannot be text', odd, SILENT],
    ['an error that cannot be read', broken, SILENT],
    ['a long error', new Error('x'.repeat(5_000)), `${'x'.repeat(999)}…`],
  ])('FN23 of %s the message is kept', async (_, thrown, error) => {
    const fail = does(() => Promise.reject(thrown))
    const chat = await openChat({ functions: { fail } })
    expect((await chat.say('fail')).details.function_events).toMatchObject([{ result: null, error }])
  })

  it('FN23 a cut leaves no half of a character', () => {
    expect(errorText(new Error('😀😀😀'), 4)).toBe('😀…')
    expect(errorText(new Error('😀😀'), 4)).toBe('😀😀')
  })
})
