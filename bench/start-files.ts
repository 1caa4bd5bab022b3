import { statSync } from 'node:fs'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core/store'
import { aConversation, anEvent, aTurn, START } from '@colloquy/core/testing'

const TOGETHER = 200

/** Fifty years after the fixtures begin. */
const FAR_AWAY = START + 50 * 365 * 86_400_000

const VOCABULARY = 20_000
const TURNS = 20
const WORDS_OF_A_TURN = 100

const sentence = (): string =>
  Array.from({ length: WORDS_OF_A_TURN }, () => `word${Math.floor(VOCABULARY * Math.random() ** 3)}`).join(
    ' ',
  )

/** Finished conversations, a second between their ends: forty events and twenty turns each. */
const finished = (store: Store, index: number): Promise<unknown> => {
  const startedAt = START + index * 1_000
  return store.conversations.create(
    aConversation(globalThis.crypto.randomUUID(), {
      startedAt,
      events: Array.from({ length: 2 * TURNS }, () => anEvent({ payload: { text: sentence() } })),
      turns: Array.from({ length: TURNS }, () => aTurn(sentence())),
      index: { finishedAt: startedAt + 60_000 },
    }),
  )
}

/** Conversations that are to be woken in decades. */
const sleeping = (store: Store, index: number): Promise<unknown> =>
  store.conversations.create(
    aConversation(globalThis.crypto.randomUUID(), {
      startedAt: START + index * 1_000,
      turns: [aTurn('Good night')],
      wakeAt: FAR_AWAY + index,
    }),
  )

async function fill(
  filename: string,
  one: (store: Store, index: number) => Promise<unknown>,
  enough: (written: number) => boolean,
): Promise<void> {
  const store = createSqliteStore({ filename })
  for (let from = 0; !enough(from); from += TOGETHER) {
    await Promise.all(Array.from({ length: TOGETHER }, (_, index) => one(store, from + index)))
  }
  await store.close()
}

/** Adds finished conversations to a file until it has that many bytes. */
export const fillWithRecords = (filename: string, bytes: number): Promise<void> =>
  fill(filename, finished, () => statSync(filename).size >= bytes)

/** Adds that many conversations that wait for a timer which is far away. */
export const fillWithSleepers = (filename: string, count: number): Promise<void> =>
  fill(filename, sleeping, written => written >= count)
