import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../domain/json.ts'
import type { RuntimePart } from '../../../ports/agent-runtime.ts'
import {
  ALL_TASKS,
  ATTRIBUTES,
  contentOf,
  type RuntimeTask,
  type RuntimeUnderTest,
  TASKS,
  TOPICS,
} from './agent.ts'
import { concludes, objections, textOf } from './parts.ts'
import { aTurnOf, EVENT_ID, makeRuntime, partsOf, variablesAfter } from './turns.ts'

const contentFor = (task: RuntimeTask): string =>
  TOPICS.find(({ name }) => name === task.topic)?.content ?? ''
const GREETS = { type: 'greeting' } as const
const EVENT = {
  type: 'external_event',
  eventId: EVENT_ID,
  contentType: 'text/plain',
  body: new TextEncoder().encode('status=paid'),
} as const

/** Rules RN2 to RN5: what a runtime answers. */
export function describeAnswers(factory: RuntimeUnderTest): void {
  /** Sends one message to a new runtime. */
  const ask = async (task: RuntimeTask) => {
    const { runtime } = await makeRuntime(factory)
    const { turn, calls } = aTurnOf(task.message)
    return { parts: await partsOf(runtime, turn), calls }
  }

  describe('answers', () => {
    it('RN3 a greeting is answered with text: the agent’s own, with the attributes of the variant put in', async () => {
      const { runtime } = await makeRuntime(factory)
      const parts = await partsOf(runtime, aTurnOf(GREETS).turn)
      expect(textOf(parts)).toBe('Welcome to Harbour Hotel!')
    })

    it.each(ALL_TASKS.map(task => [task.message, task] as const))(
      'RN2 “%s” is answered with parts of the port alone, and ends with words or with a reason to have none',
      async (_, task) => {
        const { runtime } = await makeRuntime(factory)
        const { turn } = aTurnOf(task.message)
        const parts = await partsOf(runtime, turn)
        expect(objections(parts)).toEqual([])
        // A function that has the last word concludes the turn automatically.
        expect(concludes(parts) || task === TASKS.deposit || task === TASKS.leave).toBe(true)
      },
    )

    it.each([TASKS.breakfast, TASKS.pets].map(task => [task.message, task] as const))(
      'RN3 “%s” is answered from the content of its topic',
      async (_, task) => {
        expect(textOf((await ask(task)).parts)).toContain(contentFor(task))
      },
    )

    it('RN2 asked twice for the same turn, it answers twice', async () => {
      const { runtime } = await makeRuntime(factory)
      for (const task of [TASKS.breakfast, TASKS.person, TASKS.note]) {
        for (const _ of ['first', 'again']) {
          expect(concludes(await partsOf(runtime, aTurnOf(task.message).turn))).toBe(true)
        }
      }
      const [first, second] = await Promise.all(
        ['at', 'once'].map(() => partsOf(runtime, aTurnOf(TASKS.breakfast.message).turn)),
      )
      expect(textOf(first ?? [])).toContain(contentFor(TASKS.breakfast))
      expect(textOf(second ?? [])).toContain(contentFor(TASKS.breakfast))
    })

    it('RN5 a hand-over that the topic’s actions ask for is one part, with its destination', async () => {
      const { parts } = await ask(TASKS.person)
      const handoffs = parts.filter(part => part.type === 'handoff')
      expect(handoffs).toMatchObject([{ destination: 'reception' }])
      for (const task of ALL_TASKS.filter(({ handsOffTo }) => handsOffTo === null)) {
        expect((await ask(task)).parts.filter(part => part.type === 'handoff')).toEqual([])
      }
    })

    it('RN5 a function that the topic’s actions name is called through the turn, once, with an object; no other one is', async () => {
      for (const task of ALL_TASKS) {
        const { calls } = await ask(task)
        expect(calls.map(({ name }) => name)).toEqual(task.calls === null ? [] : [task.calls])
        for (const { args } of calls) expect(JSON.parse(JSON.stringify(args))).toEqual(args)
      }
    })

    it('RN5 a function that fails does not break the turn: something is said', async () => {
      const { parts } = await ask(TASKS.bill)
      expect(textOf(parts).trim()).not.toBe('')
    })

    it('RN5 a function that delays the response or ends has the last word', async () => {
      for (const task of [TASKS.deposit, TASKS.leave]) {
        expect(textOf((await ask(task)).parts).trim()).toBe('')
      }
    })

    it('RN2 an external event is answered: the function that expected it is called again, or something is said', async () => {
      const { runtime } = await makeRuntime(factory)
      const before = await partsOf(runtime, aTurnOf(TASKS.deposit.message).turn)
      const { turn, calls } = aTurnOf(EVENT, { variables: variablesAfter({}, before) })
      const parts = await partsOf(runtime, turn)
      expect(objections(parts)).toEqual([])
      expect(concludes(parts) || calls.some(({ name }) => name === 'take_deposit')).toBe(true)
    })

    it('RN2 an external event that nothing expects is answered as well', async () => {
      const { runtime } = await makeRuntime(factory)
      const { turn, calls } = aTurnOf(EVENT)
      const parts = await partsOf(runtime, turn)
      expect(concludes(parts) || calls.length > 0).toBe(true)
    })

    it('RN2 variables are JSON; they come back in the next turn, also when something else has overwritten them', async () => {
      const { runtime } = await makeRuntime(factory)
      let variables: JsonObject = {}
      for (const task of [TASKS.note, TASKS.breakfast, TASKS.deposit, TASKS.pets]) {
        const parts = await partsOf(runtime, aTurnOf(task.message, { variables }).turn)
        const written = parts.flatMap(part => (part.type === 'variable' ? [part.value] : []))
        expect(JSON.parse(JSON.stringify(written))).toEqual(written)
        variables = variablesAfter(variables, parts)
      }
      for (const junk of ['text', 7, null, [], [{}], { deeper: { still: [null] } }]) {
        const broken = Object.fromEntries(Object.keys(variables).map(key => [key, junk]))
        const { turn } = aTurnOf(TASKS.breakfast.message, { variables: broken })
        expect(textOf(await partsOf(runtime, turn))).toContain(contentFor(TASKS.breakfast))
      }
    })

    it('RN2 conversations that are answered at once do not mix', async () => {
      const { runtime } = await makeRuntime(factory)
      const tasks = [TASKS.breakfast, TASKS.pets, TASKS.person, TASKS.breakfast, TASKS.pets]
      const readers = tasks.map(({ message }) =>
        runtime.respond(aTurnOf(message).turn, new AbortController().signal)[Symbol.asyncIterator](),
      )
      const answers: RuntimePart[][] = readers.map(() => [])
      const open = new Set(readers.keys())
      // A part of each in turn.
      while (open.size > 0) {
        for (const at of [...open]) {
          const next = await readers[at]?.next()
          if (next === undefined || next.done === true) open.delete(at)
          else answers[at]?.push(next.value)
        }
      }
      for (const [at, task] of tasks.entries()) expect(textOf(answers[at] ?? [])).toContain(contentFor(task))
      const others = [contentFor(TASKS.pets), contentFor(TASKS.person)]
      for (const other of others) expect(textOf(answers[0] ?? [])).not.toContain(other)
    })

    it('RN3 each turn is answered from the content of its own revision', async () => {
      const { runtime } = await makeRuntime(factory)
      const saying = (words: string) =>
        TOPICS.map(topic => (topic.name === 'Breakfast' ? { ...topic, content: words } : topic))
      const [old, renewed] = ['Breakfast begins at six.', 'Breakfast begins at eight.']
      for (const _ of ['first', 'again']) {
        for (const [revision, words, other] of [
          ['2', old, renewed],
          ['3', renewed, old],
        ] as const) {
          const content = contentOf(revision, saying(words))
          const text = textOf(await partsOf(runtime, aTurnOf(TASKS.breakfast.message, { content }).turn))
          expect(text).toContain(words)
          expect(text).not.toContain(other)
        }
      }
    })

    it('RN3 an inactive topic does not exist', async () => {
      const { parts } = await ask(TASKS.pool)
      expect(textOf(parts)).not.toContain('orangery')
      expect(parts.filter(part => part.type === 'topic' && part.name === TASKS.pool.topic)).toEqual([])
    })

    it('RN3 a topic’s content is never expanded', async () => {
      const text = textOf((await ask(TASKS.sign)).parts)
      expect(text).toContain('The sign above the door says')
      expect(text).not.toContain(ATTRIBUTES.hotel_name)
    })

    it.each(['xx-ZZ', 'tlh', 'en_GB.UTF-8', '', '-', '__proto__'])(
      'RN2 the language code “%s” changes nothing but phrases',
      async language => {
        const { runtime } = await makeRuntime(factory)
        expect(textOf(await partsOf(runtime, aTurnOf(GREETS, { language }).turn))).toContain('Harbour Hotel')
        const { turn } = aTurnOf(TASKS.breakfast.message, { language })
        expect(textOf(await partsOf(runtime, turn))).toContain(contentFor(TASKS.breakfast))
      },
    )

    it('RN2 an agent without topics, and one without a variant, are answered for', async () => {
      const { runtime } = await makeRuntime(factory)
      const content = contentOf('empty', [])
      for (const input of [GREETS, EVENT, TASKS.breakfast.message, TASKS.person.message]) {
        const { turn, calls } = aTurnOf(input, { content })
        const parts = await partsOf(runtime, { ...turn, variant: null })
        expect(concludes(parts) || calls.length > 0).toBe(true)
        expect(parts.filter(part => part.type === 'handoff')).toEqual([])
      }
    })
  })
}
