import { systemClock } from '@colloquy/core'
import { createMemoryDocuments } from '@colloquy/core/memory'
import {
  ALL_KINDS,
  type Column,
  type Documents,
  filledOver,
  type Kind,
  type Range,
} from '@colloquy/core/store'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { runs } from './runs.ts'

/** Kinds that every version has: those that a database reads when it is opened. */
const NEEDED = ALL_KINDS.filter(({ name }) => ['secret', 'filling'].includes(name))

/** A document of every kind here. */
interface Thing {
  readonly id: string
  readonly at: number
  readonly version: number
  readonly a: string
  readonly b: number | null
  readonly c: string | null
}

const COLUMNS: Readonly<Record<string, Column<Thing>>> = {
  a: { type: 'text', of: ({ a }) => a },
  b: { type: 'number', of: ({ b }) => b },
  c: { type: 'text', of: ({ c }) => c },
}

const INDEXES: Readonly<Record<string, readonly string[]>> = {
  a: ['a'],
  b: ['b'],
  cb: ['c', 'b'],
  ba: ['b', 'a'],
  c: ['c'],
}

/** Differences of kinds that have the same columns. */
const FORMS: Readonly<Record<string, Partial<Kind<Thing>>>> = {
  plain: {},
  keyed: { key: ['log', 'nth'] },
  worded: { key: ['log', 'nth'], words: ({ a }) => [a] },
  kept: { isPermanent: true },
}

/** A kind of that form, as a version has it. */
function kindOf(form: string, columns: readonly string[], indexes: readonly string[]): Kind<Thing> {
  const keyed = FORMS[form]?.key !== undefined
  const own = columns.map(name => [name, COLUMNS[name]] as const)
  const key = [
    ['log', { type: 'text', of: ({ id }: Thing) => id }],
    ['nth', { type: 'number', of: ({ at }: Thing) => at }],
  ]
  return {
    name: form,
    id: ({ at, id }) => (keyed ? JSON.stringify([id, at]) : id),
    version: ({ version }) => version,
    columns: Object.fromEntries([...(keyed ? key : []), ...own]),
    indexes: Object.fromEntries(
      indexes
        .map(name => [name, INDEXES[name] ?? []] as const)
        .filter(([, of]) => of.every(column => columns.includes(column))),
    ),
    goesWith: {},
    ...FORMS[form],
  }
}

/** The kinds of one version. */
export type VersionKinds = readonly Kind<unknown>[]

/** A database that is open. */
export interface OpenedKinds {
  readonly documents: Documents
  close(): Promise<void>
}

/** Opens the database of an address; made of the modules of an adapter that know these kinds alone. */
export type OpenKinds = (address: string) => Promise<OpenedKinds>

/** The modules of an adapter, loaded as a version that has these kinds. */
export async function asVersion<Loaded>(
  kinds: VersionKinds,
  number: number,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  vi.resetModules()
  vi.doMock('@colloquy/core/store', async original => ({
    ...(await original<object>()),
    ALL_KINDS: [...NEEDED, ...kinds],
    KINDS_NUMBER: number,
  }))
  try {
    return await load()
  } finally {
    vi.doUnmock('@colloquy/core/store')
  }
}

const IDS = ['a', 'b', 'é', '𝒳', '%', 'x y'] as const

const thing = fc.record({
  id: fc.constantFrom(...IDS),
  at: fc.constantFrom(2, 10),
  version: fc.integer({ min: 1, max: 3 }),
  a: fc.constantFrom('one', 'two', '𝒳'),
  b: fc.option(fc.integer({ min: -2, max: 12 })),
  c: fc.option(fc.constantFrom('', 'x', 'é')),
})

const change = fc.record({
  form: fc.constantFrom(...Object.keys(FORMS)),
  put: thing,
  isRemoved: fc.boolean(),
  /** Calls of the filling until it is killed; half a step is one too. */
  calls: fc.constantFrom(0, 0, 0, 1, 2, 5),
})

const version = fc.record({
  columns: fc.uniqueArray(fc.constantFrom(...Object.keys(COLUMNS))),
  indexes: fc.uniqueArray(fc.constantFrom(...Object.keys(INDEXES))),
  forms: fc.uniqueArray(fc.constantFrom(...Object.keys(FORMS)), { minLength: 2 }),
  changes: fc.array(change, { maxLength: 10, size: 'max' }),
})

type Version = typeof version extends fc.Arbitrary<infer Value> ? Value : never

const kindsOf = ({ columns, forms, indexes }: Version): readonly Kind<Thing>[] =>
  forms.map(form => kindOf(form, columns, indexes))

