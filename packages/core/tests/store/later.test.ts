import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMemoryDocuments } from '../../src/memory/index.ts'
import { ALL_KINDS } from '../../src/store/all-kinds.ts'
import type { Documents, Kind } from '../../src/store/documents.ts'
import { filledOver } from '../../src/store/filling.ts'
import { KINDS, VOICE } from '../../src/store/kinds.ts'
import { FILLING, type Filling, KINDS_NUMBER, laterKinds } from '../../src/store/later.ts'
import { systemClock } from '../../src/system/system.ts'
import { aVoice } from '../../src/testing/index.ts'

/** The kinds of each number, as their tables show them: with other kinds, the next number gets a line of its own. */
const HASHES: Readonly<Record<number, string>> = {
  1: 'd70fcbf83157',
  2: '776917ba8e09',
  3: 'cd46a603e3c2',
  4: 'ec050d7580c9',
  5: '6cc948b2f8d9',
  6: '43cbf7aa0f43',
  7: '7e808a8f5ae5',
  8: '62a8891a510d',
  9: 'd10c2f27e660',
}

const own = VOICE as Kind<never>
const { columns, indexes } = VOICE
const without: Kind<never> = { ...own, columns: {}, indexes: {} }

describe('later kinds', () => {
  it('other kinds have another number', () => {
    const { kept } = laterKinds(null, [], ALL_KINDS)
    expect(hash('sha256', JSON.stringify(kept), 'hex').slice(0, 12)).toBe(HASHES[KINDS_NUMBER])
  })

  it('SX224 a store with documents that are not read any more is refused, in words', () => {
    const { kept } = laterKinds(null, [], [{ ...own, name: 'conversation_progress' }])
    expect(() => laterKinds(kept, [], ALL_KINDS)).toThrow(
      'it has documents of the kind conversation_progress, which are not read any more. Until 0.1.0 a store is read by the version that made it alone: use that version, or begin with a new store.',
    )
  })

  it('SX222 what is not full goes on to be filled, from the start, where more is to be', () => {
    const first = laterKinds(null, [], [without])
    expect(first).toMatchObject({ tables: [without], columns: [], indexes: [], fillings: [] })
    const some: Kind<never> = {
      ...own,
      columns: { account_id: columns.account_id },
      indexes: {},
    } as Kind<never>
    const second = laterKinds(first.kept, [], [some])
    expect(second.fillings).toEqual([
      { kind: 'voice', version: 1, columns: ['account_id'], indexes: [], after: null },
    ])
    const under = second.fillings.map(filling => ({ ...filling, version: 7, after: 'V-3' }))
    const third = laterKinds(second.kept, under, [own])
    expect(third.columns).toEqual([{ kind: own, column: 'created_at' }])
    expect(third.indexes).toEqual([{ kind: own, index: 'account' }])
    expect(third.fillings).toEqual([
      {
        kind: 'voice',
        version: 8,
        columns: ['account_id', 'created_at'],
        indexes: Object.keys(indexes),
        after: null,
      },
    ])
    // Nothing is taken away, but what nobody has written since is filled once it is back.
    const fourth = laterKinds(third.kept, [], [without])
    expect(fourth).toMatchObject({ tables: [], columns: [], indexes: [], fillings: [] })
    expect(laterKinds(fourth.kept, [], [own])).toMatchObject({
      ...{ tables: [], columns: [], indexes: [] },
      fillings: [{ columns: ['account_id', 'created_at'], indexes: [] }],
    })
    expect(laterKinds(third.kept, [], [own]).fillings).toEqual([])
  })

  it('SX222 what goes by a list that is not full waits for it, to the end of the store; other calls do not', async () => {
    const memory = createMemoryDocuments()
    const filling: Filling = {
      kind: 'voice',
      version: 1,
      columns: ['created_at'],
      indexes: ['account'],
      after: null,
    }
    await memory.write({ when: [], put: [{ kind: FILLING as Kind<never>, value: filling }] })
    const value = aVoice('V-1')
    const steps: (() => void)[] = []
    const asked: unknown[] = []
    const documents: Documents = {
      ...memory,
      refill: (_kind, names, { after }) => {
        asked.push([names, after])
        return new Promise(resolve => steps.push(() => resolve(after === null ? 'V-1' : null)))
      },
    }
    const settled: string[] = []
    const noted = (name: string, call: Promise<unknown>) =>
      call.then(
        () => settled.push(name),
        error => settled.push(`${name}: ${error.message}`),
      )
    const filled = filledOver(documents, KINDS, systemClock)
    const part = { kind: own, index: 'account', prefix: [value.accountId] }
    const calls = [
      noted('list', filled.documents.scan(VOICE, 'account', { prefix: [] })),
      noted('filter', filled.documents.scan(VOICE, 'id', { prefix: [], where: { created_at: [1] } })),
      noted(
        'count',
        filled.documents.write({ when: [{ ...part, atMost: 9 }], put: [{ kind: own, value: { ...value } }] }),
      ),
      noted('clear', filled.documents.write({ when: [], clear: [part] })),
    ]
    await filled.documents.write({ when: [], put: [{ kind: own, value }] })
    expect(await filled.documents.get(VOICE, ['V-1'])).toEqual([value])
    expect(await filled.documents.scan(VOICE, 'id', { prefix: [] })).toEqual([value])
    await expect.poll(() => steps.length).toBe(1)
    steps[0]?.()
    await expect.poll(() => steps.length).toBe(2)
    expect(asked).toEqual([
      [['created_at'], null],
      [['created_at'], 'V-1'],
    ])
    expect(settled).toEqual([])
    const again = filledOver(documents, KINDS, systemClock)
    const late = noted('late', again.documents.scan(VOICE, 'account', { prefix: [] }))
    const closing = again.close()
    await late
    expect(settled).toEqual(['late: The store is closed.'])
    for (const step of steps) step()
    await closing
    await expect
      .poll(() => {
        for (const step of steps) step()
        return settled.length
      })
      .toBe(5)
    await Promise.all(calls)
    await filled.close()
    expect(await memory.scan(FILLING, 'id', { prefix: [] })).toEqual([])
  })
})
