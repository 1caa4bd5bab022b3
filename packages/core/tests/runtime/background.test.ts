import { describe, expect, it } from 'vitest'
import { createContentCache } from '../../src/runtime/content-cache.ts'
import { createExactTextsBuilder } from '../../src/runtime/index/exact-texts.ts'
import { finish } from '../../src/runtime/index/finish.ts'
import { buildTopicIndex } from '../../src/runtime/index/topic-index.ts'
import { createBackground } from '../../src/system/background.ts'
import { topicOf } from './support.ts'

/** An event loop whose clock goes on by one millisecond for each step. */
function createLoop() {
  let time = 0
  const seen: string[] = []
  return {
    seen,
    *work(name: string, steps: number) {
      for (let step = 0; step < steps; step += 1) {
        seen.push(name)
        time += 1
        yield
      }
      return name
    },
    now: () => time,
    turn: async () => {
      seen.push('|')
    },
  }
}

describe('work in the background', () => {
  it('IX1 lets everything else have its turn between slices, and works take turns', async () => {
    const loop = createLoop()
    const background = createBackground(loop)
    const works = [background.run(loop.work('a', 4)), background.run(loop.work('b', 3))]
    expect(await Promise.all(works)).toEqual(['a', 'b'])
    expect(loop.seen.join('')).toBe('|aa|bb|aa|b|')
    expect(await background.run(loop.work('c', 1))).toBe('c')
  })

  it('IX1 hands what a step throws to whoever gave the work, and goes on with the others', async () => {
    const loop = createLoop()
    const background = createBackground(loop)
    const failing = (function* () {
      yield
      throw new Error('broken')
    })()
    const works = [background.run(failing), background.run(loop.work('a', 5))]
    expect(await Promise.allSettled(works)).toMatchObject([{ reason: { message: 'broken' } }, { value: 'a' }])
  })
})

describe('what is made of a revision', () => {
  const content = {
    key: 'one',
    behavior: '',
    responseSettings: { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null },
    topics: [],
    tree: new Map(),
  }

  it('IX3 is made once for all who ask, also while it is made', async () => {
    let made = 0
    const give = createContentCache(2, async () => {
      made += 1
      return made
    })
    expect(await Promise.all([give(content), give(content)])).toEqual([1, 1])
    expect(await give(content)).toBe(1)
    expect(await give({ ...content, key: 'other' })).toBe(2)
  })

  it('IX3 is made again after it failed', async () => {
    let tried = 0
    const give = createContentCache(2, async () => {
      tried += 1
      if (tried === 1) throw new Error('broken')
      return tried
    })
    const both = await Promise.allSettled([give(content), give(content)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await give(content)).toBe(2)
  })
})

describe('the topic index', () => {
  it('IX2 is built in many small steps that grow with the topics', async () => {
    const steps = async (count: number): Promise<number> => {
      const topics = Array.from({ length: count }, (_, number) => topicOf(`Topic ${number}`, 'Some words.'))
      let taken = 0
      await buildTopicIndex(topics, {
        async run(work) {
          for (;;) {
            const step = work.next()
            if (step.done === true) return step.value
            taken += 1
          }
        },
      })
      return taken
    }
    expect(await steps(1_000)).toBeGreaterThan(2_000)
    expect(await steps(2_000)).toBeGreaterThan(4_000)
  })
})

describe('exact texts', () => {
  it('IX5 finds every owner of a text among many, and hardly anybody else', () => {
    const builder = createExactTextsBuilder()
    for (let owner = 0; owner < 5_000; owner += 1) builder.add(owner, ['text', String(owner % 2_500)])
    const texts = finish(builder.build())
    let strangers = 0
    for (let number = 0; number < 2_500; number += 1) {
      const found = texts.mayHave(['text', String(number)])
      expect(found).toEqual(expect.arrayContaining([number, number + 2_500]))
      strangers += found.length - 2
    }
    expect(strangers).toBeLessThan(10)
    expect(texts.mayHave(['text1'])).toEqual([])
  })
})
