import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { z as oldZod } from 'zod/v3'
import type { AgentFunction } from '../../../src/ports/agent-function.ts'
import { defineFunction } from '../../../src/usecases/conversation/functions/define-function.ts'
import { does, openChat } from './support.ts'

const seen: unknown[] = []
const book = defineFunction({
  description: 'Books a room.',
  parameters: z.object({
    nights: z.int().min(1).describe('How many nights'),
    room: z.enum(['single', 'double']).default('single'),
    from: z.iso.date().transform(text => new Date(text)),
  }),
  execute(_, args) {
    seen.push(args)
    return { booked: args.nights, day: args.from.getUTCDate() }
  },
})

describe('arguments', () => {
  it('FN1 a function is given what its schema makes of the arguments, and the event holds them as they came', async () => {
    const chat = await openChat({ functions: { book } })
    const turn = await chat.say('book {"nights":2,"from":"2026-03-04","more":true}')
    expect(turn.record.agent_response).toBe('{"booked":2,"day":4}')
    expect(seen.splice(0)).toEqual([{ nights: 2, room: 'single', from: new Date('2026-03-04') }])
    expect(turn.details.function_events).toEqual([
      {
        name: 'book',
        arguments: { nights: 2, from: '2026-03-04', more: true },
        result: { booked: 2, day: 4 },
        error: null,
        duration_ms: 0,
      },
    ])
  })

  it.each([
    [
      'book {"nights":0,"from":"2026-03-04"}',
      'The argument "nights" is not valid: Too small: expected number to be >=1.',
    ],
    [
      'book {"nights":2,"room":"tent","from":"2026-03-04"}',
      'The argument "room" is not valid: expected one of "single"|"double".',
    ],
    ['book {"nights":2}', 'The argument "from" is required: expected string.'],
    [
      'book',
      'The argument "nights" is required: expected number. The argument "from" is required: expected string.',
    ],
  ])('FN1 %s does not call it, and the error names the field', async (text, error) => {
    const chat = await openChat({ functions: { book } })
    const turn = await chat.say(text)
    expect(turn.record.agent_response).toBe(error)
    expect(turn.details.function_events).toMatchObject([{ name: 'book', result: null, error }])
    expect(seen).toEqual([])
  })

  it('FN1 a check that takes time is waited for, and one that throws is the call’s error', async () => {
    const slow = (answer: () => boolean) =>
      defineFunction({
        description: 'Checks.',
        parameters: z.object({ room: z.string().refine(async () => answer(), 'the room is taken.') }),
        execute: (_, { room }) => room,
      })
    const broken = slow(() => {
      throw new Error('no line to the register')
    })
    const chat = await openChat({ functions: { free: slow(() => true), taken: slow(() => false), broken } })
    const told = async (name: string) => (await chat.say(`${name} {"room":"7"}`)).record.agent_response
    expect(await told('free')).toBe('"7"')
    expect(await told('taken')).toBe('The argument "room" is not valid: the room is taken.')
    expect(await told('broken')).toBe('no line to the register')
  })

  it('FN1 what a function does to its arguments changes no event', async () => {
    const greedy = defineFunction({
      description: 'Takes what it is given.',
      parameters: z.object({ list: z.json() }),
      execute(_, { list }) {
        if (Array.isArray(list)) list.push('mine')
        return list
      },
    })
    const chat = await openChat({ functions: { greedy } })
    const { details } = await chat.say('greedy {"list":["yours"]}')
    expect(details.function_events).toMatchObject([
      { arguments: { list: ['yours'] }, result: ['yours', 'mine'] },
    ])
  })

  it('FN2 runtimes are told what a caller has to give, as JSON Schema', async () => {
    const chat = await openChat({ functions: { book, leave: does(() => null) } })
    expect(chat.runtime.turns[0]?.functions).toEqual([
      {
        name: 'book',
        description: 'Books a room.',
        parameters: {
          type: 'object',
          properties: {
            nights: {
              type: 'integer',
              minimum: 1,
              maximum: 9007199254740991,
              description: 'How many nights',
            },
            room: { type: 'string', enum: ['single', 'double'], default: 'single' },
            from: expect.objectContaining({ type: 'string', format: 'date' }),
          },
          required: ['nights', 'from'],
        },
      },
      { name: 'leave', description: 'Does something.', parameters: { type: 'object', properties: {} } },
    ])
  })
})

