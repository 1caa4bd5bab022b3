import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScreen, type Screen } from '../src/screen.ts'
import type { ServerEvent } from '../src/visitor-client.ts'

function open(): { readonly screen: Screen; shown(): string } {
  let text = ''
  const screen = createScreen(more => {
    text += more
  })
  return { screen, shown: () => text }
}

const event = (type: string, payload: ServerEvent['payload']): ServerEvent => ({
  sequence: null,
  type: `EVENT_TYPE_${type}`,
  payload,
})

const chunksOf = (messageId: string, texts: readonly string[]): readonly ServerEvent[] =>
  texts.map((text, index) =>
    event('AI_AGENT_MESSAGE_CHUNK', {
      message_id: messageId,
      text,
      chunk_index: index + 1,
      is_complete: index === texts.length - 1,
      attachments: [],
      response_suggestions: [],
    }),
  )

const word = fc.stringMatching(/^[a-z]{1,8} $/)

test('TT2 a reply is shown as its chunks come', () => {
  const { screen, shown } = open()
  const [first, second] = chunksOf('m1', ['Good ', 'morning.'])
  if (first === undefined || second === undefined) throw new Error('two chunks were made')
  screen.show(first)
  expect(shown()).toBe('Agent: Good ')
  screen.say('* Somebody joins.')
  screen.show(second)
  expect(shown()).toBe('Agent: Good \n* Somebody joins.\n… morning.\n')
})

test('TT2 however often and in whatever order chunks come, each word is shown once and in its place', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 12 }).chain(texts => {
        const chunks = chunksOf('m1', texts)
        const again = fc.subarray([...chunks])
        const shuffled = fc.shuffledSubarray([...chunks], {
          minLength: chunks.length,
          maxLength: chunks.length,
        })
        return fc.record({ texts: fc.constant(texts), early: again, all: shuffled, late: again })
      }),
      ({ texts, early, all, late }) => {
        const { screen, shown } = open()
        for (const chunk of [...early, ...all, ...late]) screen.show(chunk)
        expect(shown()).toBe(`Agent: ${texts.join('')}\n`)
      },
    ),
  )
})

test('TT2 suggestions and attachments stand below the message, and are chosen by number', () => {
  const { screen, shown } = open()
  screen.show(
    event('AI_AGENT_MESSAGE', {
      text: 'Which one?',
      attachments: [{ title: 'Menu', content_url: 'https://example.com/menu' }],
      response_suggestions: [{ message_text: 'The small one' }, { message_text: 'The big one' }],
    }),
  )
  expect(shown()).toBe(
    'Agent: Which one?\n  [Menu] https://example.com/menu\n  /1 The small one\n  /2 The big one\n',
  )
  expect(screen.suggestion(2)).toBe('The big one')
  expect(screen.suggestion(3)).toBe(null)
})

test('TT2 people are called by their names, and places and failures are said in words', () => {
  const { screen, shown } = open()
  screen.show(
    event('HANDOFF_QUEUE_STATUS', { queue_name: 'r', position_in_queue: 2, estimated_wait_seconds: 61 }),
  )
  screen.show(event('HANDOFF_FAILED', { reason: 'closed on Sundays' }))
  screen.show(event('LIVE_AGENT_JOINED', { agent: { id: 'a1', name: 'Ada', avatar_url: '' } }))
  screen.show(
    event('LIVE_AGENT_MESSAGE', { agent_id: 'a1', text: 'Hello', attachments: [], response_suggestions: [] }),
  )
  screen.show(event('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Message too large' }))
  screen.show(event('SOMETHING_NEW', {}))
  expect(shown().split('\n')).toEqual([
    '* You are number 2 in the queue, about 2 min.',
    '* Nobody can come (closed on Sundays). The agent answers when you write again.',
    '* Ada joins.',
    'Ada: Hello',
    '! Message too large',
    '',
  ])
})
