import type { Embedder } from '@colloquy/core'
import { createFakeClock } from '@colloquy/core/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { likenesses, middle } from '../src/embedding/unit-vectors.ts'
import { buildTopicIndex } from '../src/index/topic-index.ts'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'
import { converse, topicOf } from './support.ts'

const topics = [
  topicOf('Pets', 'Dogs are welcome.', ['Can I bring my dog?']),
  topicOf('Parking', 'The garage has 60 spaces.', ['Where can I park my car?']),
]
const PUPPY = 'hound along'

/** Knows animals from vehicles; what it is asked can be watched and spoilt. */
function createEmbedder() {
  const asked: string[][] = []
  const state: { spoil: ((vectors: readonly Float32Array[]) => Promise<readonly Float32Array[]>) | null } = {
    spoil: null,
  }
  const embedder: Embedder = {
    id: 'animals@1',
    async embed(texts) {
      asked.push([...texts])
      const vectors = texts.map(text =>
        Float32Array.of(/pet|dog|hound/i.test(text) ? 3 : 0.1, /park|car/i.test(text) ? 3 : 0.1),
      )
      return state.spoil === null ? vectors : state.spoil(vectors)
    },
  }
  return { embedder, asked, state }
}

function open() {
  const clock = createFakeClock()
  const fake = createEmbedder()
  const runtime = createRetrievalRuntime({ embedder: fake.embedder, clock })
  return { clock, runtime, ...fake, chat: converse(runtime, { topics }) }
}

