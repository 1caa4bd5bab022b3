import { expect, it } from 'vitest'
import type { Batch, Documents } from '../../../../store/documents.ts'
import { TEXT_PAIR, VOICE } from '../../../../store/kinds.ts'
import { aTextPair, aVoice } from '../../../fixtures.ts'
import { RACERS, race } from '../tools.ts'
import { one } from './model.ts'

const PAIR = { ...aTextPair(), version: 1 }
const PAIR_ID = TEXT_PAIR.id(PAIR)

/** Adds one to the versions of two documents, `times` times for each of those who race. */
export async function countTogether(of: (racer: number) => Documents, times: number): Promise<void> {
  let lost = 0
  await race(async racer => {
    const documents = of(racer)
    for (let done = 0; done < times; ) {
      const voice = (await one(documents, VOICE, 'V-1'))?.version ?? 0
      const pair = (await one(documents, TEXT_PAIR, PAIR_ID))?.version ?? 0
      const written = await documents.write({
        when: [
          { kind: VOICE, id: 'V-1', version: voice },
          { kind: TEXT_PAIR, id: PAIR_ID, version: pair },
        ],
        put: [
          { kind: VOICE, value: aVoice('V-1', { version: voice + 1 }) },
          { kind: TEXT_PAIR, value: { ...PAIR, version: pair + 1 } },
        ],
      })
      if (written === null) done++
      else expect(++lost).toBeLessThan(10_000)
    }
  })
  const documents = of(0)
  const versions = [await one(documents, VOICE, 'V-1'), await one(documents, TEXT_PAIR, PAIR_ID)]
  // Nobody wrote over what somebody else had just written.
  expect(versions.map(value => value?.version)).toEqual([RACERS * times, RACERS * times])
}

/** Tests of racing writes (SX200 to SX201, and SX201). */
export function testRaces(open: () => Promise<Documents>): void {
  it('SX201 of all who write over one version one wins, also where the document is not there', async () => {
    const documents = await open()
    for (let version = 0; version < 6; version++) {
      const results = await race(racer =>
        documents.write({
          when: [{ kind: VOICE, id: 'V-1', version }],
          put: [{ kind: VOICE, value: aVoice('V-1', { name: `${racer}`, version: version + 1 }) }],
        }),
      )
      expect(results.filter(result => result === null)).toHaveLength(1)
      const winner = results.indexOf(null)
      expect(await one(documents, VOICE, 'V-1')).toMatchObject({ version: version + 1, name: `${winner}` })
    }
  })

  it('SX201 an index holds no more than it may, whoever adds at once', async () => {
    const documents = await open()
    for (const accountId of ['ws-1', 'ws-2', 'ws-3', 'ws-4']) {
      const results = await race(racer =>
        documents.write({
          when: [
            { kind: VOICE, id: `${accountId} ${racer}`, version: 0 },
            { kind: VOICE, index: 'account', prefix: [accountId], atMost: 2 },
          ],
          put: [{ kind: VOICE, value: aVoice(`${accountId} ${racer}`, { accountId }) }],
        }),
      )
      expect(results.filter(result => result === null)).toHaveLength(3)
      expect(results.every(result => result === null || result === 1)).toBe(true)
      expect(await documents.scan(VOICE, 'account', { prefix: [accountId] })).toHaveLength(3)
    }
  })

  it('SX200 a batch over several documents is written whole or not at all, whoever writes them at once', async () => {
    const documents = await open()
    await countTogether(() => documents, 3)
  })

  it('SX201 of two batches each of which adds what the other needs to be absent one is written', async () => {
    const documents = await open()
    for (let run = 0; run < 12; run++) {
      const [mine, theirs] = [`V-${run}-1`, `V-${run}-2`]
      const accountId = `ws-${run}`
      const pair = { ...PAIR, ours: `+1555${run}` }
      const adds = (id: string) => [{ kind: VOICE, value: aVoice(id, { accountId }) }]
      const absent = (id: string) => ({ kind: VOICE, id, version: 0 })
      const none = { kind: VOICE, index: 'account', prefix: [accountId], atMost: 0 }
      const noPair = { kind: TEXT_PAIR, id: TEXT_PAIR.id(pair), version: 0 }
      const races: readonly (readonly [Batch, Batch])[] = [
        [
          { when: [absent(mine)], put: adds(theirs) },
          { when: [absent(theirs)], put: adds(mine) },
        ],
        [
          { when: [none], put: adds(mine) },
          { when: [none], put: adds(theirs) },
        ],
        [
          { when: [noPair, none], put: [{ kind: TEXT_PAIR, value: pair }] },
          { when: [noPair], put: adds(mine) },
        ],
      ]
      for (const both of races) {
        const answers = await Promise.all(both.map(one => documents.write(one)))
        expect(answers.filter(answer => answer === null)).toHaveLength(1)
        const voices = [mine, theirs].map(id => ({ kind: VOICE, id }))
        await documents.write({ when: [], remove: [...voices, { kind: TEXT_PAIR, id: noPair.id }] })
      }
    }
  })
}
