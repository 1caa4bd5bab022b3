import { describe, expect, it } from 'vitest'
import { createExactTextsBuilder } from '../src/index/exact-texts.ts'
import { finish } from '../src/index/finish.ts'
import { buildTopicIndex } from '../src/index/topic-index.ts'
import { topicOf } from './support.ts'

describe('the topic index', () => {
  it('is built in many small steps that grow with the topics', async () => {
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
  it('finds every owner of a text among many, and hardly anybody else', () => {
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
