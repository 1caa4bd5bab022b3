import { describe, expect, it } from 'vitest'
import { ACCOUNT, aVoice, START } from '../../fixtures.ts'
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

const OTHER = 'ws-other'
const idsOf = (voices: readonly { readonly id: string }[]): readonly string[] => voices.map(({ id }) => id)

/** Rules SX92 to SX97: voices of accounts. */
export function describeVoices(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access.voices

  describe('voices', () => {
    it('SX92 a voice is found by its account alone, and its id is taken for all', async () => {
      const voices = await open()
      expect(await voices.create(aVoice('V-1'), 9)).toBe('created')
      expect(await voices.create(aVoice('V-1', { accountId: OTHER }), 9)).toBe('taken')
      expect(await voices.find(ACCOUNT, 'V-1')).toEqual(aVoice('V-1'))
      for (const [account, id] of [
        [OTHER, 'V-1'],
        [ACCOUNT, 'v-1'],
        [ACCOUNT, 'V-2'],
      ] as const)
        expect(await voices.find(account, id)).toBeNull()
      const results = await race(racer => voices.create(aVoice('V-3', { name: `${racer}` }), 99))
      expect([count(results, 'created'), count(results, 'taken')]).toEqual([1, RACERS - 1])
    })

    it('SX93 voices come oldest first, then by the code points of the id, without those of others', async () => {
      const voices = await open()
      await voices.create(aVoice('V-b', { createdAt: START + 1 }), 9)
      await voices.create(aVoice('V-a', { createdAt: START + 1 }), 9)
      await voices.create(aVoice('V-z'), 9)
      await voices.create(aVoice('V-o', { accountId: OTHER }), 9)
      expect(idsOf(await voices.list(ACCOUNT))).toEqual(['V-z', 'V-a', 'V-b'])
      expect(await voices.list('ws-none')).toEqual([])
    })

    it('SX94 an account has no more voices than it may, whoever adds them at once', async () => {
      const voices = await open()
      await voices.create(aVoice('V-o', { accountId: OTHER }), 1)
      const results = await race(racer => voices.create(aVoice(`V-${racer}`), 3))
      expect([count(results, 'created'), count(results, 'full')]).toEqual([3, RACERS - 3])
      expect(await voices.list(ACCOUNT)).toHaveLength(3)
    })

    it('SX95 of two who change one version of a voice one wins; one that is not there is stale', async () => {
      const voices = await open()
      await voices.create(aVoice('V-1'), 9)
      const results = await race(racer => voices.update(1, aVoice('V-1', { name: `${racer}`, version: 2 })))
      expect([count(results, 'written'), count(results, 'stale')]).toEqual([1, RACERS - 1])
      const name = String(results.indexOf('written'))
      expect(await voices.find(ACCOUNT, 'V-1')).toEqual(aVoice('V-1', { name, version: 2 }))
      expect(await voices.update(1, aVoice('V-1', { version: 2 }))).toBe('stale')
      expect(await voices.update(1, aVoice('V-2', { version: 2 }))).toBe('stale')
      expect(idsOf(await voices.list(ACCOUNT))).toEqual(['V-1'])
    })

    it('SX96 every string, moment and setting of a voice is kept as it is, and values are copied', async () => {
      const voices = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const voice = aVoice(`V${text}`, {
          ...{ accountId: `a${text}`, name: text, provider: text, providerVoiceId: text },
          config: { text, [`key ${text}`]: [1.5, null, { deep: text }] },
          metadata: index % 2 === 0 ? { text } : null,
          createdAt: EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0,
        })
        await scribbling(voice, value => voices.create(value, 9))
        scribble(await voices.list(`a${text}`))
        expect(await voices.find(`a${text}`, `V${text}`)).toEqual(voice)
        const next = { ...voice, config: { other: text }, version: 2 }
        expect(await scribbling(next, value => voices.update(1, value))).toBe('written')
        expect(await voices.list(`a${text}`)).toEqual([next])
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SX97 voices are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.access.voices.create(aVoice('V-1'), 9)
        const { voices } = (await reopenForTest(reopen, store)).access
        expect(await voices.list(ACCOUNT)).toEqual([aVoice('V-1')])
      })
    }
  })
}
