import { readMemory } from '@colloquy/core/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../src/decide.ts'
import { ENGLISH_PHRASES } from '../src/english.ts'
import { alike } from '../src/index/alike.ts'
import { finish } from '../src/index/finish.ts'
import { excerpt, sentences } from '../src/index/passages.ts'
import { sort } from '../src/index/sort.ts'
import { buildTopicIndex } from '../src/index/topic-index.ts'
import { ngrams, words, wordsOfAll } from '../src/index/words.ts'
import { buildKnowledge } from '../src/knowledge.ts'
import { buildSpelling } from '../src/spelling.ts'
import { RETRIEVAL_DEFAULTS } from '../src/turn-context.ts'
import { commonWordsOf, createWordings } from '../src/wording.ts'
import { topicOf } from './support.ts'

const bestOf = async (topics: Parameters<typeof buildTopicIndex>[0], question: string) =>
  (await buildTopicIndex(topics)).search(question, 1)[0]

describe('coverage', async () => {
  it('RT10 tells how much of a text each topic has, rare words before common ones', async () => {
    const index = await buildTopicIndex([
      topicOf('Breakfast', 'Breakfast is from seven to ten in the garden.'),
      topicOf('Parking', 'Parking is twelve pounds in the yard.'),
    ])
    const [breakfast = 0, parking = 0, none] = index.coverage('From seven in the garden', [
      'Breakfast',
      'Parking',
      'Nothing',
    ])
    expect(breakfast).toBeGreaterThan(0.8)
    expect(parking).toBeGreaterThan(0)
    expect(parking).toBeLessThan(0.3)
    expect(none).toBe(0)
  })
})

describe('words', async () => {
  it('RT20 splits any script, and folds case, accents and compatibility forms', async () => {
    expect(words('Où EST l’Hôtel？ Ｗｉｆｉ, don’t')).toEqual(['ou', 'est', 'lhotel', 'wifi', 'dont'])
    expect(words('когда ЗАВТРАК? متى الفطور')).toEqual(['когда', 'завтрак', 'متي', 'الفطور'])
    expect(words('🐶!? … \u0000')).toEqual(['🐶'])
    expect(words('')).toEqual([])
  })

  it.each([
    ['par\u00adking \u200bparking p\u2060arking \ufeffparking', ['parking', 'parking', 'parking', 'parking']],
    ['E-Mail e‑mail on-boarding SKU-1500', ['email', 'email', 'onboarding', 'sku', '1500']],
    ['Straße STRASSE ｐａｒｋｉｎｇ', ['strasse', 'strasse', 'parking']],
    ['أَهْلًا اهلا مكتبة مكتبه', ['اهلا', 'اهلا', 'مكتبه', 'مكتبه']],
    ['שָׁלוֹם שלום', ['שלום', 'שלום']],
    ['हूँ हूं फ़ोन फोन', ['हूं', 'हूं', 'फोन', 'फोन']],
  ])('RT20 “%s” are alike', (text, list) => {
    expect(words(text)).toEqual(list)
  })

  it('RT20 splits plain ASCII as it splits the same text among other signs', () => {
    const sign = fc.constantFrom(..."aZx09 ''_-.\n\t\"", 'don', "'s", ' ')
    const text = fc.oneof(
      fc.array(sign, { maxLength: 40 }).map(parts => parts.join('')),
      fc.string({ unit: 'binary-ascii' }),
    )
    // An ellipsis is no word, and no ASCII.
    fc.assert(
      fc.property(text, text => {
        expect(words(text)).toEqual(words(`${text} \u2026`))
      }),
    )
  })

  it('RT20 splits many texts at once as it splits each, and a run as it splits it alone', () => {
    const unspaced = [
      '客室の朝食は何時から',
      'タオルー',
      '我想了解一下退房',
      'ขอผ้าห่มเพิ่มได้ไหม',
      'ห้องพัก',
      'ວັນນີ້',
      '貴',
    ]
    const other = [
      'Straße',
      "don't",
      'e-mail',
      '-',
      '\u0301',
      'ΟΔΟΣ',
      'ﾊﾞ',
      'هلا',
      '가방',
      '7',
      '🐶',
      '\u200b',
      '\0',
      '\ud83d',
    ]
    const runs = fc.array(fc.constantFrom(...unspaced), { maxLength: 4 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(
        fc.array(runs, { maxLength: 8 }),
        fc.constantFrom(' ', '\n', '。', ' x '),
        (list, between) => {
          const apart = list.flatMap((run, at) => [...(at > 0 ? words(between) : []), ...words(run)])
          expect(words(list.join(between))).toEqual(apart)
        },
      ),
    )
    const part = fc.constantFrom(...unspaced, ...other, ' ', '\n', '\r\n', '。')
    const text = fc.oneof(
      fc.array(part, { maxLength: 12 }).map(parts => parts.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), texts => {
        expect(wordsOfAll(texts)).toEqual(texts.map(words))
      }),
    )
  })

  it('RT20 takes parts of words, shorter ones where no spaces are written', async () => {
    expect(ngrams('dog')).toEqual(['<do', 'dog', 'og>'])
    expect(ngrams('朝食')).toEqual(['朝', '食', '朝食'])
  })
})

