import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/index.ts'
import type { AgentFunction } from '../../../src/ports/agent-function.ts'
import { silentLog } from '../../../src/ports/log.ts'
import { does, gate, openChat } from './support.ts'

/** A source whose functions a test replaces. */
function source(functions: Readonly<Record<string, AgentFunction>>) {
  const held = { functions, asked: 0 }
  return {
    held,
    functions() {
      held.asked++
      return held.functions
    },
  }
}

const says = (text: string) => does(() => text)
const reply = async (chat: Awaited<ReturnType<typeof openChat>>, text: string) =>
  (await chat.say(text)).record.agent_response

describe('sources of functions', () => {
  it('FN50 turns have the host’s functions and those of all sources, the host’s own first', async () => {
    const one = source({ a: says('a of one'), b: says('b of one'), own: says('own of one') })
    const two = source({ b: says('b of two'), c: says('c of two') })
    const chat = await openChat({
      functions: { own: says('own') },
      options: { functionSources: [one, two] },
    })
    const told = []
    for (const name of ['a', 'b', 'c', 'own']) told.push(await reply(chat, name))
    expect(told).toEqual(['"a of one"', '"b of one"', '"c of two"', '"own"'])
  })

  it('FN50 a turn keeps the functions that it began with, and the next one has the new ones', async () => {
    const { open, opened } = gate()
    const begun = gate()
    const offered = source({ old: says('old'), first: says('first') })
    const chat = await openChat({
      options: { functionSources: offered },
      script: {
        greeting: 'Hello.',
        otherwise: async turn => {
          const names = turn.functions.map(({ name }) => name).join(' ')
          begun.open()
          await opened
          const call = await turn.callFunction('old', {})
          return [`${names}: ${call.error ?? JSON.stringify(call.result)}`]
        },
      },
    })
    const running = reply(chat, 'go')
    await begun.opened
    offered.held.functions = { fresh: says('fresh') }
    open()
    expect(await running).toBe('old first: "old"')
    expect(await reply(chat, 'go')).toBe('fresh: There is no function named old.')
  })

  it('FN2 parameters of a source go out as providers accept them, and what they never would is left out, named once', async () => {
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (...line: readonly unknown[]) => void warned.push(line) }
    const described = (parameters: JsonObject) => ({ ...says('yes'), describeParameters: () => parameters })
    const bare = described({ type: 'object' })
    const odd = described({ type: 'object', properties: { a: { type: 'int' } } })
    const offered = source({ bare, odd })
    const told: unknown[] = []
    const chat = await openChat({
      options: { functionSources: offered, log },
      script: {
        greeting: 'Hello.',
        otherwise: async turn => {
          told.push(turn.functions.map(({ name, parameters }) => [name, parameters]))
          return ['Yes.']
        },
      },
    })
    await reply(chat, 'go')
    offered.held.functions = { bare, odd, more: says('more') }
    await reply(chat, 'go')
    expect(told).toMatchObject([
      [['bare', { properties: {} }]],
      [
        ['bare', {}],
        ['more', {}],
      ],
    ])
    const reason =
      'The function "odd" has parameters that language models refuse: /properties/a/type "int" is no type.'
    expect(warned).toEqual([['A function of a source is left out', { function: 'odd', reason }]])
  })

  it('FN50 an invalid function is left out and logged once, and a source that throws keeps what it gave', async () => {
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (...line: readonly unknown[]) => void warned.push(line) }
    const offered = source({ good: says('good'), 'not good': says('bad'), late: does(() => 1, 999_999_999) })
    const chat = await openChat({ options: { functionSources: offered, log } })
    expect([await reply(chat, 'good'), await reply(chat, 'good')]).toEqual(['"good"', '"good"'])
    expect(warned).toMatchObject([
      ['A function of a source is left out', { function: 'not good' }],
      ['A function of a source is left out', { function: 'late' }],
    ])
    const before = offered.held.asked
    offered.functions = () => {
      throw new Error('no line')
    }
    expect(await reply(chat, 'good')).toBe('"good"')
    expect(offered.held.asked).toBe(before)
    expect(warned.at(-1)).toEqual([
      'A source of functions failed; what it gave before is kept',
      { reason: 'no line' },
    ])
  })
})
