import { existsSync, readFileSync } from 'node:fs'
import type { ConversationWrite, Store } from '@colloquy/core/store'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAppend,
  anAuditEntry,
  anEndpoint,
  anEvent,
  aState,
  aWebhookEvent,
  START,
} from '@colloquy/core/testing'
import { describe, expect, it } from 'vitest'
import { openStore, temporaryStoreFile } from './files.ts'

const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const TURNS = 6
const MODEL = 'model@1'

/** A text that only one conversation holds, by the number of the conversation and where it stands. */
const own = (conversation: number, place: string) => `own${conversation}of${place}`

const OWN = /own(\d+)of/g

/** How often each conversation's own texts are found in the bytes of the files. */
function inBytes(filename: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const file of [filename, `${filename}-wal`, `${filename}-shm`].filter(existsSync)) {
    for (const [, conversation] of readFileSync(file).toString('latin1').matchAll(OWN)) {
      found.set(Number(conversation), (found.get(Number(conversation)) ?? 0) + 1)
    }
  }
  return found
}

const beginning = (conversation: number): ConversationWrite =>
  aConversation(`AS-${conversation}`, { startedAt: START + conversation * 1_000, events: [] })

/** One more turn, with the conversation's own texts wherever a visitor's words may be kept. */
async function say({ conversations }: Store, conversation: number, turn: number): Promise<void> {
  const word = (place: string) => own(conversation, `${place}${turn}x`)
  // Of many lengths, so that rows fill pages and move between them.
  const rest = 'and breakfast for two '.repeat((conversation * 7 + turn * 13) % 23)
  const over = turn === TURNS
  const at = START + conversation * 1_000
  const append = anAppend(beginning(conversation), turn, {
    events: [
      anEvent({ payload: { text: `${word('said')} ${rest}` }, clientEventId: word('client') }),
      anEvent({ payload: { text: word('heard') } }),
    ],
    turns: [
      {
        record: { user_input: `a room ${word('user')} ${rest}`, agent_response: `yes ${word('agent')}` },
        details: { functions: word('function') },
      },
    ],
    state: {
      variables: { name: word('name').repeat(turn) },
      metrics: { name: word('metric') },
      record: { ...aState('AS-1').record, variantName: word('variant'), language: word('language') },
    },
    outbox: {
      webhooks: [
        aWebhookEvent(`E-${conversation}-${turn}`, {
          conversationId: `AS-${conversation}`,
          body: word('hook'),
        }),
      ],
    },
    ...(over && { index: { finishedAt: at + 500, toNumber: own(conversation, 'number') } }),
  })
  const { variables, metrics, sequence, record } = append.state
  // Mostly beside the state, in a row that grows and shrinks.
  const changes = turn % 3 === 0 ? null : { variables, metrics, sequence, record }
  const result = await conversations.append({ ...append, changes })
  expect(result.status).toBe('appended')
}

/** Conversations that were held at the same time, so that their rows lie between each other's. */
async function hold(store: Store, count: number): Promise<void> {
  const { conversations } = store
  for (let from = 0; from < count; from += 20) {
    const some = Array.from({ length: 20 }, (_, index) => from + index)
    await Promise.all(some.map(one => conversations.create(beginning(one))))
    for (const one of some) {
      const event = { eventId: own(one, 'event'), accountId: ACCOUNT, agentId: AGENT }
      await conversations.externalEvents.expect({ ...event, conversationId: `AS-${one}` })
    }
    for (let turn = 1; turn <= TURNS; turn++) await Promise.all(some.map(one => say(store, one, turn)))
  }
}

async function embedAll({ conversations }: Store): Promise<void> {
  for (;;) {
    const claim = await conversations.turnVectors.claim(MODEL, 50, START, START + 1)
    if (claim === null) return
    const vectors = claim.turns.map(({ turn, user }) => ({ turn, user: Buffer.from(user), agent: null }))
    await conversations.turnVectors.keep(MODEL, claim.claim, vectors)
  }
}

describe('the bytes of the files after a removal', () => {
  it('SQ75 hold nothing that was said in conversations that were removed, be it one or all that are old', async () => {
    const filename = temporaryStoreFile()
    const store = openStore({ filename })
    await store.webhooks.endpoints.create(anEndpoint('W-1'), 10)
    const count = 200
    await hold(store, count)
    await embedAll(store)
    expect([...inBytes(filename).keys()]).toHaveLength(count)

    const single = Array.from({ length: count }, (_, one) => one).filter(one => one % 9 === 4)
    for (const one of single) {
      const entry = anAuditEntry(`A-${one}`, { resource: { type: 'conversation', id: `AS-${one}` } })
      expect(await store.conversations.removals.remove(ACCOUNT, AGENT, `AS-${one}`, { audit: entry })).toBe(
        'removed',
      )
    }
    const afterSingle = inBytes(filename)
    expect(single.filter(one => afterSingle.has(one))).toEqual([])
    expect(afterSingle.size).toBe(count - single.length)

    const old = count / 2
    let more = true
    while (more) {
      more = (await store.conversations.removals.removeFinished(live, START + old * 1_000, 25)).more
    }
    const left = inBytes(filename)
    expect([...left.keys()].filter(one => one < old)).toEqual([])
    expect(left.size).toBe(
      Array.from({ length: old }, (_, at) => at + old).filter(one => one % 9 !== 4).length,
    )
  })

  it('a word that others said too leads to them alone', async () => {
    const store = openStore({ filename: temporaryStoreFile() })
    await hold(store, 20)
    await store.conversations.removals.remove(ACCOUNT, AGENT, 'AS-3')
    const found = async (word: string) => {
      const words = { words: [word], speaker: 'either' as const }
      const { records } = await store.conversations.records.list({ ...live, words }, { offset: 0 }, 100)
      return records.map(({ id }) => id)
    }
    expect(await found('room')).toHaveLength(19)
    expect(await found('room')).not.toContain('AS-3')
    expect(await found(own(3, 'user1x'))).toEqual([])
    expect(await found(own(4, 'user1x'))).toEqual(['AS-4'])
  })
})