/** Everything that lists hold, each in some ways. */
async function listed({ scan }: Documents, kinds: readonly Kind<Thing>[]) {
  const asked = kinds.flatMap(kind =>
    ['id', ...Object.keys(kind.indexes)].flatMap(index =>
      [{}, { descending: true, limit: 3 }, { skip: 1 }, { where: { a: ['one'] } }]
        .filter(({ where }: Partial<Range>) => where === undefined || kind.columns.a !== undefined)
        .map(async more => [kind.name, index, more, await scan(kind, index, { prefix: [], ...more })]),
    ),
  )
  return Promise.all(asked)
}

/** Puts or removes, as one who looked first. Documents that are kept are never changed. */
async function write(
  documents: Documents,
  kind: Kind<Thing>,
  { isRemoved, put }: Version['changes'][number],
) {
  const [found] = await documents.get(kind, [kind.id(put)])
  if (kind.isPermanent && found) return
  const own = kind as Kind<never>
  await documents.write({
    when: [{ kind: own, id: kind.id(put), version: found?.version ?? 0 }],
    ...(isRemoved ? { remove: [{ kind: own, id: kind.id(put) }] } : { put: [{ kind: own, value: put }] }),
  })
}

/** Documents as a process has them that is killed after some calls that fill; and when it is, or all is full. */
function killedAfter(documents: Documents, calls: number) {
  let resolve = (): void => {}
  const ended = new Promise<void>(done => {
    resolve = done
  })
  let left = calls
  const dying =
    <Given extends unknown[], Result>(run: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (left-- > 0) return run(...given)
      resolve()
      throw new Error('The process was killed.')
    }
  const mortal: Documents = {
    ...documents,
    refill: dying(documents.refill),
    write: dying(documents.write),
    async scan(kind, index, range) {
      const found = await documents.scan(kind, index, range)
      if (kind.name === 'filling' && found.length === 0) resolve()
      return found
    },
  }
  return { ended, mortal }
}

/** A clock by which nobody rests. */
const QUICK = {
  ...systemClock,
  schedule: (_delay: number, task: () => void) => systemClock.schedule(0, task),
}

/** Access of the test to an adapter. */
export interface LaterKindsOptions {
  /** Loads the adapter, within {@link asVersion}. */
  readonly load: () => Promise<OpenKinds>
  /** An address at which nothing is. */
  readonly fresh: () => Promise<string>
  readonly tries: readonly [few: number, many: number]
}

