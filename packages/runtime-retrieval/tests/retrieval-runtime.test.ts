import { MEMORY_KEY } from '@colloquy/core/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'
import { converse, type FakeConversation, type FakeFunction, topicOf } from './support.ts'

const breakfast = topicOf('Breakfast', 'Breakfast is from 7 to 10, on Sundays until 11. {{attr:hotel}}', [
  'When is breakfast?',
  'What time is breakfast served?',
  'Is breakfast included?',
])
const parking = topicOf('Parking', 'The garage costs 16 euros.', [
  'Where can I park?',
  'Is there a garage for my car?',
])
const person = topicOf(
  'Speak to a person',
  'I am connecting you.',
  ['I want a human', 'Let me talk to someone'],
  {
    actions: 'Do not argue. {{ho:reception}}',
  },
)
const desk = [breakfast, parking, person]
const open = (topics = desk, more: Partial<Parameters<typeof converse>[1]> = {}) =>
  converse(createRetrievalRuntime(), { topics, ...more })

describe('greeting', () => {
  it('RT1 says the greeting with the attributes of the variant', async () => {
    const chat = open(desk, {
      greeting: 'Welcome to {{attr:hotel}}{{attr:stars}}!',
      attributes: { hotel: 'Harbour' },
    })
    const { text, nodes } = await chat.greet()
    expect(text).toBe('Welcome to Harbour!')
    expect(nodes).toEqual(['greeting', 'unknown_attribute:stars'])
  })

  it('RT1 says a phrase of its own when nothing is left of the greeting', async () => {
    expect((await open(desk, { greeting: '{{attr:none}} ' }).greet()).text).toBe('Hello! How can I help you?')
  })
})