describe('long questions', async () => {
  it('IX6 are looked for by their rarest words', async () => {
    const common = Array.from({ length: 60 }, (_, number) => `common${number}`)
    const index = await buildTopicIndex([
      topicOf('One', `${common.join(' ')} rareone`),
      topicOf('Two', `${common.join(' ')} raretwo`),
      topicOf('Three', 'Nothing of it.'),
    ])
    const question = `${common.join(' ')} raretwo`
    const [one = 0, two = 0, three] = index.coverage(question, ['One', 'Two', 'Three'])
    expect(two).toBeGreaterThan(one)
    expect(one).toBeLessThan(0.6)
    expect(three).toBe(0)
    const [best] = index.search(question, 1)
    expect(best?.topic.name).toBe('Two')
  })

  it('IX6 make the index search so many times and no more, for the same words once', async () => {
    const knowledge = await buildKnowledge({
      topics: [topicOf('Pets', 'Dogs.'), topicOf('Parking', 'Cars.')],
    })
    const asked: string[] = []
    const index = {
      ...knowledge.index,
      search(...input: Parameters<typeof knowledge.index.search>) {
        asked.push(input[0])
        return knowledge.index.search(...input)
      },
    }
    const rules = { ...RETRIEVAL_DEFAULTS, wording: createWordings({}).for(['en']) }
    const ask = (text: string) => {
      asked.length = 0
      decide({ ...knowledge, index }, readMemory({}), text, rules)
      return asked.length
    }
    const parts = Array.from({ length: 40 }, (_, number) => `quorum${number}x zeppelin${number}x`)
    expect(ask(`${parts.join('? ')}?`)).toBeGreaterThan(8)
    expect(ask(`${parts.map((part, at) => `${part}, bramble${at}x thicket${at}x`).join('? ')}?`)).toBe(17)
    expect(ask('quorum zeppelin? quorum zeppelin? quorum zeppelin?')).toBe(4)
  })
})

describe('sorting in steps', () => {
  it('gives what sorting at once gives, equals in their order', () => {
    const list = fc.array(fc.integer({ min: 0, max: 50 }), { size: 'max', maxLength: 2_000 })
    fc.assert(
      fc.property(list, numbers => {
        const items = numbers.map((number, at) => ({ number, at }))
        const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number
        expect(finish(sort(items, byNumber))).toEqual(items.toSorted(byNumber))
      }),
    )
  })
})

describe('a long message', () => {
  it('IX6 is found by its rarest words, wherever they stand in it', async () => {
    const filler = Array.from({ length: 30 }, (_, at) => `filler${at}`)
    const topics = Array.from({ length: 40 }, (_, at) =>
      topicOf(`Thing ${at} rare${at}name`, filler.join(' '), [`Where is rare${at}name?`]),
    )
    const index = await buildTopicIndex(topics)
    const unknown = Array.from({ length: 1_500 }, (_, at) => `unknown${at}x`)
    for (const asked of [
      [...filler, 'rare7name'],
      ['rare7name', ...filler],
    ]) {
      const text = [...asked.slice(0, 1), ...unknown, ...asked.slice(1)].join(' ')
      expect(index.search(text, 1)[0]?.topic.name).toBe('Thing 7 rare7name')
    }
  })
})

