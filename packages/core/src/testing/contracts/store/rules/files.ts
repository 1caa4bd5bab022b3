import { describe, expect, it } from 'vitest'
import { aConversation } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, aFile, START } from '../../../fixtures.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

const MANY = { files: 99, bytes: 99_999 }
const LATE = START + 60_000

/** Rules FI6 and FI11: files of conversations, and bytes that are to be removed. */
export function describeFiles(factory: StoreFactory): void {
  const open = async () => {
    const { conversations } = await openForTest(factory)
    for (const id of ['AS-1', 'AS-2'])
      await conversations.create(
        aConversation(id, { events: [], wakeAt: null, index: { finishedAt: START } }),
      )
    const { files, removals } = conversations
    const add = async (id: string, values = {}) => {
      await files.expect(id, LATE)
      return files.add(aFile(id, values), MANY)
    }
    return { files, removals, add }
  }

  describe('files of conversations', () => {
    it('FI6 a file is added to a conversation that the account has, within its bounds, and found by its id', async () => {
      const { add, files } = await open()
      expect(await add('a', { name: 'Größe 🙂.png' })).toBe('added')
      expect(await files.find('a')).toEqual(aFile('a', { name: 'Größe 🙂.png' }))
      expect(await files.find('b')).toBeNull()
      for (const values of [{ conversationId: 'AS-3' }, { accountId: 'ws-other' }])
        expect(await add('x', values)).toBe('missing')
      expect(await files.find('x')).toBeNull()
      await files.expect('b', LATE)
      expect(await files.add(aFile('b'), { files: 1, bytes: 999 })).toBe('full')
      expect(await files.add(aFile('b', { size: 31 }), { files: 9, bytes: 100 })).toBe('full')
      expect(await files.add(aFile('b', { size: 30 }), { files: 9, bytes: 100 })).toBe('added')
      expect(await add('c', { conversationId: 'AS-2' })).toBe('added')
    })

    it('FI6 a file whose bytes were not expected, or were removed meanwhile, is not added', async () => {
      const { files } = await open()
      expect(await files.add(aFile('a'), MANY)).toBe('missing')
      await files.expect('a', START)
      expect(await files.takeDue(START, 9)).toEqual(['a'])
      await files.forget(['a'])
      expect(await files.add(aFile('a'), MANY)).toBe('missing')
    })

    it('FI11 bytes are due at their moment, earliest first, again until they are forgotten, and their files are gone', async () => {
      const { add, files } = await open()
      expect([await files.nextDue(), await files.takeDue(LATE, 9)]).toEqual([null, []])
      await files.expect('none', START + 5)
      await add('b')
      await add('a', { conversationId: 'AS-2' })
      expect(await files.nextDue()).toBe(START + 5)
      expect(await files.takeDue(START + 4, 9)).toEqual([])
      expect(await files.takeDue(LATE, 1)).toEqual(['none'])
      expect(await files.takeDue(LATE, 9)).toEqual(['none', 'a', 'b'])
      expect([await files.find('a'), await files.find('b')]).toEqual([null, null])
      expect(new Set(await files.takeDue(START, 9))).toEqual(new Set(['a', 'b']))
      await files.forget(['a', 'none', 'unknown'])
      expect(await files.takeDue(LATE, 9)).toEqual(['b'])
    })

    it('FI11 a file that a message names stays, together with the others of that message or not at all', async () => {
      const { add, files } = await open()
      for (const id of ['a', 'b']) await add(id)
      await add('other', { conversationId: 'AS-2' })
      await add('answer', { from: 'live_agent' })
      for (const wrong of ['other', 'answer', 'none'])
        expect(await files.name('AS-1', 'visitor', ['a', wrong])).toBeNull()
      expect(await files.name('AS-1', 'visitor', ['b', 'a'])).toEqual([aFile('b'), aFile('a')])
      expect(await files.name('AS-1', 'visitor', ['a'])).toEqual([aFile('a')])
      expect(await files.name('AS-1', 'live_agent', ['answer'])).toHaveLength(1)
      expect(await files.takeDue(LATE, 9)).toEqual(['other'])
      expect(await files.find('a')).toEqual(aFile('a'))
    })

    it('FI11 a removed conversation takes its files with it, and makes all their bytes due at once', async () => {
      const { add, files, removals } = await open()
      for (const id of ['a', 'b']) await add(id)
      await add('c', { conversationId: 'AS-2' })
      await files.name('AS-1', 'visitor', ['a'])
      await removals.remove(ACCOUNT, AGENT, 'AS-1')
      expect([await files.find('a'), await files.find('b')]).toEqual([null, null])
      expect(new Set(await files.takeDue(START, 9))).toEqual(new Set(['a', 'b']))
      await files.name('AS-2', 'visitor', ['c'])
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
      await removals.removeFinished(scope, START + 1, 9)
      expect(new Set(await files.takeDue(START, 9))).toEqual(new Set(['a', 'b', 'c']))
    })

    it('FI11 of files and a removal that race, no bytes are left that nothing makes due', async () => {
      const { add, files, removals } = await open()
      const added = await race(async racer => {
        if (racer === 0) return removals.remove(ACCOUNT, AGENT, 'AS-1')
        const status = await add(`f-${racer}`)
        await files.name('AS-1', 'visitor', [`f-${racer}`])
        return status
      })
      expect(added[0]).toBe('removed')
      const due = new Set(await files.takeDue(LATE, 99))
      for (let racer = 1; racer < RACERS; racer++) {
        expect(await files.find(`f-${racer}`)).toBeNull()
        expect(due).toContain(`f-${racer}`)
      }
    })

    it('FI6 files that are added at once stay within the bounds', async () => {
      const { files } = await open()
      const added = await race(async racer => {
        await files.expect(`f-${racer}`, LATE)
        return files.add(aFile(`f-${racer}`), { files: RACERS - 2, bytes: 99_999 })
      })
      expect(added.filter(status => status === 'full')).toHaveLength(2)
    })
  })
}
