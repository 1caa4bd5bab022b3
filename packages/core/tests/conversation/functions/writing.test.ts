import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { expandAttributes } from '../../../src/runtime/expansions.ts'
import { aRuntimeTurn, type Script } from '../../../src/testing/index.ts'
import { defineFunction } from '../../../src/usecases/conversation/functions/define-function.ts'
import { createWriter } from '../../../src/usecases/conversation/functions/function-writes.ts'
import { CALLER, does, openChat } from './support.ts'

describe('what a function writes', () => {
  it('FN10 is seen by later calls and the runtime at once, and by later turns', async () => {
    const write = does(conversation => {
      conversation.setVariable('room', { number: 7 })
      conversation.setMetric('asked', 'room')
      conversation.setMetric('asked', 'price')
      conversation.setIntegrationAttribute('tier', 'gold')
      return [conversation.variables, conversation.integrationAttributes]
    })
    const look = does(({ variables, integrationAttributes }) => [variables, integrationAttributes])
    const script: Script = {
      ...CALLER,
      messages: {
        both: async turn => {
          await turn.callFunction('write', {})
          const { result } = await turn.callFunction('look', {})
          return JSON.stringify([result, [turn.variables, turn.integrationAttributes]])
        },
      },
    }
    const integrationAttributes = { guest: 'Ada', tier: 'silver' }
    const chat = await openChat({ functions: { write, look }, script, integrationAttributes })
    const seen = [{ room: { number: 7 } }, { guest: 'Ada', tier: 'gold' }]
    const both = await chat.say('both')
    expect(both.record.agent_response).toBe(JSON.stringify([seen, seen]))
    expect(both.details).toMatchObject({ state: seen[0], metrics: { asked: ['room', 'price'] } })
    expect((await chat.say('look')).record.agent_response).toBe(JSON.stringify(seen))
    expect(await chat.state()).toMatchObject({
      variables: seen[0],
      metrics: { asked: ['room', 'price'] },
      integrationAttributes: seen[1],
    })
  })

  it('FN10 is gone when its turn fails', async () => {
    const write = does(conversation => {
      conversation.setVariable('room', 7)
      conversation.setMetric('asked', 'room')
      conversation.setIntegrationAttribute('tier', 'gold')
      conversation.setVariantAttribute('house', 'the Mill')
    })
    const script: Script = {
      ...CALLER,
      messages: {
        fail: async turn => {
          await turn.callFunction('write', {})
          return [{ type: 'fail', message: 'the model is down' }]
        },
      },
    }
    const chat = await openChat({ functions: { write }, script })
    await expect(chat.say('fail')).rejects.toMatchObject({ code: 'AGENT_FAILED' })
    expect(await chat.state()).toMatchObject({
      ...{ variables: {}, metrics: {}, integrationAttributes: {}, setAttributes: {} },
    })
  })

  it('FN11 a set attribute takes the place of the variant’s, later in the turn and in later turns', async () => {
    const move = does(conversation => {
      conversation.setVariantAttribute('house', 'the Mill')
      return conversation.variantAttributes
    })
    const greeting = 'Welcome to {{attr:house}}.'
    const expand = (attributes: Readonly<Record<string, string>> = {}) =>
      expandAttributes(greeting, attributes).text
    const script: Script = {
      ...CALLER,
      messages: {
        'come in': turn => expand(turn.variant?.attributes),
        move: async turn => {
          const before = expand(turn.variant?.attributes)
          const { result } = await turn.callFunction('move', {})
          return `${before} ${JSON.stringify(result)} ${expand(turn.variant?.attributes)}`
        },
      },
    }
    const chat = await openChat({ functions: { move }, script })
    expect((await chat.say('move')).record.agent_response).toBe(
      'Welcome to the Harbour. {"house":"the Mill"} Welcome to the Mill.',
    )
    expect((await chat.say('come in')).record.agent_response).toBe('Welcome to the Mill.')
    const other = await chat.platform.debugChat.start(chat.agent, { environment: 'sandbox' })
    const elsewhere = await chat.platform.debugChat.send(chat.agent, other.state.id, {
      ...{ environment: 'sandbox', message: 'come in' },
    })
    expect(elsewhere.turn.record.agent_response).toBe('Welcome to the Harbour.')
  })

  it('FN11 an attribute that the agent does not have is refused, and so is one without a variant', async () => {
    const misspell = does(conversation => conversation.setVariantAttribute('hose', 'x'))
    const chat = await openChat({ functions: { misspell } })
    expect((await chat.say('misspell')).record.agent_response).toBe(
      'There is no attribute hose. The agent has house.',
    )
    expect((await chat.state()).setAttributes).toEqual({})
    const writer = createWriter({
      turn: aRuntimeTurn('Hello'),
      collector: { writes: await chat.state() },
      ...{ limit: 1_000, check: () => undefined, say: () => expect.fail('it was written') },
    })
    const message = 'The conversation has no variant whose attributes can be set.'
    expect(() => writer.setVariantAttribute('house', 'x')).toThrow(message)
  })

  it('FN10 and AU3 the real-time config is written at once, for everybody, whatever becomes of the turn, as the platform’s own act', async () => {
    const shut = defineFunction({
      description: 'Shuts the desk.',
      parameters: z.object({ open: z.json() }),
      async execute(conversation, { open }) {
        const merged = await conversation.updateRealTimeConfigVariables({ desk: { open } })
        return [merged, conversation.realTimeConfig]
      },
    })
    const script: Script = {
      ...CALLER,
      messages: {
        fail: async turn => {
          await turn.callFunction('shut', { open: true })
          return [{ type: 'fail', message: 'the model is down' }]
        },
      },
    }
    const chat = await openChat({ functions: { shut }, script })
    const { agents } = chat.platform
    await agents.updateRealTimeConfigVariables(chat.agent.id, 'sandbox', { until: 22 })
    expect((await chat.say('shut {"open":false}')).record.agent_response).toBe(
      '[{"until":22,"desk":{"open":false}},{"until":22}]',
    )
    const { entries } = await chat.platform.audit.list({ action: 'real_time_config.variables_changed' })
    expect(entries.map(({ actor }) => actor.type)).toEqual(['platform', 'library'])
    await expect(chat.say('fail')).rejects.toMatchObject({ code: 'AGENT_FAILED' })
    const variables = async (environment: 'sandbox' | 'live') =>
      (await agents.realTimeConfig(chat.agent.id, environment)).variables
    expect(await variables('sandbox')).toEqual({ until: 22, desk: { open: true } })
    expect(await variables('live')).toEqual({})

    const schema = { properties: { desk: { properties: { open: { type: 'boolean' } } } } }
    await agents.updateRealTimeConfigSchema(chat.agent.id, 'sandbox', schema)
    const refused = await chat.say('shut {"open":"never"}')
    expect(refused.record.agent_response).toMatch(/^The merged variables do not fit the schema: .*boolean/)
    expect(await variables('sandbox')).toEqual({ until: 22, desk: { open: true } })
  })

  /** Writes that are refused, each with what the function is told. */
  const large = 'x'.repeat(991)
  const REFUSED: readonly (readonly [string, Parameters<typeof does>[0], string])[] = [
    ['a variable', c => c.setVariable('big', large), 'Conversation state has at most 1000 bytes of JSON.'],
    ['a metric', c => c.setMetric('big', large), "A conversation's metrics have at most 1000 bytes of JSON."],
    [
      'an attribute',
      c => c.setIntegrationAttribute('big', large),
      "A conversation's integration attributes have at most 1000 bytes of JSON.",
    ],
    [
      'a variant attribute',
      c => c.setVariantAttribute('house', large),
      "A conversation's set variant attributes have at most 1000 bytes of JSON.",
    ],
    [
      'a value alone',
      c => c.setVariable('k', 'x'.repeat(999)),
      'The variable k must be at most 1000 bytes of JSON, not 1001.',
    ],
    [
      'no number',
      c => c.setVariable('k', { a: [Number.NaN] }),
      '"/a/0" in the variable k must be JSON, not NaN.',
    ],
    [
      'no JSON',
      c => c.setIntegrationAttribute('k', JSON.parse('{"__proto__":1}')),
      'The integration attribute k must have no key "__proto__".',
    ],
    [
      'a number as metric',
      c => c.setMetric('k', JSON.parse('5')),
      'The value of the metric k must be a string, not number.',
    ],
    [
      'no key',
      c => c.setVariable(JSON.parse('null'), 1),
      'The key of a variable must be a string, not object.',
    ],
    ['no text', c => c.say(JSON.parse('7')), 'What is said must be a string, not number.'],
    [
      'no destination',
      c => c.handOff(JSON.parse('null'), ''),
      'The destination of a handoff must be a string, not object.',
    ],
    ['too much text', c => c.say('x'.repeat(51)), 'The reply is longer than 50 characters.'],
  ]

  it.each(REFUSED)('FN10 %s is refused to the function, and changes nothing', async (_, write, told) => {
    const caught: string[] = []
    const attempt = does(conversation => {
      conversation.setVariable('kept', 1)
      try {
        write(conversation, new AbortController().signal)
      } catch (error) {
        caught.push(error instanceof Error ? error.message : 'no error')
      }
      return 'went on'
    })
    const limits = { variableBytes: 1_000, replyLength: 50 }
    const chat = await openChat({ functions: { attempt }, options: { limits } })
    const turn = await chat.say('attempt')
    expect(caught).toEqual([told])
    expect(turn.record.agent_response).toBe('"went on"')
    expect(await chat.state()).toMatchObject({
      ...{ variables: { kept: 1 }, metrics: {}, integrationAttributes: {}, setAttributes: {}, endedAt: null },
    })
  })

  it('FN10 a metric that grows every turn grows to the limit and no further, and the visitor is answered', async () => {
    const count = does(conversation => conversation.setMetric('seen', 'x'.repeat(100)))
    const chat = await openChat({ functions: { count }, options: { limits: { variableBytes: 1_000 } } })
    const sizes: number[] = []
    for (let turn = 0; turn < 15; turn++) {
      await chat.say('count')
      sizes.push(Buffer.byteLength(JSON.stringify((await chat.state()).metrics)))
    }
    expect(Math.max(...sizes)).toBeGreaterThan(800)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000)
    expect(new Set(sizes.slice(-5)).size).toBe(1)
    expect((await chat.state()).endedAt).toBeNull()
  })

  it('FN10 names of objects’ own members are names as any other', async () => {
    const write = does(conversation => {
      conversation.setMetric('constructor', 'one')
      conversation.setVariable('toString', 1)
    })
    const chat = await openChat({ functions: { write } })
    expect((await chat.say('write')).record.agent_response).toBe('null')
    expect(await chat.state()).toMatchObject({ metrics: { constructor: 'one' }, variables: { toString: 1 } })
  })

  it.each<[string, Parameters<typeof does>[0]]>([
    [
      'ends, then hands off',
      conversation => {
        conversation.end()
        conversation.handOff('reception', 'asked')
        conversation.end()
      },
    ],
    [
      'hands off, then ends',
      conversation => {
        conversation.handOff('reception', 'asked')
        conversation.end()
        conversation.handOff('bar', 'asked')
      },
    ],
  ])('FN14 a function that %s has ended', async (_, leave) => {
    const chat = await openChat({ functions: { leave: does(leave) } })
    const turn = await chat.say('leave')
    expect(turn.details).toMatchObject({
      ends: true,
      handoff_destination: '',
      function_events: [{ error: null }],
    })
    const state = await chat.state()
    expect(state.endedAt).not.toBeNull()
    expect(state.record).toMatchObject({ handoff: false, handoffDestination: '' })
  })

  it('FN14 of several handoffs the last one counts', async () => {
    const leave = does(conversation => {
      conversation.handOff('reception', 'asked')
      conversation.handOff('bar', 'thirsty')
    })
    const chat = await openChat({ functions: { leave } })
    expect((await chat.say('leave')).details.handoff_destination).toBe('bar')
    expect((await chat.state()).record).toMatchObject({
      handoff: true,
      handoffDestination: 'bar',
      handoffReason: 'thirsty',
    })
  })
})