describe('common words', () => {
  it('RT10 count less and are no evidence, unless they are in the name of one of few topics', async () => {
    const topics = [
      topicOf('Parking', 'Behind the house.', ['How much is it?']),
      topicOf('Late departure', 'Until noon.', ['Can I leave at two?']),
      topicOf('Dogs', 'Dogs are welcome.', ['May we bring a dog?']),
      topicOf('Bar', 'On the roof.', ['Where is the bar?']),
    ]
    const index = await buildTopicIndex(topics)
    const commonWords = commonWordsOf(ENGLISH_PHRASES)
    const best = (question: string, known = {}) => index.search(question, 1, known)[0]
    expect(best('how much is a dog')?.topic.name).toBe('Parking')
    expect(best('how much is a dog', { commonWords })?.topic.name).toBe('Dogs')
    const [plain, common] = [best('how much is it now'), best('how much is it now', { commonWords })]
    expect(common?.confidence).toBeLessThan(plain?.confidence ?? 0)
    expect(best('late', { commonWords })).toEqual(best('late'))
  })
})

const isNone = (): boolean => false

describe('corrections', () => {
  it('IX6 are prepared in many small steps', () => {
    const words = ['breakfast', 'please', ...Array.from({ length: 60_000 }, (_, number) => `word${number}`)]
    const work = buildSpelling({ words, having: word => (words.includes(word) ? 1 : 0) })
    let steps = 0
    let step = work.next()
    for (; step.done !== true; step = work.next()) steps += 1
    expect(steps).toBeGreaterThanOrEqual(100)
    expect(step.value('breakfast please', isNone)).toBeNull()
    expect(step.value('braekfast please', isNone)).toBe('breakfast please')
  })

  it('RT38 leave another form of a word as it is', () => {
    const known = ['arrives', 'breakfast', 'cancel']
    const correct = finish(buildSpelling({ words: known, having: word => (known.includes(word) ? 1 : 0) }))
    for (const form of ['arrived', 'arrive', 'breakfasts', 'cancels'])
      expect(correct(form, isNone)).toBeNull()
    expect(correct('arived arrivse cancle', isNone)).toBe('arived arrives cancel')
    expect(correct('arrivse cancle', word => word === 'cancle')).toBe('arrives cancle')
  })
})

describe('alike', () => {
  it.each([
    ['storniert', 'stornierung'],
    ['fruhstuckszeiten', 'fruhstuck'],
    ['parkgebuhren', 'parken'],
    ['brekfast', 'breakfast'],
    ['체크인은', '체크인'],
    ['退货', '退货单'],
    ['खाते', 'खाता'],
    ['بطاقتي', 'البطاقة'],
  ])('%s and %s are forms of one word, or a part and the whole', (one, other) => {
    expect(alike(one, other)).toBeGreaterThan(0)
    expect(alike(one, other)).toBeLessThan(1)
    expect(alike(other, one)).toBe(alike(one, other))
  })

  it.each([
    ['garbage', 'garage'],
    ['party', 'parking'],
    ['is', 'island'],
    ['', 'word'],
    ['停车', '停止'],
  ])('“%s” and “%s” only share letters', (one, other) => {
    expect(alike(one, other)).toBe(0)
  })

  it('a word is itself, and no two words are more alike', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '車'), maxLength: 9 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(alike(one, one)).toBe(1)
        const like = alike(one, other)
        expect(like >= 0 && (like < 1 || one === other)).toBe(true)
      }),
    )
  })
})

