import type { Answer } from '@colloquy/test-support/fake-openai'
import { describe, expect, test } from 'vitest'
import { makeTurn, partsOf, requestsOf, type TurnInput, textOf, topic, withServer } from './support/turn.ts'

const OK: Answer = { type: 'reply', chunks: ['Fine.'] }

/** Every text in a value, keys too. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      yield key
      yield* textsIn(one)
    }
}

const HALF = 'cut \ud83d here'
const LONG = 'y'.repeat(3_999) + '😀'.repeat(3_000)

describe('text for providers', () => {
  test.each<readonly [string, TurnInput]>([
    ['a message', { text: 'Thanks \ud83d' }],
    ['the other half', { text: '\ude00 hi' }],
    ['a line of the history', { history: [{ from: 'visitor', text: HALF, at: 1 }] }],
    ['a line of a live agent', { history: [{ from: 'live_agent', text: HALF, at: 1 }] }],
    ['an attribute', { integrationAttributes: { [HALF]: [HALF] } }],
    ['the state', { variables: { note: { deep: HALF } } }],
    ['a long state', { variables: { note: 'y'.repeat(19_988) + '😀'.repeat(100) } }],
    ['the config', { realTimeConfig: { note: HALF } }],
    ['the behavior', { behavior: HALF }],
    ['a topic', { text: 'pool', topics: [topic('Pool', HALF, { actions: HALF })] }],
    ['a long topic', { text: 'pool', topics: [topic('Pool', LONG)] }],
    ['parameters', { functions: { book: () => ({}) }, parameters: { type: 'object', description: HALF } }],
  ])('LM10 %s with half a pair is sent without it', async (_, input) => {
    const { runtime, server } = await withServer([OK])
    expect(textOf(await partsOf(runtime, makeTurn(input)))).toBe('Fine.')
    const ill = [...textsIn(server.requests[0]?.body)].filter(text => !text.isWellFormed())
    expect(ill).toEqual([])
    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/\\ud83d(?!\\ude)/i)
  })

  test.each<readonly [string, object]>([
    ['a result', { result: { [HALF]: HALF } }],
    ['a result that is cut', { result: `${'x'.repeat(19_998)}${'😀'.repeat(100)}` }],
    ['an error', { error: HALF }],
    ['an error that is cut', { error: `${'x'.repeat(19_999)}${'😀'.repeat(100)}` }],
  ])('LM10 %s of a function with half a pair is sent without it', async (_, outcome) => {
    const calls = [{ name: 'book', arguments: '{"note":"\\ud83d"}' }]
    const { runtime, server } = await withServer([{ type: 'reply', chunks: ['\ud83d'], calls }, OK])
    await partsOf(runtime, makeTurn({ functions: { book: () => ({ ...outcome }) } }))
    expect(server.requests).toHaveLength(2)
    const ill = [...textsIn(server.requests[1]?.body)].filter(text => !text.isWellFormed())
    expect(ill).toEqual([])
  })
})

describe('an answer that the provider cuts', () => {
  test.each([
    ['length', 'length'],
    ['content_filter', 'content-filter'],
  ])('LM30 the visitor and the record are told of one by %s', async (finishReason, told) => {
    const { runtime } = await withServer([{ type: 'reply', chunks: ['Breakfast is '], finishReason }])
    const parts = await partsOf(runtime, makeTurn({ text: 'When is breakfast?' }))
    expect(textOf(parts)).toBe('Breakfast is \n\nSorry, my answer was cut short here.')
    expect(parts).toContainEqual({ type: 'node', name: `reply_cut:${told}` })
    expect(requestsOf(parts)).toMatchObject([{ finish_reason: told, error: null }])
  })

  test('LM30 it is told in the words of the host', async () => {
    const phrases = { en: { cutShort: 'Ask for more.' } }
    const { runtime } = await withServer([{ type: 'reply', chunks: ['One, '], finishReason: 'length' }], {
      phrases,
    })
    expect(textOf(await partsOf(runtime, makeTurn({})))).toBe('One, \n\nAsk for more.')
  })
})

test('LM12 actions of 20,000 characters, with attributes put in, are no longer than topicLength', async () => {
  const actions = `Be brief.${'{{attr:terms}} '.repeat(1_000)}\u{1F600}`
  const topics = ['One', 'Two', 'Three', 'Four'].map(name =>
    topic(name, 'Blue chairs.', { exampleQueries: ['blue chairs'], actions }),
  )
  const attributes = { terms: '\u{1F600}'.repeat(1_000) }
  const { runtime, server } = await withServer([OK])
  await partsOf(runtime, makeTurn({ text: 'blue chairs', topics, attributes }))
  const system = String(server.requests[0]?.body.messages[0]?.content)
  expect(system).toContain('Be brief.')
  expect(system.length).toBeGreaterThan(12_000)
  expect(system.length).toBeLessThan(20_000)
  expect(system.isWellFormed()).toBe(true)
})

test('LM12 four topics of 99,000 characters on one line are a prompt of four times topicLength', async () => {
  const content = Array.from({ length: 2_000 }, (_, at) => `SKU-${at} blue chair ${at} x ${at} cm`).join('; ')
  const topics = ['One', 'Two', 'Three', 'Four'].map(name =>
    topic(name, content, { exampleQueries: ['blue chairs'] }),
  )
  const { runtime, server } = await withServer([OK])
  await partsOf(runtime, makeTurn({ text: 'blue chairs', topics }))
  const system = server.requests[0]?.body.messages[0]?.content
  expect(typeof system === 'string' ? system.length : 0).toBeGreaterThan(12_000)
  expect(typeof system === 'string' ? system.length : 0).toBeLessThan(20_000)
})
