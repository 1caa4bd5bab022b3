import type { Clock } from '../ports/clock.ts'
import { copied } from './copied.ts'
import type { Batch, Documents, Kind, Range } from './documents.ts'
import { FILLING, type Filling } from './later.ts'
import { columnsOfIndex } from './row.ts'

/** A step takes about so long, milliseconds: a write that comes meanwhile waits for it. */
const STEP = 6

/** Documents of a step at most. */
const MOST = 64

/** Between two rounds of steps, milliseconds: more than half of the time is left to others. */
const REST = 10

/** The time until the next check if another process fills, or if none can, milliseconds. */
const LOOK = 500

/** Documents whose lists can be gone by, and what fills those that cannot yet. */
export interface Filled {
  readonly documents: Documents
  /** Stops the filling, which the next process continues, and rejects those who wait for it. */
  close(): Promise<void>
}

/** The parts of a kind by which a call selects. */
type Asked = Pick<Range, 'where' | 'containing'> & { readonly kind: Kind<unknown>; readonly index: string }

const isMissing = ({ columns, indexes }: Filling, { index, kind, where = {} }: Asked): boolean =>
  indexes.includes(index) ||
  [...columnsOfIndex(kind, index), ...Object.keys(where)].some(column => columns.includes(column))

/** Reports whether all that is asked for is full. */
const isFullIn = (fillings: readonly Filling[], asked: Asked): boolean =>
  !fillings.some(filling => filling.kind === asked.kind.name && isMissing(filling, asked)) &&
  !fillings.some(
    ({ columns, kind }) => kind === asked.containing?.kind.name && columns.includes(asked.containing.column),
  )

/** Returns the parts of indexes that a batch goes by. */
const askedBy = ({ clear = [], when }: Batch): readonly Asked[] => [
  ...when.flatMap(condition => ('index' in condition ? [condition] : [])),
  ...clear,
]

/** Returns a batch that nobody changes while it waits. */
const ownBatch = ({ outbox, put = [], when, ...rest }: Batch): Batch => ({
  ...rest,
  when: when.map(one => ({ ...one })),
  put: put.map(one => ({ ...one, value: copied(one.value) })),
  outbox: copied(outbox),
})

/** The documents, the clock and the kinds that all steps share. */
interface Steps {
  readonly documents: Documents
  readonly clock: Clock
  readonly kinds: ReadonlyMap<string, Kind<unknown>>
  /** The number of documents of a kind that a step takes. */
  readonly limits: Map<string, number>
}

/**
 * Fills some documents. Returns false if another process was quicker. Documents that were written twice are the same.
 */
async function step({ clock, documents, kinds, limits }: Steps, filling: Filling): Promise<boolean> {
  const { after, columns, kind: id, version } = filling
  const kind = kinds.get(id)
  const began = clock.monotonic()
  const limit = limits.get(id) ?? 1
  const names = columns.filter(name => kind?.columns[name] !== undefined)
  const last = kind === undefined ? null : await documents.refill(kind, names, { after, limit })
  const took = clock.monotonic() - began
  limits.set(id, took > STEP ? Math.ceil(limit / 2) : Math.min(MOST, limit * 2))
  const refused = await documents.write({
    when: [{ kind: FILLING, id, version }],
    ...(last === null
      ? { remove: [{ kind: FILLING, id }] }
      : { put: [{ kind: FILLING, value: { ...filling, after: last, version: version + 1 } }] }),
  })
  return refused === null
}

/**
 * Fills columns and indexes that were added after their documents, in steps. Several processes may do so at once, and
 * one continues where another one was stopped. A read that uses an incomplete list waits until it is full: reading it
 * in another way would cost as much as filling it, and filling happens only once.
 */
export function filledOver(documents: Documents, kinds: readonly Kind<unknown>[], clock: Clock): Filled {
  const { scan, write } = documents
  const byName = new Map(kinds.map(kind => [kind.name, kind]))
  const steps: Steps = { documents, clock, kinds: byName, limits: new Map() }
  let isFull = false
  let isClosed = false
  let wake = (): void => {}
  const waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  /** The fillings that are not complete. The loop refreshes them. */
  let looked: Promise<readonly Filling[]> | null = null

  function look(): Promise<readonly Filling[]> {
    looked = scan(FILLING, 'id', { prefix: [] })
    return looked
  }

  const pause = (milliseconds: number): Promise<void> =>
    new Promise(resolve => {
      const callOff = clock.schedule(milliseconds, resolve)
      wake = () => {
        callOff()
        resolve()
      }
    })

  /** Returns a step of each kind, so that small ones do not wait for large ones. */
  async function round(): Promise<boolean> {
    const fillings = await look()
    isFull = fillings.length === 0
    for (const { resolve } of waiting.splice(0)) resolve()
    for (const filling of fillings) if (isClosed || !(await step(steps, filling))) return false
    return true
  }

  async function fill(): Promise<void> {
    while (!isClosed) {
      const isOurs = await round().catch(() => false)
      if (isFull) return
      if (!isClosed) await pause(isOurs ? REST : LOOK)
    }
  }

  /** Resolves once everything is full that is asked for. */
  async function full(asked: readonly Asked[]): Promise<void> {
    for (;;) {
      const found = looked ?? look()
      const fillings = await found.catch(async error => {
        if (looked === found) looked = null
        throw error
      })
      if (asked.every(one => isFullIn(fillings, one))) return
      if (isClosed) throw new Error('The store is closed.')
      await new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
    }
  }

  const filling = fill()
  return {
    documents: {
      ...documents,
      scan(kind, index, range) {
        if (isFull) return scan(kind, index, range)
        return full([{ ...range, kind: kind as Kind<never>, index }]).then(() => scan(kind, index, range))
      },
      write(batch) {
        const asked = isFull ? [] : askedBy(batch)
        if (asked.length === 0) return write(batch)
        const kept = ownBatch(batch)
        return full(asked).then(() => write(kept))
      },
    },
    async close() {
      isClosed = true
      for (const { reject } of waiting) reject(new Error('The store is closed.'))
      wake()
      await filling
    },
  }
}