describe('topic index', async () => {
  const desk = [
    topicOf('Breakfast', 'Breakfast is served from 7 to 10.', [
      'When is breakfast?',
      'Is breakfast included?',
    ]),
    topicOf('Parking', 'The garage has 60 spaces.', ['Where can I park my car?', 'Is there a garage?']),
    topicOf('Pets', 'Dogs are welcome.', ['Can I bring my dog? 🐶', 'Are pets allowed?']),
  ]

  it('RT10 finds topics by example queries, also with other word forms and typing errors', async () => {
    expect((await bestOf(desk, 'where is parking for cars'))?.topic.name).toBe('Parking')
    expect((await bestOf(desk, 'brekfast time'))?.topic.name).toBe('Breakfast')
    expect((await bestOf(desk, '🐶'))?.topic.name).toBe('Pets')
  })

  it('RT10 finds topics without example queries by name and content', async () => {
    const bare = desk.map(topic => ({ ...topic, exampleQueries: [] }))
    expect(await bestOf(bare, 'how many spaces does the garage have')).toMatchObject({
      topic: { name: 'Parking' },
    })
    expect((await bestOf(bare, 'are dogs welcome'))?.confidence).toBeGreaterThan(0.5)
  })

  it('RT10 works in languages without spaces', async () => {
    const topics = [
      topicOf('朝食', '朝食は七時から十時までです。', ['朝食は何時ですか']),
      topicOf('駐車場', '地下に駐車場があります。', ['車はどこに停められますか']),
    ]
    expect((await bestOf(topics, '朝食の時間を教えて'))?.topic.name).toBe('朝食')
    expect((await bestOf(topics, '駐車場はありますか'))?.topic.name).toBe('駐車場')
  })

  it('RT10 is sure of a question that is a name or an example, letter case and signs aside', async () => {
    for (const question of ['PETS!', 'is there a GARAGE', 'when is breakfast']) {
      expect((await bestOf(desk, question))?.confidence).toBeGreaterThan(0.99)
    }
  })

  it('RT10 does not believe questions of other matters', async () => {
    for (const question of ['quantum chromodynamics lecture notes', 'zzzz', 'wie spät ist es', '🚀🚀']) {
      expect((await bestOf(desk, question))?.confidence ?? 0).toBeLessThan(0.5)
    }
    const one = [topicOf('Breakfast', 'Breakfast is served from 7 to 10.')]
    expect((await bestOf(one, 'my car has a flat tyre'))?.confidence).toBeLessThan(0.5)
    expect((await bestOf(one, 'breakfast served when'))?.confidence).toBeGreaterThan(0.5)
  })

  it('does not know inactive topics', async () => {
    const topics = desk.map(topic => ({ ...topic, isActive: topic.name !== 'Pets' }))
    const found = (await buildTopicIndex(topics)).search('Are pets allowed?', 9)
    expect(found.map(match => match.topic.name).sort()).toEqual(['Breakfast', 'Parking'])
  })

  it('gives the same answer whatever the order of the topics', async () => {
    const forwards = (await buildTopicIndex(desk)).search('bring the car and the dog', 3)
    const backwards = (await buildTopicIndex([...desk].reverse())).search('bring the car and the dog', 3)
    expect(backwards).toEqual(forwards)
  })

  it.each([400, 401, 3_000])('finds the same among %i topics, where no spaces are written', async count => {
    const places = ['巴黎', '伦敦', '罗马', '柏林', '维也纳', '布拉格']
    const things = ['房间', '早餐', '停车场', '游泳池', '健身房', '宠物', '餐厅', '班车', '行李', '会议室']
    const all = Array.from({ length: count }, (_, at) => {
      const name = `${places[at % 6]}${things[Math.floor(at / 6) % 10]}${Math.floor(at / 60) + 1}号价格`
      return topicOf(name, `这里介绍${name}。`, [`${name}是多少`])
    })
    const index = await buildTopicIndex(all)
    const asked = all.filter((_, at) => at % Math.floor(count / 20) === 0)
    const first = asked.map(({ name }) => index.search(`我想了解一下${name}，谢谢`, 1)[0])
    expect(first.map(match => match?.topic.name)).toEqual(asked.map(({ name }) => name))
    expect(Math.min(...first.map(match => match?.confidence ?? 0))).toBeGreaterThan(0.5)
  })

  it('finds single topics in large knowledge bases', async () => {
    const many = Array.from({ length: 2_000 }, (_, number) =>
      topicOf(`Article ${number}`, `Facts about item${number} and its maker${number % 50}.`, [
        `tell me of item${number}`,
      ]),
    )
    const index = await buildTopicIndex(many)
    expect(index.search('what is item1234?', 1)[0]).toMatchObject({ topic: { name: 'Article 1234' } })
    expect(index.search('unheard words only', 1)[0]?.confidence).toBeLessThan(0.5)
  })

  it('RT10 copes with no topics, no words and very long questions', async () => {
    expect((await buildTopicIndex([])).search('anything', 3)).toEqual([])
    expect((await buildTopicIndex(desk)).search('?!', 3)).toEqual([])
    expect((await buildTopicIndex(desk)).search('breakfast '.repeat(20_000), 1)[0]?.topic.name).toBe(
      'Breakfast',
    )
  })
})

