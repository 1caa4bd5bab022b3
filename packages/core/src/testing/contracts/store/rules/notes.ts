import { describe, expect, it } from 'vitest'
import { aConversation } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, aNote, START } from '../../../fixtures.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

/** Rule DK550: notes of colleagues about conversations. */
export function describeNotes(factory: StoreFactory): void {
  const open = async () => {
    const { conversations } = await openForTest(factory)
    for (const id of ['AS-1', 'AS-2'])
      await conversations.create(aConversation(id, { events: [], index: { finishedAt: START } }))
    return conversations
  }
  const numbered = (id: string, number: number, values = {}) => ({ ...aNote(id, values), number })

  describe('notes about conversations', () => {
    it('DK550 notes are numbered from 1 in the order of writing, in each conversation by itself, and listed after a number', async () => {
      const { notes } = await open()
      expect([await notes.last('AS-1'), await notes.list('AS-1', 0, 9)]).toEqual([0, []])
      const other = { conversationId: 'AS-2', text: 'Größe: 🙂' }
      for (const [note, number] of [
        [aNote('b'), 1],
        [aNote('a'), 2],
        [aNote('a', other), 1],
        [aNote('c'), 3],
      ] as const)
        expect(await notes.add(note, 9)).toEqual({ status: 'added', note: { ...note, number } })
      expect(await notes.list('AS-1', 0, 9)).toEqual([numbered('b', 1), numbered('a', 2), numbered('c', 3)])
      expect(await notes.list('AS-1', 1, 1)).toEqual([numbered('a', 2)])
      expect(await notes.list('AS-1', 3, 9)).toEqual([])
      expect(await notes.list('AS-2', 0, 9)).toEqual([numbered('a', 1, other)])
      expect([await notes.last('AS-1'), await notes.last('AS-2'), await notes.last('AS-3')]).toEqual([
        3, 1, 0,
      ])
    })

    it('a note is added once under its id, to a conversation that the account has, and not beyond the limit', async () => {
      const { notes } = await open()
      await notes.add(aNote('a'), 2)
      expect(await notes.add(aNote('a', { text: 'Another text', at: START + 5 }), 2)).toEqual({
        status: 'duplicate',
        note: numbered('a', 1),
      })
      for (const values of [{ conversationId: 'AS-3' }, { accountId: 'ws-other' }])
        expect(await notes.add(aNote('x', values), 2)).toEqual({ status: 'missing' })
      expect(await notes.add(aNote('b'), 2)).toMatchObject({ status: 'added' })
      expect(await notes.add(aNote('c'), 2)).toEqual({ status: 'full' })
      expect(await notes.add(aNote('b'), 2)).toMatchObject({ status: 'duplicate' })
    })

    it('DK649 a writer changes their note once, and it takes the next number; others, old numbers and missing notes are told apart', async () => {
      const { notes } = await open()
      for (const id of ['a', 'b']) await notes.add(aNote(id), 2)
      const change = (values: Parameters<typeof aNote>[1], number: number, id = 'a') =>
        notes.change(aNote(id, { text: 'Better', at: START + 9, ...values }), number)
      const better = numbered('a', 3, { text: 'Better', changedAt: START + 9 })
      for (const values of [{ conversationId: 'AS-2' }, { accountId: 'ws-other' }])
        expect(await change(values, 1)).toEqual({ status: 'missing' })
      expect(await change({}, 1, 'x')).toEqual({ status: 'missing' })
      expect(await change({ author: { id: 'ben', name: 'Ben' } }, 1)).toEqual({ status: 'foreign' })
      expect(await change({}, 2)).toEqual({ status: 'stale' })
      for (const number of [1, 1, 3])
        expect(await change({}, number)).toEqual({ status: 'changed', note: better })
      expect(await notes.list('AS-1', 0, 9)).toEqual([numbered('b', 2), better])
      expect([await notes.list('AS-1', 2, 9), await notes.last('AS-1')]).toEqual([[better], 3])
      expect(await notes.add(aNote('c'), 2)).toEqual({ status: 'full' })
      expect(await notes.add(aNote('c'), 3)).toMatchObject({ status: 'added', note: { number: 4 } })
    })

    it('of changes to one note that are made at once, one is made', async () => {
      const { notes } = await open()
      await notes.add(aNote('a'), 9)
      const made = await race(racer => notes.change(aNote('a', { text: `Text ${racer}` }), 1))
      expect(made.filter(({ status }) => status === 'changed')).toHaveLength(1)
      expect(made.filter(({ status }) => status === 'stale')).toHaveLength(RACERS - 1)
      expect(await notes.last('AS-1')).toBe(2)
    })

    it('of notes that are written at once each has a number of its own, without a gap, up to the limit', async () => {
      const { notes } = await open()
      const most = RACERS - 2
      const added = await race(racer => notes.add(aNote(`n-${racer}`), most))
      expect(added.filter(({ status }) => status === 'added')).toHaveLength(most)
      expect(added.filter(({ status }) => status === 'full')).toHaveLength(2)
      const found = await notes.list('AS-1', 0, 99)
      expect(found.map(({ number }) => number)).toEqual(Array.from({ length: most }, (_, at) => at + 1))
      const same = await race(() => notes.add(aNote('same', { conversationId: 'AS-2' }), 9))
      expect(same.filter(({ status }) => status === 'added')).toHaveLength(1)
      expect(await notes.last('AS-2')).toBe(1)
    })

    it('of a note and a removal that race, nothing is left of the note', async () => {
      const { notes, removals } = await open()
      await race(async racer => {
        if (racer === 0) await removals.remove(ACCOUNT, AGENT, 'AS-1')
        else await notes.add(aNote(`n-${racer}`), 99)
      })
      expect(await notes.list('AS-1', 0, 99)).toEqual([])
      expect(await notes.add(aNote('late'), 99)).toEqual({ status: 'missing' })
    })
  })
}
