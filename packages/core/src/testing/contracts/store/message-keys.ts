import { describe, expect, it } from 'vitest'
import { aConversation } from '../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, START } from '../../fixtures.ts'
import { count, HARD_STRINGS, openForTest, RACERS, race, reopenForTest, type StoreFactory } from './tools.ts'

const DAY = 86_400_000

/** What takes a key at a time, which is free a day later. */
const taking = (key: string, conversationId: string, at: number = START) => ({
  ...{ key, conversationId, at },
  freeUntil: at - DAY,
})

/** Rules SC170 to SC175: keys of messages. */
export function describeMessageKeys(factory: StoreFactory): void {
  /** A store with these conversations, which are over. */
  const open = async (...ids: readonly string[]) => {
    const { conversations } = await openForTest(factory)
    for (const id of ids) await conversations.create(aConversation(id, { index: { finishedAt: START } }))
    return { conversations, keys: conversations.messageKeys }
  }

  describe('keys of messages', () => {
    it('SC170 a key is taken by one conversation, and again by that one alone', async () => {
      const { keys } = await open('AS-1', 'AS-2')
      expect(await keys.take(taking('k', 'AS-1'))).toBe('taken')
      expect(await keys.take(taking('k', 'AS-1', START + 1))).toBe('taken')
      expect(await keys.take(taking('k', 'AS-2', START + 1))).toBe('held')
      expect(await keys.take(taking('K', 'AS-2'))).toBe('taken')
      expect(await keys.take(taking('k', 'AS-3'))).toBe('missing')
      expect(await keys.take(taking('other', 'AS-3'))).toBe('missing')
    })

    it('SC171 a key is free once its time is over, counted from when it was first taken', async () => {
      const { keys } = await open('AS-1', 'AS-2')
      await keys.take(taking('k', 'AS-1'))
      await keys.take(taking('k', 'AS-1', START + DAY - 1))
      expect(await keys.take(taking('k', 'AS-2', START + DAY - 1))).toBe('held')
      expect(await keys.take(taking('k', 'AS-2', START + DAY))).toBe('taken')
      expect(await keys.take(taking('k', 'AS-1', START + DAY))).toBe('held')
      // Many that are free go at some time, and no other does.
      for (let index = 0; index < 50; index++) await keys.take(taking(`many-${index}`, 'AS-1'))
      await keys.take(taking('next', 'AS-1', START + DAY + 1))
      expect(await keys.take(taking('many-49', 'AS-2', START + DAY + 1))).toBe('taken')
      expect(await keys.take(taking('k', 'AS-1', START + DAY + 1))).toBe('held')
      expect(await keys.take(taking('next', 'AS-2', START + DAY + 1))).toBe('held')
    })

    it('SC172 of racers for different conversations one takes the key', async () => {
      const ids = Array.from({ length: RACERS }, (_, racer) => `AS-${racer}`)
      const { keys } = await open(...ids)
      for (const at of [START, START + DAY]) {
        const results = await race(racer => keys.take(taking('k', `AS-${racer}`, at)))
        expect(count(results, 'taken')).toBe(1)
        expect(count(results, 'held')).toBe(RACERS - 1)
      }
      expect(new Set(await race(() => keys.take(taking('mine', 'AS-1'))))).toEqual(new Set(['taken']))
    })

    it('SC173 keys go with their conversation, and no others', async () => {
      const { conversations, keys } = await open('AS-1', 'AS-2', 'AS-3')
      for (const id of ['AS-1', 'AS-2']) await keys.take(taking(`of ${id}`, id))
      // One that was free, and is another conversation's now.
      await keys.take(taking('moved', 'AS-1', START - DAY))
      await keys.take(taking('moved', 'AS-2'))
      expect(await conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')).toBe('removed')
      expect(await keys.take(taking('of AS-1', 'AS-3'))).toBe('taken')
      expect(await keys.take(taking('of AS-2', 'AS-3'))).toBe('held')
      expect(await keys.take(taking('moved', 'AS-3'))).toBe('held')
      await conversations.create(aConversation('AS-1'))
      expect(await keys.take(taking('of AS-1', 'AS-1'))).toBe('held')
    })

    it('SC174 any strings are keys', async () => {
      const { keys } = await open('AS-1', 'AS-2')
      for (const key of HARD_STRINGS) {
        expect(await keys.take(taking(`a${key}`, 'AS-1'))).toBe('taken')
        expect(await keys.take(taking(`a${key}`, 'AS-2'))).toBe('held')
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SC175 keys are held when the store is opened again', async () => {
        const store = await factory.open()
        for (const id of ['AS-1', 'AS-2']) await store.conversations.create(aConversation(id))
        await store.conversations.messageKeys.take(taking('k', 'AS-1'))
        const { messageKeys } = (await reopenForTest(reopen, store)).conversations
        expect(await messageKeys.take(taking('k', 'AS-2'))).toBe('held')
        expect(await messageKeys.take(taking('k', 'AS-1'))).toBe('taken')
      })
    }
  })
}