describe('passages', async () => {
  it('RT14 says a short content whole, and of a long one what fits the question, in its own order', async () => {
    const content = [
      'The house was built in 1890.',
      'Dogs are welcome in the garden.',
      'Cats sleep inside.',
    ].join('\n\n')
    expect(excerpt(content, 'dogs', 1_000)).toBe(content)
    expect(excerpt(content, 'are dogs welcome', 40)).toBe('Dogs are welcome in the garden.')
    expect(excerpt(content, 'cats and dogs', 60)).toBe(
      'Dogs are welcome in the garden.\n\nCats sleep inside.',
    )
  })

  const row = (at: number): string => `SKU-${1_000 + at} blue chair ${at} x ${at} cm 12,90 EUR`
  const rows = Array.from({ length: 1_000 }, (_, at) => row(at))

  it.each([
    ['sentences', rows.map(one => `${one}.`).join(' ')],
    ['lines of a table', rows.join('\n')],
    ['one line with semicolons', rows.join('; ')],
    ['HTML on one line', rows.map(one => `<tr><td>${one}</td></tr>`).join('')],
    ['no sign at all', 'x'.repeat(20_000)],
    ['pairs alone', '😀'.repeat(5_000)],
    ['Thai', 'บริการของเรามีราคาพิเศษสำหรับลูกค้าทุกท่านที่จองล่วงหน้า '.repeat(300)],
    ['Thai without spaces', 'บริการของเรามีราคาพิเศษสำหรับลูกค้าทุกท่านที่จองล่วงหน้า'.repeat(300)],
    ['Chinese', '我们的服务对所有提前预订的客人都有特别的价格'.repeat(500)],
  ])('RT14 the length is a bound, and no character is cut: %s', (_, content) => {
    for (const length of [1, 2, 61, 1_500, 4_000]) {
      const said = excerpt(content, 'SKU-1500 blue chair', length)
      expect(said.length).toBeLessThanOrEqual(length)
      expect(said.isWellFormed()).toBe(true)
      if (length > 1_000) expect(said.length).toBeGreaterThan(length / 2)
    }
  })

  it('RT14 of one line the part that the question is about is among what is taken', () => {
    expect(excerpt(rows.join('; '), 'what does SKU-1500 cost', 400)).toContain(row(500))
  })

  it('RT14 whatever the content and the length are, the length is a bound', () => {
    const text = fc.array(
      fc.constantFrom('a', ' ', '.', '\n', '\n\n', ';', '😀', '我', 'บ', 'word ', '\ud83d'),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (parts, length) => {
        expect(excerpt(parts.join(''), 'word', length).length).toBeLessThanOrEqual(length)
      }),
    )
  })

  it('RT14 an answer that is cut holds what shares something with the question', () => {
    const content =
      'Dogs are welcome. The house is old. Cats are not. Breakfast is at seven. Lunch is at one.'
    expect(excerpt(content, 'breakfast', 60, true)).toBe('Breakfast is at seven.')
    expect(excerpt(content, 'breakfast', 60)).toContain('Dogs are welcome.')
    // Of nothing that fits, the beginning; forms of words fit.
    const long = `${content} ${'It is so. '.repeat(200)}`
    expect(excerpt(long, 'parking', 1_500, true)).toMatch(/^Dogs are welcome\..{100,282}$/s)
    expect(excerpt(long, 'houses', 1_500, true)).toBe('The house is old.')
    const compound = `${'Das Haus ist alt. '.repeat(100)}Frühstückszeiten sind von sieben bis zehn.`
    expect(excerpt(compound, 'frühstück', 1_500, true)).toBe('Frühstückszeiten sind von sieben bis zehn.')
  })

  it('RT14 an answer takes sentences out of long paragraphs, and keeps paragraphs apart', () => {
    const filler = 'Nobody knows why this is so. '.repeat(25)
    const content = `${filler}Dogs are welcome. ${filler}\n\n${filler}Dogs sleep outside. ${filler}`
    expect(excerpt(content, 'dogs', 1_500, true)).toBe('Dogs are welcome.\n\nDogs sleep outside.')
  })

  it('RT14 takes sentences where paragraphs are too long, and parts of those that are too long themselves', async () => {
    expect(sentences('One. Two!\nThree 4.5 five.')).toEqual(['One.', 'Two!', 'Three 4.5 five.'])
    const content = 'The door is red. The key is below the mat.'
    expect(excerpt(content, 'where is the key', 30)).toBe('The key is below the mat.')
    expect(excerpt(content, 'where is the key', 20)).toBe('The key is below the')
  })
})
