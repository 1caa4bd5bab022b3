import { describe, expect, test } from 'vitest'
import { buildTopicIndex } from '../src/index/topic-index.ts'
import { words } from '../src/index/words.ts'
import { lookUp } from '../src/look-up.ts'
import { PACKS } from '../src/packs/index.ts'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'
import { relatedIn, reworded } from '../src/reworded.ts'
import { converse, topicOf } from './support.ts'

const related = relatedIn(['stolen theft nicked', 'dog pets cat', 'card dog'])

const indexOf = (having: readonly string[], names: readonly string[]) => ({
  having: (word: string) => having.filter(one => one === word).length,
  isInName: (word: string) => names.includes(word),
})

describe('related words', () => {
  test('RT39 take the place of words that no topic has, and come beside those that one has', () => {
    const index = indexOf(['theft', 'pets', 'cat'], ['theft', 'pets'])
    expect(reworded('My phone was NICKED!', index, related)).toBe('my phone was theft')
    expect(reworded('is the cat free', index, related)).toBe('is the cat pets free')
    expect(reworded('is theft insured', index, related)).toBeNull()
    expect(reworded('nothing of it', index, related)).toBeNull()
    expect(reworded('', index, related)).toBeNull()
  })

  test('RT39 only words that name topics count, of several the one that the fewest topics have', () => {
    expect(reworded('nicked', indexOf(['theft', 'stolen'], []), related)).toBeNull()
    const index = indexOf(['theft', 'theft', 'stolen'], ['theft', 'stolen'])
    expect(reworded('nicked', index, related)).toBe('stolen')
  })

  test.each([
    ['카드를', '카드 지갑', '지갑'],
    ['취소해야', '환불 반품', '취소'],
    ['والمسبح', 'شحن كرت', 'مسبح'],
    ['잃어버렸어요', '분실 잃어버', '분실'],
    ['لكلبنا', 'كلب حيوان', 'الحيوان'],
    ['وبالبطاقة', 'بطاقة كرت', 'كرت'],
  ])('RT39 %s is met without its particles, and the article is no other word', (asked, group, wanted) => {
    const name = words(wanted)
    expect(reworded(asked, indexOf(name, name), relatedIn([group]))).toBe(name.join(' '))
  })

  test.each([...PACKS])('RT39 the words of %s are many, and each has another one', (code, phrases) => {
    const members = phrases.related.map(group => group.split(' '))
    for (const group of members) {
      expect(new Set(group).size).toBe(group.length)
      expect(group.length).toBeGreaterThan(1)
    }
    // Where no spaces are written, the words of a text are those of the system's dictionary.
    const most = ['ja', 'th', 'zh'].includes(code) ? 0.2 : 0
    const torn = members.flat().filter(word => words(word).length !== 1)
    expect(torn.length).toBeLessThanOrEqual(most * members.flat().length)
    expect(relatedIn(phrases.related).size).toBeGreaterThan(100)
  })
})

const topics = [
  topicOf('Lost or stolen card', 'Block it in the app at once.', ['My card is gone']),
  topicOf('Breakfast', 'Breakfast is from 7 to 10.', ['When is breakfast?']),
  topicOf('Haustiere', 'Tiere sind willkommen.', ['Darf ein Tier mit?']),
]

describe('a question in other words', () => {
  test('RT39 is answered, but not by guessing', async () => {
    const chat = () => converse(createRetrievalRuntime(), { topics })
    expect((await chat().say('somebody nicked it')).cited).toEqual(['Lost or stolen card'])
    expect((await chat().say('who won the world cup')).cited).toEqual([])
  })

  test('RT39 has its topic among those that a model reads', async () => {
    const index = await buildTopicIndex(topics)
    const german = PACKS.get('de')
    if (german === undefined) throw new Error('There is German.')
    const asked = 'Und unser Hund?'
    const namesBy = (related: readonly string[]) =>
      lookUp(index, asked, 1, { ...german, related }).map(({ topic, confidence }) => [
        topic.name,
        confidence > 0.2,
      ])
    expect(namesBy(german.related)).toEqual([['Haustiere', true]])
    expect(namesBy([])).not.toEqual([['Haustiere', true]])
  })

  test('RT39 a host has words of its own', async () => {
    const phrases = { en: { related: ['grub breakfast'] } }
    const chat = converse(createRetrievalRuntime({ phrases }), { topics })
    expect((await chat.say('is there any grub')).cited).toEqual(['Breakfast'])
  })
})
