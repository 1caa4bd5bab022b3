import { type Conversation, createMessaging, type Handoff } from '@colloquy/client/messaging'
import { expect, test } from 'vitest'
import type { Acts, Model } from '../src/chat/model.ts'
import { create } from '../src/chat/more/index.ts'
import { headView } from '../src/chat/view/head.ts'
import { statusView } from '../src/chat/view/status.ts'
import { en } from '../src/chat/words/en.ts'
import { elementsOf, wordsOf } from './support/words-of.ts'

const nothing = (): void => {}

const ACTS: Acts = {
  ...{ close: nothing, send: nothing, write: nothing, resend: nothing, discard: nothing, retry: nothing },
  ...{ menu: nothing, renew: nothing, scrolled: nothing, latest: nothing },
}

const client = createMessaging({
  server: 'http://localhost:1',
  getToken: () => Promise.reject(new Error('none')),
})

const more = create({
  ...{ chat: client, name: '', memory: { read: () => null, write: nothing }, options: { server: '' } },
  ...{ signal: new AbortController().signal, change: nothing, begin: nothing },
  ...{ tell: nothing, renew: nothing, focus: nothing },
  get place(): HTMLElement {
    throw new Error('What is shown here needs no place.')
  },
  get model(): Model {
    throw new Error('What is shown here does nothing.')
  },
})

const modelOf = (conversation: Partial<Conversation>, logo: string | null = null): Model => ({
  conversation: { ...client.current, status: 'open', ...conversation },
  ...{ words: en, language: 'en', title: null, logo, disclaimer: null, consent: null, inside: false },
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
  ...{ away: false, draft: '', more },
})

const said = (conversation: Partial<Conversation>): string => {
  const view = statusView(modelOf(conversation), ACTS)
  expect(elementsOf(view)[0]?.attributes.role).toBe('status')
  return wordsOf(view)
}

const portraitOf = (servedBy: Conversation['servedBy'], logo: string | null): unknown => {
  const [portrait] = headView(modelOf({ servedBy }, logo), ACTS)
    .flatMap(elementsOf)
    .filter(({ attributes }) => attributes.class === 'portrait')
  return portrait?.attributes.src ?? wordsOf(portrait ?? '')
}

const [LOGO, FACE] = ['https://hotel.example/logo.png', 'https://hotel.example/ada.png']

test.each([
  ['agent', '', LOGO, LOGO],
  ['agent', FACE, null, FACE],
  ['agent', '', null, 'A'],
  ['live agent', FACE, LOGO, FACE],
  ['live agent', '', LOGO, 'A'],
] as const)(
  'the portrait of an %s with the picture "%s" and the logo %s is %s',
  (kind, avatarUrl, logo, shown) => {
    expect(portraitOf({ id: 'u-ada', kind, name: 'Ada', avatarUrl }, logo)).toBe(shown)
  },
)

const queued = (more: object): Handoff => ({
  ...{ state: 'queued', queue: 'reception', position: null, estimatedWaitSeconds: null, message: '' },
  ...more,
})

test.each<[Handoff | null, string]>([
  [null, ''],
  [{ state: 'requested' }, en.requested],
  [queued({}), en.requested],
  [queued({ position: 3 }), 'Your place in the queue: 3'],
  [queued({ position: 3, estimatedWaitSeconds: 170 }), 'Your place in the queue: 3 · about 3 min'],
  [queued({ position: 1, estimatedWaitSeconds: 5 }), 'Your place in the queue: 1 · about 1 min'],
  [queued({ position: 1, message: 'We open at 9.' }), 'Your place in the queue: 1 · We open at 9.'],
  [{ state: 'failed', reason: 'CLOSED' }, en.nobody],
  [{ state: 'timed out' }, en.nobody],
  [{ state: 'elsewhere', reason: '', queue: '', route: '' }, en.elsewhere],
])('on the way to a person, %j, it says "%s"', (handoff, words) => {
  expect(said({ handoff })).toBe(words)
  expect(said({ handoff, status: 'ended' })).toBe('')
})

test('WI705 of a closed queue it says when it opens, by the clock of the visitor, and no more once it is open', () => {
  const at = '2099-01-01T09:00:00.000Z'
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })
  const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' })
  const [opens, failed] = [new Date(at), (reason: string) => said({ handoff: { state: 'failed', reason } })]
  expect(failed(`closed until ${at}`)).toBe(
    `No one is here right now. We are back on ${day.format(opens)}, ${time.format(opens)}. You can go on writing here.`,
  )
  for (const reason of [
    'closed',
    'closed until',
    'closed until soon',
    'closed until 2001-01-01T09:00:00.000Z',
  ])
    expect(failed(reason)).toBe(en.nobody)
})

test.each<[Partial<Conversation>, string]>([
  [{ status: 'connecting' }, ''],
  [{ status: 'offline' }, en.offline],
  [{ status: 'reconnecting' }, en.reconnecting],
  [{ status: 'lost' }, `${en.lost}${en.retry}`],
  [{ status: 'failed', problem: { status: 403, message: 'Sign in.' } }, `${en.refused} Sign in.${en.retry}`],
  [{ notice: { level: 'warning', message: 'Slow down.' } }, 'Slow down.'],
  [
    { status: 'offline', handoff: queued({ position: 2 }), notice: { level: 'info', message: 'So.' } },
    `${en.offline}Your place in the queue: 2So.`,
  ],
])('of the connection and of the server, %j, it says "%s"', (conversation, words) => {
  expect(said(conversation)).toBe(words)
})