describe('createPlatform', () => {
  const refusal = async (functions: Readonly<Record<string, AgentFunction>>, options = {}) => {
    const error: unknown = await openChat({ functions, options }).then(
      () => null,
      (reason: unknown) => reason,
    )
    return error
  }

  it.each([
    ['a date', z.object({ at: z.date() }), 'Date cannot be represented in JSON Schema'],
    ['a map', z.object({ all: z.map(z.string(), z.string()) }), 'Map cannot be represented in JSON Schema'],
  ])('FN2 %s is refused, for JSON Schema does not know it', async (_, parameters, why) => {
    const pay = defineFunction({ description: 'Pays.', parameters, execute: () => null })
    expect(await refusal({ pay })).toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: `The function "pay" has parameters that JSON Schema cannot describe: ${why}.`,
    })
  })

  it.each(['', '7up', 'with space', 'ünder', '__proto__x', 'a'.repeat(65), 'dot.ted', '{{x}}'])(
    'FN1 the name %j is refused',
    async name => {
      const why = 'must be named by a letter and up to 63 letters, digits, underscores and hyphens.'
      expect(await refusal({ [name]: does(() => null) })).toMatchObject({
        message: `The function ${JSON.stringify(name)} ${why}`,
      })
    },
  )

  it.each(['a', 'takeDeposit_2-b', 'constructor', 'a'.repeat(64)])('FN1 the name %j is taken', async name => {
    const chat = await openChat({ functions: { [name]: does(() => 'called') } })
    expect((await chat.say(name)).record.agent_response).toBe('"called"')
    expect((await chat.say('toString')).record.agent_response).toBe('There is no function named toString.')
  })

  it.each([0, -1, 1.5, Number.NaN, 60_000, 90_000])('FN1 a time limit of %d is refused', async timeout => {
    expect(await refusal({ pay: does(() => null, timeout) })).toMatchObject({
      message: `The function "pay" must have a time limit of 1 to 59999 whole milliseconds, below turnDeadline, not ${timeout}.`,
    })
    expect(await refusal({ pay: does(() => null) }, { functionTimeout: timeout })).toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
    })
  })

  it('FN1 what defineFunction did not make, and what has no description, is refused', async () => {
    const made = does(() => null)
    // What a host without types may pass.
    const bare: AgentFunction = JSON.parse('{"description":"Pays."}')
    expect(await refusal({ pay: bare })).toMatchObject({
      message: 'The function "pay" must be what defineFunction returns.',
    })
    expect(await refusal({ pay: JSON.parse('null') })).toMatchObject({
      message: 'The function "pay" must be what defineFunction returns.',
    })
    expect(await refusal({ pay: { ...made, description: ' ' } })).toMatchObject({
      message: 'The function "pay" must have a description.',
    })
    const text = { ...made, describeParameters: () => ({ type: 'string' }) }
    expect(await refusal({ pay: text })).toMatchObject({
      message:
        'The function "pay" has parameters that language models refuse: "type" at the top must be "object".',
    })
    expect(await refusal({ pay: made })).toBeNull()
  })
})

describe('what defineFunction is given', () => {
  const execute = () => null
  const define = (definition: unknown): unknown => Reflect.apply(defineFunction, undefined, [definition])
  const WANTED =
    'Wanted: an object schema of zod 4, for example z.object({ nights: z.int() }), or z.object({}) for none.'

  it.each([
    ['a JSON Schema', { type: 'object', properties: { nights: { type: 'integer' } } }],
    ['a JSON Schema', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['a schema of zod 3', oldZod.object({ nights: oldZod.number() })],
    ['a schema of zod that is no object', z.string()],
    ['a plain object of schemas', { nights: z.int() }],
    ['null', null],
    ['undefined', undefined],
    ['string', 'nights'],
  ])('EM4 %s as parameters is refused: case %#', (what, parameters) => {
    expect(() => define({ description: 'Books.', parameters, execute })).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_VALIDATION_FAILED',
        message: `parameters of defineFunction must not be ${what}. ${WANTED}`,
      }),
    )
  })

  it('EM4 what nothing reads, and what cannot be called, is refused', () => {
    const parameters = z.object({})
    expect(() => define({ description: 'Books.', parameters, execute, timeOut: 5 })).toThrow(
      'defineFunction has no option "timeOut". Did you mean timeout?',
    )
    expect(() => define({ description: 'Books.', parameters })).toThrow(
      'execute of defineFunction must be a function.',
    )
    expect(() => define(undefined)).toThrow('defineFunction takes an object of options, not undefined.')
  })
})
