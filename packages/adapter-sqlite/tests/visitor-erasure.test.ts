import { existsSync, readFileSync } from 'node:fs'
import { createPlatform, silentLog, systemClock } from '@colloquy/core'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAppend,
  anEndpoint,
  anEvent,
  aState,
  aTextPair,
  aWebhookEvent,
  createScriptedRuntime,
  START,
} from '@colloquy/core/testing'
import { expect, test } from 'vitest'
import { openStore, temporaryStoreFile } from './files.ts'

/** A text of a visitor alone, by the place where it is kept. */
const mark = (visitor: string, place: string): string => `mark${visitor}at${place}.`

/** The places in which the bytes of the files have something of a visitor. */
function placesOf(filename: string, visitor: string): readonly string[] {
  const files = [filename, `${filename}-wal`, `${filename}-shm`].filter(existsSync)
  const bytes = files.map(file => readFileSync(file).toString('latin1')).join('\n')
  const found = bytes.matchAll(new RegExp(`mark${visitor}at([a-z]+)\\.`, 'g'))
  return [...new Set([...found].map(([, place = '']) => place))].sort()
}

test('RC602, RC603 no byte of the files tells of a visitor who was removed', async () => {
  const filename = temporaryStoreFile()
  const store = openStore({ filename })
  const { conversations } = store
  const platform = createPlatform({
    ...{ store, log: silentLog, workers: false },
    runtime: createScriptedRuntime({ greeting: 'Hello.', messages: {}, otherwise: 'Well.' }, systemClock),
  })
  await store.webhooks.endpoints.create(anEndpoint('W-1'), 10)
  const { record } = aState('AS-1')
  for (const visitor of ['vera', 'otto'])
    for (const at of [1, 2, 3]) {
      const id = `AS-${visitor}-${at}`
      const own = (place: string) => mark(visitor, place)
      const state = {
        visitor: { id: own('id'), name: own('name') },
        ...{ integrationAttributes: { plan: own('attribute') }, verifiedContext: { who: own('context') } },
        record: { ...record, fromNumber: own('number'), toNumber: '+12025550100' },
      }
      const begun = aConversation(id, { events: [], state, startedAt: START + at })
      await conversations.create(begun)
      await conversations.externalEvents.expect({
        ...{ eventId: own(`event${'abc'[at - 1]}`), accountId: ACCOUNT, agentId: AGENT, conversationId: id },
      })
      const author = { id: 'ada', name: 'Ada' }
      const note = { id: 'N-1', conversationId: id, accountId: ACCOUNT, at: START, author, text: own('note') }
      await conversations.notes.add(note, 9)
      const said = anAppend(begun, 1, {
        events: [anEvent({ payload: { text: own('message') }, clientEventId: own('client') })],
        turns: [
          { record: { user_input: `a ${own('question')}`, agent_response: own('answer') }, details: {} },
        ],
        state: { ...state, endedAt: START + 9, variables: { room: own('variable') } },
        outbox: {
          webhooks: [aWebhookEvent(`E-${id}`, { conversationId: id, body: own('webhook') })],
        },
        index: { finishedAt: START + 9, fromNumber: own('number') },
      })
      expect(await conversations.append(said)).toEqual({ status: 'appended' })
      const pair = aTextPair({ ours: `+1202555010${at}`, theirs: own('number') })
      const recent = [{ id: own('text'), conversationId: id }]
      await conversations.textPairs.save({ ...pair, recent, optedOut: at === 3 }, 0)
    }
  const all = placesOf(filename, 'vera')
  expect(all).toEqual(
    [
      ...['answer', 'attribute', 'client', 'context', 'eventa', 'eventb', 'eventc', 'id', 'message', 'name'],
      ...['note', 'number', 'question', 'text', 'variable', 'webhook'],
    ].sort(),
  )
  const byId = { visitorId: mark('vera', 'id') }
  expect(await platform.conversations.removeVisitor(ACCOUNT, byId)).toEqual({
    ...{ conversations: 3, inProgress: 0 },
  })
  // The number of texts is another name of the visitor.
  const byNumber = { phoneNumber: mark('vera', 'number') }
  expect(await platform.conversations.removeVisitor(ACCOUNT, byNumber)).toMatchObject({ conversations: 0 })
  // Who wants no texts is known by the number alone.
  expect(placesOf(filename, 'vera')).toEqual(['number'])
  expect(await conversations.textPairs.find('+12025550101', mark('vera', 'number'))).toBeNull()
  const kept = await conversations.textPairs.find('+12025550103', mark('vera', 'number'))
  if (kept === null) throw new Error('The wish to get no texts is gone.')
  expect(await conversations.visitors.removePair(kept, null)).toBe(true)
  expect(placesOf(filename, 'vera')).toEqual([])
  expect(placesOf(filename, 'otto')).toEqual(all)
})
