import { actionsOf, expandAttributes } from '@colloquy/core/runtime'
import { describe, expect, it } from 'vitest'
import { DEMO_AGENT } from '../../../examples/standalone/src/demo/demo-agent.ts'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'
import { converse, topicOf } from './support.ts'

const topics = DEMO_AGENT.topics.map(topic =>
  topicOf(topic.name, topic.content, topic.exampleQueries.queries, { actions: topic.actions }),
)

/**
 * What visitors ask the demo agent, none of it word for word in its content, and the topic that answers; null for none.
 */
const TRANSCRIPT: readonly (readonly [question: string, topic: string | null])[] = [
  ['how late can i leave the room on sunday', 'Late check-out'],
  ['is breakfast served on sundays', 'Breakfast'],
  ['checkout time', 'Check-out'],
  ['whats the wifi code', 'Wi-Fi'],
  ['is the swimming pool heated', 'Pool and spa'],
  ['i need to cancel', 'Cancellation and changes'],
  ['can we get picked up from the airport', 'Airport transfer'],
  ['my wife is in a wheelchair', 'Accessibility'],
  ['i left my charger behind', 'Lost property'],
  ['let me speak with a manager', 'Speak to a person'],
  ['is there a cot', 'Children and extra beds'],
  ['can I bring my cat', 'Pets'],
  ['PARKING???', 'Parking'],
  ['is smoking allowed', 'Smoking'],
  ['how much is the shuttle', 'Airport transfer'],
  ['what is the capital of france', null],
  ['tell me a joke', null],
  ['who won the world cup', null],
  ['asdf qwer', null],
  ['do you sell life insurance', null],
  ['write me a python program', null],
  ['🚀🚀🚀', null],
]

describe('the demo agent', () => {
  it.each(TRANSCRIPT)('answers “%s” from %s', async (question, expected) => {
    const answer = await converse(createRetrievalRuntime(), { topics }).say(question)
    expect(answer.cited).toEqual(expected === null ? [] : [expected])
    expect(answer.outOfDomain).toBe(expected === null)
    const content = topics.find(topic => topic.name === expected)?.content
    if (content !== undefined) expect(answer.text).toBe(content)
  })

  it.each([
    ['this bot is garbage', 'small_talk'],
    ['is the gymnasium open before seven', 'unknown'],
    ['jobs at the hotel', 'unknown'],
  ])('RT38 “%s” is taken for no topic', async (question, node) => {
    const answer = await converse(createRetrievalRuntime(), { topics }).say(question)
    expect([answer.cited, answer.nodes[0]]).toEqual([[], node])
  })

  it('RT16 answers where dinner is from the restaurant, and offers room service', async () => {
    const { cited, suggestions } = await converse(createRetrievalRuntime(), { topics }).say(
      'where can I have dinner',
    )
    expect([cited, suggestions]).toEqual([['Restaurant and bar'], ['Room service']])
  })

  it('is sure of each of its own example queries and names', async () => {
    const chat = converse(createRetrievalRuntime(), { topics, functions: { take_deposit: () => ({}) } })
    for (const topic of topics) {
      for (const question of [topic.name, ...topic.exampleQueries]) {
        expect((await chat.say(question)).cited).toEqual([topic.name])
      }
    }
  })

  it('has a value for every attribute in every variant, and uses no other attribute', () => {
    const texts = [DEMO_AGENT.greeting, DEMO_AGENT.behavior, ...DEMO_AGENT.topics.map(topic => topic.actions)]
    expect(DEMO_AGENT.variants.filter(variant => variant.isDefault)).toHaveLength(1)
    expect(DEMO_AGENT.variants.length).toBeGreaterThan(1)
    for (const variant of DEMO_AGENT.variants) {
      expect(Object.keys(variant.attributes).sort()).toEqual([...DEMO_AGENT.attributes].sort())
      for (const text of texts) expect(expandAttributes(text, variant.attributes).unknown).toEqual([])
      expect(expandAttributes(DEMO_AGENT.greeting, variant.attributes).text).toContain(
        variant.attributes.hotel_name,
      )
    }
  })

  it('hands off to reception and takes the deposit', () => {
    const actions = Object.fromEntries(topics.map(topic => [topic.name, actionsOf(topic.actions)]))
    expect(actions['Speak to a person']).toEqual([{ type: 'handoff', destination: 'reception' }])
    expect(actions['Pay the deposit']).toEqual([{ type: 'function', name: 'take_deposit' }])
    expect(topics.length).toBeGreaterThanOrEqual(12)
  })
})
