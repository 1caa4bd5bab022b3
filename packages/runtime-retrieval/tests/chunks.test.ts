import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { chunks } from '../src/chunks.ts'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'
import { converse, topicOf } from './support.ts'

describe('text in chunks', () => {
  test.each([
    [
      'It costs 3.50 a night, breakfast included. Shall I book?',
      ['It costs 3.50 a night, breakfast included. ', 'Shall I book?'],
    ],
    ['“Of course!” he said.\n\n- one\n- two', ['“Of course!” ', 'he said.\n', '\n', '- one\n', '- two']],
    ['酒店有两百间客房。您想预订吗？', ['酒店有两百间客房。', '您想预订吗？']],
    ['\n\nYes', ['\n', '\n', 'Yes']],
  ])('%j is yielded as %j', (text, expected) => {
    expect(chunks(text)).toEqual(expected)
  })

  test.each([
    ['white space', [' '.repeat(161)]],
    ['a word that is longer', ['  ', `${'x'.repeat(200)} `, 'y.']],
    ['many words', ['word '.repeat(32), `${'word '.repeat(18)}end.`]],
  ])('a sentence of more than 160 characters comes a few words at a time: %s', (_, expected) => {
    expect(chunks(expected.join(''))).toEqual(expected)
  })

  it('together the chunks are the text, none of them empty', () => {
    const part = fc.oneof(
      fc.constantFrom('. ', ', ', '\n', ' ', '。', '!”', 'word'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 200, size: 'max' }), parts => {
        const text = parts.join('')
        fc.pre(text !== '')
        expect(chunks(text).join('')).toBe(text)
        expect(chunks(text)).not.toContain('')
      }),
    )
  })

  it('a topic is said in chunks', async () => {
    const topic = topicOf('Breakfast', 'Breakfast is from 7 to 10. On Sundays it is until 11.', [
      'When is breakfast?',
    ])
    const chat = converse(createRetrievalRuntime(), { topics: [topic], greeting: 'Welcome. How can I help?' })
    const texts = ({ parts }: Awaited<ReturnType<typeof chat.greet>>) =>
      parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
    expect(texts(await chat.greet())).toEqual(['Welcome. ', 'How can I help?'])
    expect(texts(await chat.say('When is breakfast?'))).toEqual([
      'Breakfast is from 7 to 10. ',
      'On Sundays it is until 11.',
    ])
  })
})