/** Rules SX222 to SX224: kinds that change from version to version. */
export function testLaterKinds(name: string, { fresh, load, tries }: LaterKindsOptions): void {
  const filled = (documents: Documents, kinds: VersionKinds) =>
    filledOver(documents, [...NEEDED, ...kinds], systemClock)

  describe(`${name}: later kinds`, () => {
    it('SX222 whatever versions a store went through, and wherever they were killed, it is one of the last of them', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 4, size: 'max' }), async versions => {
          const address = await fresh()
          const model = createMemoryDocuments()
          for (const [at, one] of versions.entries()) {
            const kinds = kindsOf(one)
            const open = await asVersion(kinds as readonly Kind<never>[], at + 1, load)
            const { close, documents } = await open(address)
            for (const made of one.changes) {
              const { ended, mortal } = killedAfter(documents, made.calls)
              const filling = filledOver(mortal, [...NEEDED, ...(kinds as readonly Kind<never>[])], QUICK)
              const kind = kinds.find(({ name }) => name === made.form)
              if (kind !== undefined) for (const each of [documents, model]) await write(each, kind, made)
              await ended
              await filling.close()
            }
            if (at === versions.length - 1) {
              const filling = filled(documents, kinds as readonly Kind<never>[])
              // Memory holds what was written by the kinds of before in the same tables.
              const fresh = createMemoryDocuments()
              for (const kind of kinds)
                for (const value of await model.scan(kind, 'id', { prefix: [] }))
                  await fresh.write({ when: [], put: [{ kind: kind as Kind<never>, value }] })
              expect(await listed(filling.documents, kinds)).toEqual(await listed(fresh, kinds))
              await filling.close()
              // Completed fillings stay complete while no process waits for them.
              expect(await listed(documents, kinds)).toEqual(await listed(fresh, kinds))
            }
            await close()
          }
        }),
        { numRuns: runs(...tries) },
      )
    })

    it('SX222 documents that others write while they are filled are as they were written, in every list', async () => {
      const address = await fresh()
      const [before, now] = [
        kindOf('plain', ['a'], ['a']),
        kindOf('plain', ['a', 'b', 'c'], ['a', 'b', 'ba', 'c']),
      ]
      const things = Array.from({ length: 300 }, (_, at) => ({
        ...{ id: `T-${String(at).padStart(3, '0')}`, at, version: 1, a: `${at % 7}`, b: at % 3, c: null },
      }))
      const first = await (await asVersion([before as Kind<never>], 1, load))(address)
      await first.documents.write({
        when: [],
        put: things.map(value => ({ kind: before as Kind<never>, value })),
      })
      await first.close()
      const open = await asVersion([now as Kind<never>], 2, load)
      const nodes = await Promise.all([1, 2, 3].map(() => open(address)))
      const filling = nodes.map(({ documents }) => filled(documents, [now as Kind<never>]))
      const lists = filling.map(({ documents }) => documents.scan(now, 'ba', { prefix: [] }))
      const model = createMemoryDocuments()
      await model.write({ when: [], put: things.map(value => ({ kind: now as Kind<never>, value })) })
      let seed = 1
      const drawn = (below: number) => {
        seed = (seed * 48_271) % 2_147_483_647
        return seed % below
      }
      for (let round = 0; round < 150; round++) {
        const [own] = [things[drawn(things.length)]]
        if (own === undefined) continue
        const [found] = await model.get(now, [own.id])
        const value = { ...own, version: (found?.version ?? 0) + 1, b: drawn(9), c: `${drawn(4)}` }
        const when = [{ kind: now as Kind<never>, id: own.id, version: found?.version ?? 0 }]
        const batch =
          drawn(4) === 0
            ? { when, remove: [{ kind: now as Kind<never>, id: own.id }] }
            : { when, put: [{ kind: now as Kind<never>, value }] }
        const node = nodes[drawn(3)]
        expect(await node?.documents.write(batch)).toBe(null)
        await model.write(batch)
      }
      for (const list of lists) await list
      for (const { documents } of filling)
        expect(await listed(documents, [now])).toEqual(await listed(model, [now]))
      for (const one of filling) await one.close()
      for (const one of nodes) await one.close()
    })

    it('SX224 a process of an earlier version is refused its writes in words once a later one has opened the store', async () => {
      const address = await fresh()
      const [before, now] = [kindOf('plain', ['a'], ['a']), kindOf('plain', ['a', 'b'], ['a', 'b'])] as const
      const [old, other] = [before as Kind<never>, kindOf('kept', ['a'], ['a']) as Kind<never>]
      const openOld = await asVersion([old, other], 1, load)
      const openNew = await asVersion([now as Kind<never>, other], 2, load)
      const value = { id: 'T', at: 2, version: 1, a: 'one', b: 1, c: null }
      const earlier = await openOld(address)
      expect(await earlier.documents.write({ when: [], put: [{ kind: old, value }] })).toBe(null)
      const later = await openNew(address)
      const at = (version: number) => [{ kind: old, id: 'T', version }]
      const next = { ...value, version: 2, b: 2 }
      for (const batch of [
        { when: at(1), put: [{ kind: old, value: next }] },
        { when: [{ kind: old, id: 'U', version: 0 }], put: [{ kind: old, value: { ...value, id: 'U' } }] },
        { when: at(1), remove: [{ kind: old, id: 'T' }] },
        { when: [], put: [{ kind: old, value: next }] },
        { when: [], put: [{ kind: other, value }] },
        { when: [], clear: [{ kind: old, index: 'a', prefix: ['one'] }] },
        {
          when: [...at(1), { kind: old, index: 'a', prefix: ['one'], atMost: 9 }],
          put: [{ kind: old, value: next }],
        },
      ])
        await expect(earlier.documents.write(batch)).rejects.toMatchObject({
          code: 'STORE_BUSY',
          message: expect.stringContaining('a later version of Colloquy has opened the store'),
        })
      expect(await earlier.documents.get(before, ['T'])).toEqual([value])
      expect(
        await later.documents.write({ when: at(1), put: [{ kind: now as Kind<never>, value: next }] }),
      ).toBe(null)
      const filling = filled(later.documents, [now as Kind<never>, other])
      expect(await filling.documents.scan(now, 'b', { prefix: [] })).toEqual([next])
      await filling.close()
      await expect(openOld(address)).rejects.toThrow(
        'of a later version of Colloquy. Use that version, or a later one.',
      )
      await later.close()
      await earlier.close()
    })

    it('SX224 a kind with another key, or a name that stands for something else, is refused in words', async () => {
      const address = await fresh()
      const kind = kindOf('plain', ['a', 'b'], ['a'])
      const opened = async (other: Kind<Thing>, number: number) =>
        (await asVersion([other as Kind<never>], number, load))(address)
      await (await opened(kind, 1)).close()
      for (const other of [
        { ...kind, columns: { ...kind.columns, a: { type: 'number', of: ({ at }) => at } } },
        { ...kind, indexes: { a: ['b'] } },
        { ...kind, words: () => [] },
      ] as readonly Kind<Thing>[])
        await expect(opened(other, 2)).rejects.toThrow('the kind plain of documents is another one there')
      await (await opened(kind, 1)).close()
    })
  })
}