describe('meanings', () => {
  it('EB1 answers by words until topics are embedded, and by meaning afterwards', async () => {
    const { chat, clock } = open()
    const first = await chat.say(PUPPY)
    expect(first.nodes).toContain('words_alone:preparing')
    expect(first.outOfDomain).toBe(true)
    await clock.settle()
    const second = await chat.say(PUPPY)
    expect(second.nodes).toContain('meaning')
    expect(second.cited).toEqual(['Pets'])
  })

  it('EB1 adds twice what a likeness is above one half', async () => {
    const index = await buildTopicIndex(topics)
    const [by = Number.NaN, like = Number.NaN] = [undefined, Float64Array.of(0.5, 0.8)].map(
      likeness => index.search('hound', 2, { likeness }).find(({ topic }) => topic.name === 'Pets')?.score,
    )
    expect(like - by).toBeCloseTo(0.6)
  })

  it('EB1 leaves a question that is an example with its topic, whatever the likenesses are', async () => {
    const index = await buildTopicIndex(topics)
    const [first, second] = index.search('can i bring my dog', 2, { likeness: Float64Array.of(1, -1) })
    expect(first?.topic.name).toBe('Pets')
    expect(first?.confidence).toBeGreaterThan(0.999_99)
    expect(second?.score).toBeLessThan(first?.score ?? 0)
  })

  it('IX3 a turn that is given up leaves the build and the vectors intact', async () => {
    const { clock, asked, chat } = open()
    const controller = new AbortController()
    const abandoned = chat.say(PUPPY, controller.signal)
    controller.abort(new Error('given up'))
    await expect(abandoned).rejects.toThrow('given up')
    await chat.say(PUPPY)
    await clock.settle()
    expect((await chat.say(PUPPY)).cited).toEqual(['Pets'])
    expect(asked.filter(texts => texts.length === 4)).toHaveLength(1)
  })

  it('compares vectors of any dimension in small steps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }).chain(size => {
          const vector = fc.float32Array({ minLength: size, maxLength: size, noNaN: true, min: -1, max: 1 })
          return fc.record({ one: vector, other: vector, count: fc.integer({ min: 1, max: 1_100 }) })
        }),
        ({ one, other, count }) => {
          const work = likenesses(
            Array.from({ length: count }, (_, at) => (at === count - 1 ? other : one)),
            one,
          )
          let steps = 1
          let step = work.next()
          for (; step.done !== true; step = work.next()) steps += 1
          expect(steps).toBe(Math.ceil(count / 256))
          const plain = other.reduce((sum, value, at) => sum + value * (one[at] ?? 0), 0)
          expect(step.value).toHaveLength(count)
          expect(step.value.at(-1)).toBeCloseTo(plain, 4)
        },
      ),
    )
  })

  it('EB1 takes the direction in the middle of vectors, 1 long', () => {
    const [x = 0, y = 0] = middle([Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0, 1)])
    expect(y / x).toBeCloseTo(2)
    expect(Math.hypot(x, y)).toBeCloseTo(1)
  })

  it('EB1 begins with the greeting', async () => {
    const { chat, clock, asked } = open()
    await chat.greet()
    await clock.settle()
    expect(asked).toEqual([['Parking', 'Where can I park my car?', 'Pets', 'Can I bring my dog?']])
    expect((await chat.say(PUPPY)).cited).toEqual(['Pets'])
  })

  it('EB1 embeds so many texts of a topic and no more', async () => {
    const { embedder, asked } = createEmbedder()
    const clock = createFakeClock()
    const many = [topicOf('Pets', 'Dogs.', ['a dog', 'b dog', 'c dog'])]
    const runtime = createRetrievalRuntime({ embedder, clock, embedding: { textsOfTopic: 2 } })
    await converse(runtime, { topics: many }).greet()
    await clock.settle()
    expect(asked).toEqual([['Pets', 'a dog']])
  })

  it('EB1 embeds only topics that are new or have changed', async () => {
    const { chat, runtime, clock, asked } = open()
    await chat.greet()
    await clock.settle()
    await converse(runtime, { topics: [...topics, topicOf('Cars', 'Fast.', ['a car'])] }).greet()
    await clock.settle()
    expect(asked.slice(1)).toEqual([['Cars', 'a car']])
  })

  const spoilt: Readonly<
    Record<string, (vectors: readonly Float32Array[]) => Promise<readonly Float32Array[]>>
  > = {
    throws: () => Promise.reject(new Error('broken')),
    'gives too few': async vectors => vectors.slice(1),
    'gives what is not finite': async vectors => vectors.map(vector => vector.map(() => Number.NaN)),
    'gives nought': async vectors => vectors.map(vector => vector.map(() => 0)),
    'gives another dimension': async vectors => vectors.map(() => Float32Array.of(1, 2, 3)),
  }
  for (const [name, spoil] of Object.entries(spoilt)) {
    it(`EB4 answers by words when the embedder ${name} at a question`, async () => {
      const { chat, clock, state } = open()
      await chat.greet()
      await clock.settle()
      state.spoil = spoil
      const answer = await chat.say('my dog please')
      expect(answer.nodes).toContain('words_alone:failed')
      expect(answer.cited).toEqual(['Pets'])
    })
  }

  it('EB4 waits for a question no longer than its limit', async () => {
    const { chat, clock, state } = open()
    await chat.greet()
    await clock.settle()
    state.spoil = () => new Promise(() => undefined)
    const answering = chat.say('my dog please')
    await clock.advance(299)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect((await answering).nodes).toContain('words_alone:failed')
  })

  it('EB4 tries topics again at the first question after a while, also when the embedder had hung', async () => {
    const { chat, clock, state } = open()
    state.spoil = () => new Promise(() => undefined)
    await chat.greet()
    await clock.advance(60_000)
    state.spoil = null
    expect((await chat.say(PUPPY)).nodes).toContain('words_alone:failed')
    await clock.advance(60_000)
    expect((await chat.say(PUPPY)).nodes).toContain('words_alone:preparing')
    await clock.settle()
    expect((await chat.say(PUPPY)).nodes).toContain('meaning')
  })

  it('embeds neither exact questions nor silence nor events', async () => {
    const { chat, clock, asked } = open()
    await chat.greet()
    await clock.settle()
    expect((await chat.say('can i bring MY dog')).cited).toEqual(['Pets'])
    await chat.say('   ')
    await chat.event('event')
    expect(asked).toHaveLength(1)
  })
})