describe('answers', () => {
  it('answers from the content of the best topic, which it never expands', async () => {
    const answer = await open(desk, { attributes: { hotel: 'Harbour' } }).say(
      'what time do you serve breakfast',
    )
    expect(answer.text).toBe(breakfast.content)
    expect(answer.cited).toEqual(['Breakfast'])
    expect(answer.outOfDomain).toBe(false)
    expect(answer.parts).toContainEqual({ type: 'classification', intents: ['Breakfast'] })
    expect(answer.variables[MEMORY_KEY]).toMatchObject({ topic: 'Breakfast', failures: 0 })
  })

  it('RT10 says that it does not know, and classifies the turn as out of domain', async () => {
    const answer = await open().say('explain quantum chromodynamics')
    expect(answer.text).toMatch(/don't know/)
    expect(answer.outOfDomain).toBe(true)
    expect(answer.cited).toEqual([])
  })

  it('RT16 asks back when two topics are close, and takes the choice', async () => {
    const topics = [
      topicOf('Card fees', 'Cards cost 5.', ['What does a card cost?', 'What does it cost?']),
      topicOf('Transfer fees', 'Transfers cost 1.', ['What does a transfer cost?', 'What does it cost?']),
      person,
    ]
    const chat = open(topics)
    const asked = await chat.say('what does it cost')
    expect(asked.text).toBe('Do you mean “Card fees” or “Transfer fees”?')
    expect(asked.suggestions).toEqual(['Card fees', 'Transfer fees'])
    expect(asked.outOfDomain).toBe(false)
    const chosen = await chat.say('the transfer one')
    expect(chosen.text).toBe('Transfers cost 1.')
  })

  it('RT16 asks back once: asked the same again, the better topic answers', async () => {
    const topics = [
      topicOf('Card fees', 'Cards cost 5.', ['fees']),
      topicOf('Transfer fees', 'Transfers cost 1.', ['fees']),
    ]
    const chat = open(topics)
    expect((await chat.say('fees')).text).toContain('Do you mean')
    expect((await chat.say('fees')).text).toBe('Cards cost 5.')
  })

  it('RT16 understands a short follow-up by the topic before', async () => {
    const chat = open()
    await chat.say('When is breakfast?')
    const followed = await chat.say('and on Sundays?')
    expect(followed.text).toBe(breakfast.content)
    expect(followed.nodes).toContain('follow_up')
    expect((await chat.say('and the garage?')).cited).toEqual(['Parking'])
    expect((await open().say('and on Mondays?')).outOfDomain).toBe(true)
  })

  it('calls an empty message silence', async () => {
    const answer = await open().say(' \n')
    expect(answer.parts).toContainEqual({ type: 'classification', silence: true })
    expect(answer.text).not.toBe('')
  })

  it('RT19 speaks the phrases of the language, of its base language, then English', async () => {
    const phrases = { de: { unknown: 'Das weiß ich nicht.' }, 'de-AT': { silence: 'Wie bitte?' } }
    const chat = converse(createRetrievalRuntime({ phrases }), { topics: desk, language: 'de-AT' })
    expect((await chat.say('explain quantum chromodynamics')).text).toBe('Das weiß ich nicht.')
    expect((await chat.say('')).text).toBe('Wie bitte?')
  })

  it.each([
    ['nl', 'de-AT', 'zyxw', /^Das weiß ich leider nicht/],
    ['fr', 'de-AT', 'zyxw', /^Désolé/],
    ['nl', 'nl', 'wo ist das denn bitte', /^Das weiß ich leider nicht/],
    ['nl', 'nl', '你好', /^您好/],
    ['nl', 'nl', 'zyxw', /^Sorry, I don't know/],
  ])(
    'RT19 in a conversation in %s of an agent in %s “%s” is answered in the first language that it speaks, else the visitor’s',
    async (language, languageCode, says, said) => {
      const answer = await open([parking], { language, settings: { languageCode } }).say(says)
      expect(answer.text).toMatch(said)
    },
  )

  it('RT19 an agent says its own phrases, and answers its own small talk before any other', async () => {
    const phrases = {
      de: { unknown: 'Keine Ahnung.', smallTalk: [{ to: ['moin', 'na du'], says: 'Moin!' }] },
      'de-AT': { silence: 'Wie bitte?' },
      'pt-BR': { unknown: 'Não sei.' },
    }
    const runtime = createRetrievalRuntime({ phrases: { de: { unknown: 'Nein.', silence: 'Hm?' } } })
    const say = async (language: string, text: string) =>
      (await converse(runtime, { topics: desk, language, settings: { phrases } }).say(text)).text
    const german = ['erkläre quantenchromodynamik', 'Moin', 'na du, alles klar?', ' ', 'Danke!']
    expect(await Promise.all(german.map(text => say('de', text)))).toEqual([
      ...['Keine Ahnung.', 'Moin!', 'Moin!', 'Hm?', 'Gern geschehen! Möchten Sie sonst noch etwas wissen?'],
    ])
    expect([await say('de-AT', ' '), await say('de_at', 'Moin')]).toEqual(['Wie bitte?', 'Moin!'])
    expect(await say('pt-BR', 'explique cromodinâmica')).toBe('Não sei.')
    expect(await say('en-GB', 'explain quantum chromodynamics')).toMatch(/^Sorry/)
  })

  it('RT16 suggests neighbouring topics that fit somewhat, at most as many as set', async () => {
    const none = converse(createRetrievalRuntime({ suggestions: 0 }), { topics: desk })
    const question = 'is there a garage and when is breakfast'
    expect((await none.say(question)).suggestions.length).toBe(0)
    const answer = await open([
      ...desk,
      topicOf('Garage height', 'Two metres.', ['How high is the garage?']),
    ]).say('is the garage for my car high')
    expect(answer.suggestions.length).toBeGreaterThan(0)
    expect(answer.suggestions).not.toContain(answer.cited[0])
  })
})

describe('conversation', () => {
  const pets = topicOf('Pets', 'Dogs are welcome. They cost 15 euros. Cats are not allowed.', [
    'Can I bring my dog?',
    'Are pets allowed?',
  ])
  const rooms = topicOf('Rooms', 'Rooms are cleaned daily.', ['When is my room cleaned?', 'Clean my room'])

  it('RT16 of a further question about the same topic, the sentences that it asks for are said', async () => {
    const chat = open([pets, parking, person])
    expect((await chat.say('Can I bring my dog?')).text).toBe(pets.content)
    expect((await chat.say('how much is it?')).text).toBe('They cost 15 euros.')
    expect((await chat.say('and cats?')).text).toBe('Cats are not allowed.')
    expect((await chat.say('When is my garage?')).text).toBe(parking.content)
  })

  it('yes, no, and the first or second answer what was asked back', async () => {
    const twins = [
      topicOf('Card fees', 'Cards cost 5.', ['fees']),
      topicOf('Transfer fees', 'Transfers cost 1.', ['fees']),
    ]
    const cases = [
      ['the second one', 'Transfers cost 1.'],
      ['1', 'Cards cost 5.'],
      ['yes', 'Do you mean “Card fees” or “Transfer fees”?'],
      ['neither', 'Sorry, I misunderstood you. Could you ask it in other words?'],
    ] as const
    for (const [reply, text] of cases) {
      const chat = open(twins)
      await chat.say('fees')
      expect((await chat.say(reply)).text).toBe(text)
    }
  })

  it('RT40 while the queue is closed it says until when, offers to take a message, and takes what fits no topic', async () => {
    const opensAt = Date.parse('2026-01-02T08:00:00Z')
    const desk: FakeConversation = { topics: [pets, parking, person] }
    const chat = converse(createRetrievalRuntime(), desk)
    expect((await chat.say('a person please')).handoff).toBe('reception')
    desk.closedQueue = { opensAt, timeZone: 'Europe/Berlin', takesMessages: true }
    const asked = await chat.say('a person please')
    expect(asked.handoff).toBeNull()
    expect(asked.text).toMatch(
      /^There is no one here right now\. We are back on Friday,? 2 January,? (?:at )?0?9:00 \S+\. You can leave a message here: my colleagues will read it\.$/,
    )
    await chat.say('Okay')
    const taken = await chat.say('quantum chromodynamics, call 0151 2345')
    expect(taken.text).toBe('Thank you. My colleagues will read that.')
    expect(taken.outOfDomain).toBe(false)
    // A question is answered all the same, and a message is offered once each time.
    await chat.say('a person please')
    expect((await chat.say('Are pets allowed?')).text).toContain('Dogs are welcome.')
    expect((await chat.say('quantum chromodynamics')).outOfDomain).toBe(true)
    desk.closedQueue = { opensAt: null, takesMessages: false }
    expect((await chat.say('a person please')).text).toBe('There is no one here right now.')
    desk.closedQueue = null
    expect((await chat.say('a person please')).handoff).toBe('reception')
  })

  it('RT40 the first answer of a closed queue says so at once, hands off, and a message is taken', async () => {
    const opensAt = Date.parse('2026-01-02T08:00:00Z')
    const closed = { reception: { opensAt, timeZone: 'Europe/Berlin', takesMessages: true } }
    for (const question of ['a person please', person.name]) {
      const desk: FakeConversation = { topics: [pets, parking, person], closed }
      const chat = converse(createRetrievalRuntime(), desk)
      const asked = await chat.say(question)
      expect(asked.handoff).toBe('reception')
      expect(asked.text).toMatch(
        /^There is no one here right now\. We are back on Friday.*leave a message here/,
      )
      expect(asked.nodes).toContain('closed')
      desk.closedQueue = closed.reception
      expect((await chat.say('quantum chromodynamics')).text).toBe('Thank you. My colleagues will read that.')
      expect((await chat.say(question)).handoff).toBeNull()
    }
    // After too many questions without an answer, too.
    const desk: FakeConversation = { topics: [pets, person], closed }
    const chat = converse(createRetrievalRuntime({ failuresBeforeHandoff: 1 }), desk)
    const given = await chat.say('quantum chromodynamics')
    expect([given.handoff, given.nodes]).toEqual(['reception', expect.arrayContaining(['closed'])])
  })

  it('RT40 another destination than the closed one is tried', async () => {
    const billing = topicOf('Invoices', '', ['I want an invoice'], { actions: '{{ho:billing}}' })
    const desk: FakeConversation = { topics: [pets, billing, person] }
    const chat = converse(createRetrievalRuntime(), desk)
    await chat.say('I want an invoice')
    desk.closedQueue = { opensAt: null, takesMessages: false }
    expect((await chat.say('I want an invoice')).handoff).toBeNull()
    expect((await chat.say(person.name)).handoff).toBe('reception')
  })

  it.each(['ar', 'de', 'en', 'es', 'fr', 'hi', 'ja', 'ko', 'th', 'zh'])(
    'RT40 it says so in each language, with the time: %s',
    async language => {
      const desk: FakeConversation = { topics: [person], language }
      const chat = converse(createRetrievalRuntime(), desk)
      await chat.say(person.name)
      desk.closedQueue = { opensAt: Date.parse('2026-01-02T08:00:00Z'), takesMessages: true }
      const { handoff, text } = await chat.say(person.name)
      expect(handoff).toBeNull()
      expect(text).not.toContain('{')
      const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(86_400_000)
      expect(text).toContain(day)
      if (language !== 'en') expect(text).not.toContain('here')
    },
  )

  it('RT19 small talk is answered by a phrase, counts as no failure, and leaves what was spoken of', async () => {
    const chat = open([pets, parking, person])
    await chat.say('Are pets allowed?')
    for (const [text, heard] of [
      ['Hello there!', /What would you like/],
      ['good morning', /^Hello/],
      ['Thanks a lot, bye!', /Goodbye/],
      ['are you a robot?', /automatic/],
      ['?!', /didn't get that/],
    ] as const) {
      const answer = await chat.say(text)
      expect(answer.text).toMatch(heard)
      expect({ unknown: answer.outOfDomain, handoff: answer.handoff }).toEqual({
        unknown: false,
        handoff: null,
      })
    }
    expect((await chat.say('how much is it?')).text).toBe('They cost 15 euros.')
    expect((await chat.say("that's not what I asked")).text).toMatch(/misunderstood/)
  })

  it.each([
    ['Hallo', 'de', 'Guten Tag! Was möchten Sie wissen?'],
    ['Guten Morgen!', 'en-GB', 'Guten Tag! Was möchten Sie wissen?'],
    ['你好！', 'zh-CN', '您好！您想了解什么？'],
    ['你好', 'en-GB', '您好！您想了解什么？'],
    ['ありがとうございます。', 'ja', 'どういたしまして。ほかに知りたいことはありますか。'],
    ['สวัสดีครับ', 'th', 'สวัสดีค่ะ อยากทราบเรื่องอะไรคะ'],
    ['السَّلام عليكم', 'ar', 'مرحبا! ماذا تريد أن تعرف؟'],
    ['नमस्ते जी', 'hi', 'नमस्ते! आप क्या जानना चाहते हैं?'],
    ['안녕하세요!', 'ko', '안녕하세요! 무엇이 궁금하신가요?'],
    ['Bonjour, ça va ?', 'fr', 'Je vais bien, merci. Que puis-je faire pour vous ?'],
    ['Muchas gracias', 'es-MX', '¡De nada! ¿Quiere saber algo más?'],
  ])(
    'RT19 “%s” in a conversation in %s is answered in its own language, and no failure',
    async (says, language, said) => {
      const answer = await open(desk, { language }).say(says)
      expect([answer.text, answer.outOfDomain]).toEqual([said, false])
      expect(answer.variables).toMatchObject({ [MEMORY_KEY]: { failures: 0 } })
    },
  )

  it('RT19 a topic that is about small talk goes before the phrase', async () => {
    const hello = topicOf('Hello', 'A very good day to you.', ['hello', 'hi'])
    expect((await open([hello, parking]).say('hello')).text).toBe('A very good day to you.')
  })

  it('RT36 several questions in one message get several answers, a hand-over last; functions are called for none', async () => {
    const chat = open([pets, breakfast, parking])
    const answer = await chat.say('When is breakfast and can I bring my dog?')
    expect(answer.text).toBe(`${breakfast.content}\n\n${pets.content}`)
    const acting = open([{ ...pets, actions: '{{fn:book}}' }, breakfast, parking], {
      functions: { book: () => ({ said: true, parts: [{ type: 'text', text: 'Booked.' }] }) },
    })
    expect((await acting.say('When is breakfast and can I bring my dog?')).cited).toHaveLength(1)
  })

  it('RT16 a topic that would act without being clearly meant is asked back about, and acts at a yes', async () => {
    const made: string[] = []
    const pay = topicOf('Pay the deposit', 'Paid.', ['I want to pay the deposit', 'Where do I pay it?'], {
      actions: '{{fn:pay}}',
    })
    const functions = {
      pay: () => {
        made.push('pay')
        return {}
      },
    }
    const chat = converse(createRetrievalRuntime({ minConfidence: 0.8 }), {
      topics: [pay, breakfast, parking],
      functions,
    })
    const asked = await chat.say('did my friend pay already')
    expect(asked.text).toBe('I am not quite sure what you mean. Is it about “Pay the deposit”?')
    expect(made).toEqual([])
    await chat.say('yes, please')
    expect(made).toEqual(['pay'])
  })

  it('RT38 typing errors are corrected, and a clause of a long message is enough', async () => {
    const chat = open([pets, breakfast, parking])
    expect((await chat.say('cna i brign my dgo')).text).toBe(pets.content)
    const long =
      'We have travelled all over the continent for many wonderful months, seen castles and lakes, can I bring my dog, and nobody ever asked us such strange things.'
    expect((await chat.say(long)).text).toBe(pets.content)
    expect((await open([rooms, parking]).say('rockets zoom')).outOfDomain).toBe(true)
  })

  it('RT38 a telling word among unknown ones is asked back about', async () => {
    const chat = open([pets, topicOf('Room keys', 'Ask for one.'), topicOf('Garage keys', 'In the box.')])
    const asked = await chat.say('zyx qwertz dvorak keys colemak azerty workman')
    expect(asked.text).toBe('Do you mean “Room keys” or “Garage keys”?')
    expect(asked.suggestions).toEqual(['Room keys', 'Garage keys'])
    expect((await chat.say('the second')).text).toBe('In the box.')
  })

  it('RT7 a person who is asked for in words that no topic has is fetched, if any can be', async () => {
    for (const text of [
      'operator',
      'representative please',
      'is there anybody real there?',
      'get me your boss',
    ]) {
      expect((await open().say(text)).handoff).toBe('reception')
      expect((await open([breakfast, parking]).say(text)).outOfDomain).toBe(true)
    }
  })

  it('RT7 the second failure in a row offers a person; yes fetches one, no is taken', async () => {
    const failing = async () => {
      const chat = open()
      await chat.say('quantum physics')
      const offer = await chat.say('black holes')
      expect(offer.text).toMatch(/connect you with a person/)
      expect(offer.suggestions).toEqual(['Speak to a person'])
      return chat
    }
    expect((await (await failing()).say('yes')).handoff).toBe('reception')
    const declined = await (await failing()).say('no')
    expect(declined).toMatchObject({ handoff: null, text: expect.stringContaining('All right') })
  })
})

describe('hand-over', () => {
  it('RT5 hands off where the actions say so', async () => {
    const answer = await open().say('I want to talk to a human')
    expect(answer.text).toBe('I am connecting you.')
    expect(answer.handoff).toBe('reception')
    expect(answer.parts).toContainEqual({
      type: 'handoff',
      destination: 'reception',
      reason: 'Speak to a person',
    })
  })

  it('RT7 hands off after three turns in a row without an answer', async () => {
    const chat = open()
    expect((await chat.say('quantum physics')).handoff).toBeNull()
    expect((await chat.say('black holes')).handoff).toBeNull()
    expect((await chat.say('neutron stars')).handoff).toBe('reception')
    expect((await chat.say('red dwarfs')).handoff).toBeNull()
  })

  it('RT7 counts anew after an answer, and never hands off where no active topic does', async () => {
    const chat = open()
    for (const text of [
      'quantum physics',
      'black holes',
      'When is breakfast?',
      'neutron stars of far galaxies',
    ]) {
      expect((await chat.say(text)).handoff).toBeNull()
    }
    const alone = open([breakfast, { ...person, isActive: false }])
    for (const text of ['quantum physics', 'black holes', 'neutron stars', 'red dwarfs']) {
      expect((await alone.say(text)).handoff).toBeNull()
    }
  })
})

describe('functions', () => {
  const deposit = topicOf('Pay the deposit', 'The deposit is one night.', ['I want to pay the deposit'], {
    actions: 'Use {{fn:take}} first.',
  })
  const speak: FakeFunction = () => ({ said: true, parts: [{ type: 'text', text: 'From the function.' }] })

  it('RT8 lets a function speak for its topic', async () => {
    expect((await open([deposit], { functions: { take: speak } }).say('pay the deposit')).text).toBe(
      'From the function.',
    )
  })

  it('RT8 says the content when the function said nothing', async () => {
    expect((await open([deposit], { functions: { take: () => ({}) } }).say('pay the deposit')).text).toBe(
      deposit.content,
    )
  })

  it('RT8 adds nothing to a function that handed off or delayed the response', async () => {
    const take: FakeFunction = () => ({ concluded: true, parts: [{ type: 'delayed' }] })
    const answer = await open([deposit], { functions: { take } }).say('pay the deposit')
    expect(answer.text).toBe('')
    expect(answer.parts).toContainEqual({ type: 'delayed' })
  })

  it('RT8 says so when the function failed or is unknown, which counts as no answer', async () => {
    const chat = open([deposit, person])
    for (const failures of [1, 2]) {
      const answer = await chat.say('pay the deposit')
      expect(answer.text).toMatch(/did not work/)
      expect(answer.variables[MEMORY_KEY]).toMatchObject({ failures })
    }
    expect((await chat.say('quantum physics')).handoff).toBe('reception')
  })

  it.each([
    [
      'that began to speak',
      { said: true, parts: [{ type: 'text', text: 'One moment.' }] },
      /^One moment\.\n\nSorry/,
    ],
    ['that awaits an event', { concluded: true, parts: [{ type: 'delayed' }] }, /^Sorry/],
  ] as const)('RT8 says so when a function failed %s', async (_, done, said) => {
    const take: FakeFunction = () => ({ ...done, error: 'no line to the bank' })
    const answer = await open([deposit], { functions: { take } }).say('pay the deposit')
    expect(answer.text).toMatch(said)
    expect(answer.text).toMatch(/did not work/)
    expect(answer.variables[MEMORY_KEY]).toMatchObject({ failures: 1 })
  })

  it('RT9 calls the function that expected an external event again', async () => {
    const take: FakeFunction = turn =>
      turn.input.type === 'external_event'
        ? { said: true, parts: [{ type: 'text', text: `Got ${turn.input.eventId}.` }] }
        : { concluded: true, expectedEventIds: ['e1', 'e2'], parts: [{ type: 'delayed' }] }
    const chat = open([deposit], { functions: { take } })
    await chat.say('pay the deposit')
    expect((await chat.event('e2')).text).toBe('Got e2.')
    expect((await chat.event('e1')).text).toBe('Got e1.')
    expect((await chat.event('e1')).text).toMatch(/update has arrived/)
  })
})

describe('robustness', () => {
  it('forgets a memory that somebody else has overwritten', async () => {
    const chat = open()
    for (const broken of ['text', 7, null, [], { topic: 5, failures: -1, expected: [{}], asked: 'x' }]) {
      chat.setVariables({ [MEMORY_KEY]: broken })
      expect((await chat.say('When is breakfast?')).text).toBe(breakfast.content)
    }
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.lorem({ mode: 'sentences' }),
  )
  const anyTopic = fc.record({
    id: fc.uuid(),
    name: fc.string({ unit: 'grapheme', minLength: 1 }),
    content: fc.string({ unit: 'grapheme', minLength: 1 }),
    actions: fc.oneof(
      anyText,
      fc.constantFrom('{{ho:desk}}', '{{fn:known}}', '{{fn:none}} {{ho:a}}', '{{attr:x}}'),
    ),
    exampleQueries: fc.array(
      anyText.filter(text => text !== ''),
      { maxLength: 4 },
    ),
    isActive: fc.boolean(),
  })

  it('never throws and always concludes the turn, with equal parts for equal turns', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyTopic, { maxLength: 6 }),
        fc.array(anyText, { maxLength: 5 }),
        async (topics, texts) => {
          const functions = { known: (): Partial<{ said: boolean }> => ({}) }
          const chats = [open(topics, { functions }), open(topics, { functions })]
          const questions = [...texts, ...topics.flatMap(topic => [topic.name, ...topic.exampleQueries])]
          for (const text of questions) {
            const [one, other] = await Promise.all(chats.map(chat => chat.say(text)))
            expect(other).toEqual(one)
            expect(one?.text.trim() !== '' || one?.handoff !== null).toBe(true)
            expect(topics.filter(topic => !topic.isActive && one?.cited.includes(topic.name))).toEqual(
              topics.filter(
                topic =>
                  !topic.isActive &&
                  topics.some(
                    twin => twin.isActive && twin.name === topic.name && one?.cited.includes(twin.name),
                  ),
              ),
            )
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
