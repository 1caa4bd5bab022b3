import { createMessaging, type Message } from '@colloquy/client/messaging'
import { expect, test } from 'vitest'
import type { ViewElement } from '../src/chat/h.ts'
import type { Acts, Model } from '../src/chat/model.ts'
import { logView } from '../src/chat/view/log.ts'
import { en } from '../src/chat/words/en.ts'
import { elementsOf, wordsOf } from './support/words-of.ts'

const message = (id: string, from: Message['from'], state: Message['state'] = 'done'): Message => ({
  ...{ id, from, state, text: `${id} **said**`, problem: '', name: '', avatarUrl: '' },
  ...{ timestamp: '2026-01-01T00:00:00.000Z', attachments: [], suggestions: [], callActions: [], files: [] },
})

const nothing = (): void => {}

const ACTS: Acts = {
  ...{ close: nothing, send: nothing, write: nothing, resend: nothing, discard: nothing, retry: nothing },
  ...{ menu: nothing, renew: nothing, scrolled: nothing, latest: nothing },
}

const client = createMessaging({
  server: 'http://localhost:1',
  getToken: () => Promise.reject(new Error('none')),
})

const modelOf = (messages: readonly Message[]): Model => ({
  conversation: { ...client.current, status: 'open', messages },
  ...{ words: en, language: 'en', title: null, logo: null, disclaimer: null, consent: null, inside: false },
  ...{
    fills: false,
    full: false,
    header: true,
    closes: true,
    notes: [],
    files: null,
    talk: null,
    menu: false,
    asking: null,
    rating: null,
    rates: true,
    past: null,
    chosen: null,
    keeps: 0,
    announces: true,
  },
  ...{ away: false, draft: '', more: null },
})

const linesOf = (model: Model): readonly ViewElement[] =>
  logView(model, ACTS)
    .flatMap(elementsOf)
    .filter(({ attributes, tag }) => tag === 'li' && String(attributes.class).startsWith('message'))

test('what has not changed is not made again: each piece of a reply makes its own line', () => {
  const before = Array.from({ length: 500 }, (_, at) => message(`m${at}`, at % 2 === 0 ? 'agent' : 'visitor'))
  const first = linesOf(modelOf([...before, message('r', 'agent', 'streaming')]))
  const second = linesOf(modelOf([...before, message('r', 'agent', 'streaming')]))
  expect(first).toHaveLength(501)
  expect(second.slice(0, 500).every((view, at) => view === first[at])).toBe(true)
  expect(second[500]).not.toBe(first[500])
  // A line that is the last of its row no more is made again.
  const third = linesOf(modelOf([...before, message('next', 'visitor')]))
  expect(third[499]).not.toBe(first[499])
  expect(third[0]).toBe(first[0])
})

test('in another language all lines are made again', () => {
  const before = [message('a', 'visitor')]
  const [line] = linesOf(modelOf(before))
  const [other] = linesOf({ ...modelOf(before), words: { ...en, you: 'Me' } })
  expect([line, other].map(view => wordsOf(view ?? null).slice(0, 4))).toEqual(['You:', 'Me: '])
})
