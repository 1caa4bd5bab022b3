import { describe, expect, it } from 'vitest'
import { recordingPartId } from '../../../../domain/conversation/call-recording.ts'
import { aConversation } from '../../../conversation-fixtures.ts'
import { ACCOUNT, AGENT, aRecording, START } from '../../../fixtures.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

const LATE = START + 60_000
const MANY = 9

/** Rule FI27: recordings of calls, and the bytes of their parts. */
export function describeRecordings(factory: StoreFactory): void {
  const open = async () => {
    const { conversations } = await openForTest(factory)
    for (const id of ['AS-1', 'AS-2'])
      await conversations.create(
        aConversation(id, { events: [], wakeAt: null, index: { finishedAt: START } }),
      )
    const { files, recordings, removals } = conversations
    const keep = async (id: string, part: number, bytes = 100) => {
      await files.expect(recordingPartId(id, part), LATE)
      return recordings.keep(id, part, bytes)
    }
    return { files, recordings, removals, keep }
  }

  describe('recordings of calls', () => {
    it('FI27 a recording begins in a conversation that the account has, as often as it may', async () => {
      const { recordings } = await open()
      expect(await recordings.begin(aRecording('b', { at: START + 1 }), MANY)).toBe('begun')
      expect(await recordings.begin(aRecording('a'), MANY)).toBe('begun')
      for (const values of [{ conversationId: 'AS-3' }, { accountId: 'ws-other' }])
        expect(await recordings.begin(aRecording('x', values), MANY)).toBe('missing')
      expect(await recordings.begin(aRecording('c'), 2)).toBe('full')
      expect(await recordings.list('AS-1')).toEqual([aRecording('a'), aRecording('b', { at: START + 1 })])
      expect(await recordings.list('AS-2')).toEqual([])
    })

    it('FI27 parts come in their order, once their bytes are expected, until the recording ends', async () => {
      const { files, keep, recordings } = await open()
      await recordings.begin(aRecording('a'), MANY)
      expect(await recordings.keep('a', 1, 100)).toBe(false)
      expect(await keep('a', 2)).toBe(false)
      expect(await keep('a', 1)).toBe(true)
      expect(await keep('none', 1)).toBe(false)
      for (const bytes of [0, 101]) expect(await recordings.keep('a', 2, bytes)).toBe(false)
      expect(await recordings.keep('a', 2, 50)).toBe(true)
      // The places of parts are known by their length.
      expect(await keep('a', 3, 50)).toBe(false)
      await recordings.end('a', 'complete', START + 9)
      await recordings.end('a', 'failed', START + 10)
      await recordings.end('none', 'full', START)
      expect(await keep('a', 3)).toBe(false)
      const ended = { parts: 2, partBytes: 100, bytes: 150, end: 'complete', endedAt: START + 9 } as const
      expect(await recordings.list('AS-1')).toEqual([aRecording('a', ended)])
      expect(await files.takeDue(LATE, 9)).toEqual([recordingPartId('a', 3), recordingPartId('none', 1)])
    })

    it('FI27 withdrawn recordings get no more parts, and all their bytes are due', async () => {
      const { files, keep, recordings } = await open()
      await recordings.begin(aRecording('a'), MANY)
      await recordings.begin(aRecording('b', { at: START + 1 }), MANY)
      await recordings.begin(aRecording('c', { conversationId: 'AS-2' }), MANY)
      for (const id of ['a', 'c']) await keep(id, 1)
      await recordings.end('a', 'complete', START + 2)
      await recordings.withdraw('AS-1', START + 3)
      await recordings.withdraw('AS-1', START + 4)
      expect(await keep('b', 1)).toBe(false)
      const withdrawn = { end: 'withdrawn', endedAt: START + 3 } as const
      expect(await recordings.list('AS-1')).toEqual([
        aRecording('a', withdrawn),
        aRecording('b', { at: START + 1, ...withdrawn }),
      ])
      expect(await files.takeDue(START, 9)).toEqual([recordingPartId('a', 1)])
      expect((await recordings.list('AS-2')).map(({ parts }) => parts)).toEqual([1])
    })

    it('FI27 of parts and a removal that race, no bytes are left that nothing makes due', async () => {
      const { files, keep, recordings, removals } = await open()
      const done = await race(async racer => {
        if (racer === 0) return removals.remove(ACCOUNT, AGENT, 'AS-1')
        await recordings.begin(aRecording(`r-${racer}`), 99)
        return keep(`r-${racer}`, 1)
      })
      expect(done[0]).toBe('removed')
      expect(await recordings.list('AS-1')).toEqual([])
      const due = new Set(await files.takeDue(LATE, 99))
      for (let racer = 1; racer < RACERS; racer++) expect(due).toContain(recordingPartId(`r-${racer}`, 1))
    })
  })
}
