import { describe, expect, it } from 'vitest'
import type { AudioOrder } from '../../../../domain/voice/cached-audio.ts'
import type { AudioCacheStore } from '../../../../ports/store/audio-cache.ts'
import { ACCOUNT, AGENT, aCachedAudio, anAgent, aVoice, START } from '../../../fixtures.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

const OTHER = 'PROJECT-other'
const MUCH = 1_000_000

/** Returns the ids of an agent's sounds in an order. */
const idsOf = async (
  cache: AudioCacheStore,
  { agentId = AGENT, order = 'cachedAt' as AudioOrder, descending = false, offset = 0, limit = 99 } = {},
): Promise<readonly string[]> =>
  (await cache.list(agentId, { order, descending, offset, limit })).entries.map(({ id }) => id)

/** Tests of voices of accounts, and of sounds that agents have said (SX62). */
export function describeAudioCache(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.audioCache

  it('a voice is found by its account alone, and its id is taken for all', async () => {
    const { voices } = (await openForTest(factory)).access
    await voices.create(aVoice('V-1'), 9)
    expect(await voices.create(aVoice('V-1', { accountId: 'ws-other' }), 9)).toBe('taken')
    expect(await voices.find(ACCOUNT, 'V-1')).toEqual(aVoice('V-1'))
    expect([await voices.find('ws-other', 'V-1'), await voices.find(ACCOUNT, 'v-1')]).toEqual([null, null])
    expect(await voices.update(1, aVoice('V-2', { version: 2 }))).toBe('stale')
  })

  describe('audio cache', () => {
    it('a sound is found by its agent alone, and its id is taken for all', async () => {
      const cache = await open()
      await cache.add(aCachedAudio('1'), MUCH)
      expect(await cache.add(aCachedAudio('1', { agentId: OTHER }), MUCH)).toBe('taken')
      expect(await cache.find(AGENT, '1')).toEqual(aCachedAudio('1').entry)
      expect(await cache.read(AGENT, '1')).toEqual(aCachedAudio('1'))
      for (const [agent, id] of [
        [OTHER, '1'],
        [AGENT, '2'],
      ] as const) {
        expect(await cache.find(agent, id)).toBeNull()
        expect(await cache.read(agent, id)).toBeNull()
        expect(await cache.remove(agent, id)).toBe(false)
      }
    })

    it('each use is counted, and the latest stays', async () => {
      const cache = await open()
      await cache.add(aCachedAudio('1'), MUCH)
      expect(await cache.use('2', START)).toBeNull()
      const { audio, entry } = aCachedAudio('1', { hitCount: 1, usedAt: START + 5 })
      expect(await cache.use('1', START + 5)).toEqual({ audio, entry })
      await race(racer => cache.use('1', START + 6 - racer))
      expect(await cache.find(AGENT, '1')).toEqual({ ...entry, hitCount: 1 + RACERS, usedAt: START + 6 })
    })

    it('sounds come in each order, both ways, in pages, with how many there are', async () => {
      const cache = await open()
      const values = [
        ['a', { cachedAt: START + 2, hitCount: 1, milliseconds: 30 }],
        ['b', { cachedAt: START + 1, hitCount: 3, milliseconds: 10 }],
        ['c', { cachedAt: START + 1, hitCount: 2, milliseconds: 20 }],
      ] as const
      for (const [id, value] of values) await cache.add(aCachedAudio(id, value), MUCH)
      await cache.add(aCachedAudio('o', { agentId: OTHER }), MUCH)
      expect(await idsOf(cache)).toEqual(['b', 'c', 'a'])
      expect(await idsOf(cache, { descending: true })).toEqual(['a', 'b', 'c'])
      expect(await idsOf(cache, { order: 'hitCount' })).toEqual(['a', 'c', 'b'])
      expect(await idsOf(cache, { order: 'hitCount', descending: true })).toEqual(['b', 'c', 'a'])
      expect(await idsOf(cache, { order: 'duration' })).toEqual(['b', 'c', 'a'])
      expect(await idsOf(cache, { order: 'duration', descending: true })).toEqual(['a', 'c', 'b'])
      expect(await idsOf(cache, { offset: 1, limit: 1 })).toEqual(['c'])
      const page = { order: 'cachedAt', descending: false, offset: 3, limit: 9 } as const
      expect(await cache.list(AGENT, page)).toEqual({ entries: [], totalCount: 3 })
      expect(await cache.list('PROJECT-none', page)).toEqual({ entries: [], totalCount: 0 })
      expect(await cache.list(AGENT, { ...page, offset: 2 })).toEqual({
        entries: [aCachedAudio('a', values[0][1]).entry],
        totalCount: 3,
      })
    })

    it('SX62 what was not used the longest goes first, of the same account alone', async () => {
      const cache = await open()
      await cache.add(aCachedAudio('o', { accountId: 'ws-other', agentId: OTHER }), MUCH)
      for (const [at, id] of ['1', '2', '3'].entries())
        await cache.add(aCachedAudio(id, { usedAt: START + at }), 300)
      await cache.use('1', START + 9)
      expect(await cache.add(aCachedAudio('4', { usedAt: START - 1 }), 300)).toBe('added')
      expect(await idsOf(cache)).toEqual(['1', '3', '4'])
      // A large one takes the place of several; what is as large as the bound stays alone.
      await cache.add(aCachedAudio('5', { usedAt: START + 10 }, new Uint8Array(200)), 300)
      expect(await idsOf(cache)).toEqual(['1', '5'])
      await cache.add(aCachedAudio('6', {}, new Uint8Array(300)), 300)
      expect(await idsOf(cache)).toEqual(['6'])
      expect(await idsOf(cache, { agentId: OTHER })).toEqual(['o'])
    })

    it('SX62 whoever adds at once, the bound holds', async () => {
      const cache = await open()
      await race(racer => cache.add(aCachedAudio(`${racer}`, { usedAt: START + racer }), 300))
      expect(await idsOf(cache)).toHaveLength(3)
    })

    it('SX62 what takes the place of a sound keeps its uses, and the bound holds', async () => {
      const cache = await open()
      await cache.add(aCachedAudio('1'), MUCH)
      await cache.add(aCachedAudio('2', { usedAt: START + 1 }), MUCH)
      await cache.use('1', START + 5)
      const { audio, entry } = aCachedAudio('1', { version: 2 }, new Uint8Array([0, 1, 2]))
      expect(await cache.replace(1, { audio, entry }, MUCH)).toBe('written')
      const kept = { ...entry, hitCount: 1, usedAt: START + 5 }
      expect(await cache.read(AGENT, '1')).toEqual({ audio, entry: kept })
      expect(await cache.replace(2, aCachedAudio('9', { version: 3 }), MUCH)).toBe('stale')
      const large = aCachedAudio('1', { version: 3 }, new Uint8Array(250))
      expect(await cache.replace(2, large, 300)).toBe('written')
      expect(await idsOf(cache)).toEqual(['1'])
    })

    it('a sound is removed by its agent alone', async () => {
      const cache = await open()
      for (const id of ['1', '2']) await cache.add(aCachedAudio(id), MUCH)
      expect(await cache.remove(OTHER, '1')).toBe(false)
      expect(await cache.remove(AGENT, '1')).toBe(true)
      expect(await idsOf(cache)).toEqual(['2'])
    })

    it('SX62 what is removed, replaced by less, or gone with its agent makes room for others', async () => {
      const store = await openForTest(factory)
      const { audioCache: cache } = store.access
      await store.agents.create(anAgent())
      for (const id of ['1', '2']) await cache.add(aCachedAudio(id), 300)
      await cache.add(aCachedAudio('3', { agentId: OTHER }), 300)
      await cache.remove(AGENT, '1')
      await cache.add(aCachedAudio('4', { usedAt: START + 1 }), 300)
      expect(await idsOf(cache)).toEqual(['2', '4'])
      await cache.replace(1, aCachedAudio('4', { version: 2 }, new Uint8Array(50)), 300)
      await cache.add(aCachedAudio('5', {}, new Uint8Array(50)), 300)
      expect(await idsOf(cache)).toEqual(['2', '4', '5'])
      await store.agents.delete(AGENT, START)
      await cache.add(aCachedAudio('6', { agentId: OTHER }, new Uint8Array(200)), 300)
      expect(await idsOf(cache, { agentId: OTHER })).toEqual(['3', '6'])
      await cache.add(aCachedAudio('7', { agentId: OTHER }, new Uint8Array(1)), 300)
      expect(await idsOf(cache, { agentId: OTHER })).toEqual(['6', '7'])
      // The written sound stays, whichever was used later.
      const large = aCachedAudio('6', { agentId: OTHER, version: 2 }, new Uint8Array(300))
      await cache.replace(1, large, 300)
      expect(await idsOf(cache, { agentId: OTHER })).toEqual(['6'])
    })
  })
}
