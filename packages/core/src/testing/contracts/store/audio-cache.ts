import { describe, expect, it } from 'vitest'
import type { AudioOrder } from '../../../domain/voice/cached-audio.ts'
import type { AudioCacheStore } from '../../../ports/store/audio-cache.ts'
import { ACCOUNT, AGENT, aCachedAudio, anAgent, START } from '../../fixtures.ts'
import {
  count,
  EXTREME_TIMES,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const OTHER = 'PROJECT-other'
const MUCH = 1_000_000

/** The ids of an agent's sounds in an order. */
const idsOf = async (
  cache: AudioCacheStore,
  { agentId = AGENT, order = 'cachedAt' as AudioOrder, descending = false, offset = 0, limit = 99 } = {},
): Promise<readonly string[]> =>
  (await cache.list(agentId, { order, descending, offset, limit })).entries.map(({ id }) => id)

/** Rules SX100 to SX108 and SX120: what agents have said. */
export function describeAudioCache(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.audioCache

  describe('audio cache', () => {
    it('SX100 a sound is found by its agent alone, and its id is taken for all', async () => {
      const cache = await open()
      expect(await cache.add(aCachedAudio('1'), MUCH)).toBe('added')
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
      const results = await race(racer => cache.add(aCachedAudio('3', { transcript: `${racer}` }), MUCH))
      expect([count(results, 'added'), count(results, 'taken')]).toEqual([1, RACERS - 1])
    })

    it('SX101 each use is counted, and the latest stays', async () => {
      const cache = await open()
      await cache.add(aCachedAudio('1'), MUCH)
      expect(await cache.use('2', START)).toBeNull()
      const { audio, entry } = aCachedAudio('1', { hitCount: 1, usedAt: START + 5 })
      expect(await cache.use('1', START + 5)).toEqual({ audio, entry })
      await race(racer => cache.use('1', START + 6 - racer))
      expect(await cache.find(AGENT, '1')).toEqual({ ...entry, hitCount: 1 + RACERS, usedAt: START + 6 })
    })

    it('SX102 sounds come in each order, both ways, in pages, with how many there are', async () => {
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

    it('SX103 what was not used the longest goes first, of the same account alone', async () => {
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

    it('SX104 whoever adds at once, the bound holds', async () => {
      const cache = await open()
      await race(racer => cache.add(aCachedAudio(`${racer}`, { usedAt: START + racer }), 300))
      expect(await idsOf(cache)).toHaveLength(3)
    })

    it('SX105 of two who replace one version of a sound one wins; uses are kept, and the bound holds', async () => {
      const cache = await open()
      await cache.add(aCachedAudio('1'), MUCH)
      await cache.add(aCachedAudio('2', { usedAt: START + 1 }), MUCH)
      await cache.use('1', START + 5)
      const next = (racer: number) =>
        aCachedAudio('1', { version: 2, audioFilename: `${racer}` }, new Uint8Array([racer, 1, 2]))
      const results = await race(racer => cache.replace(1, next(racer), MUCH))
      expect([count(results, 'written'), count(results, 'stale')]).toEqual([1, RACERS - 1])
      const { audio, entry } = next(results.indexOf('written'))
      const kept = { ...entry, hitCount: 1, usedAt: START + 5 }
      expect(await cache.read(AGENT, '1')).toEqual({ audio, entry: kept })
      expect(await cache.replace(2, aCachedAudio('9', { version: 3 }), MUCH)).toBe('stale')
      const large = aCachedAudio('1', { version: 3 }, new Uint8Array(250))
      expect(await cache.replace(2, large, 300)).toBe('written')
      expect(await idsOf(cache)).toEqual(['1'])
    })

    it('SX106 a sound is removed by its agent alone, and goes with its agent', async () => {
      const store = await openForTest(factory)
      const { audioCache: cache } = store.access
      await store.agents.create(anAgent())
      for (const id of ['1', '2']) await cache.add(aCachedAudio(id), MUCH)
      await cache.add(aCachedAudio('3', { agentId: OTHER }), MUCH)
      expect(await cache.remove(OTHER, '1')).toBe(false)
      expect(count(await race(() => cache.remove(AGENT, '1')), true)).toBe(1)
      expect(await idsOf(cache)).toEqual(['2'])
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect(await idsOf(cache)).toEqual([])
      expect(await cache.use('2', START)).toBeNull()
      expect(await idsOf(cache, { agentId: OTHER })).toEqual(['3'])
    })

    it('SX120 what is removed, replaced by less, or gone with its agent makes room for others', async () => {
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
      // What is written stays, whoever was used later.
      const large = aCachedAudio('6', { agentId: OTHER, version: 2 }, new Uint8Array(300))
      await cache.replace(1, large, 300)
      expect(await idsOf(cache, { agentId: OTHER })).toEqual(['6'])
    })

    it('SX107 every string, moment and byte of a sound is kept as it is, and values are copied', async () => {
      const cache = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const at = EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0
        const held = aCachedAudio(
          `1${index}`,
          {
            ...{ agentId: `a${text}`, accountId: ACCOUNT, transcript: text, provider: text },
            ...{ providerVoiceId: text, languageCode: text, audioFilename: text, cachedAt: at, usedAt: at },
            config: { text, [`key ${text}`]: [1.5, null, { deep: text }] },
          },
          new Uint8Array(256).map((_, byte) => byte),
        )
        await scribbling(held, value => cache.add(value, MUCH))
        scribble(await cache.read(`a${text}`, `1${index}`))
        expect(await cache.read(`a${text}`, `1${index}`)).toEqual(held)
        const next = { ...held, entry: { ...held.entry, transcript: 'other', version: 2 } }
        expect(await scribbling(next, value => cache.replace(1, value, MUCH))).toBe('written')
        scribble(await cache.use(`1${index}`, 0))
        expect(await cache.read(`a${text}`, `1${index}`)).toEqual({
          ...next,
          entry: { ...next.entry, hitCount: 1 },
        })
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SX108 sounds are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.access.audioCache.add(aCachedAudio('1'), MUCH)
        await store.access.audioCache.use('1', START + 1)
        const { audioCache } = (await reopenForTest(reopen, store)).access
        const { audio, entry } = aCachedAudio('1', { hitCount: 1, usedAt: START + 1 })
        expect(await audioCache.read(AGENT, '1')).toEqual({ audio, entry })
      })
    }
  })
}
