import { createMemoryDocuments } from '../../src/memory/index.ts'
import { type Batch, type Kind, type Range, storeOver } from '../../src/store.ts'

/** Kinds that are written now and then, for whatever has happened since. */
const NOW_AND_THEN: readonly string[] = ['counter', 'interval_chunk', 'interval_column', 'interval_packing']

const namesOf = ({ put = [], remove = [] }: Batch): readonly string[] =>
  [...put, ...remove].map(({ kind }) => kind.name)

/** A store in memory that notes what it reads and writes. A write of texts can be made to fail, before or after it is made. */
export function createNotedStore() {
  const documents = createMemoryDocuments()
  const written: (readonly string[])[] = []
  const read: string[] = []
  const failing = { next: null as 'before' | 'after' | null }
  let sequence = 0
  const noted = {
    ...documents,
    get<T>(kind: Kind<T>, ids: readonly string[]) {
      read.push(kind.name)
      return documents.get(kind, ids)
    },
    scan<T>(kind: Kind<T>, index: string, range: Range) {
      read.push(kind.name)
      return documents.scan(kind, index, range)
    },
    async write(batch: Batch) {
      const names = namesOf(batch)
      const fails = names.includes('text_pair') ? failing.next : null
      if (fails !== null) failing.next = null
      if (fails === 'before') throw new Error('The disk is full.')
      const place = await documents.write(batch)
      if (place === null && !names.every(name => NOW_AND_THEN.includes(name))) written.push(names)
      if (fails === 'after') throw new Error('The connection was lost.')
      return place
    },
  }
  const ports = { nextSequence: () => ++sequence, random: Math.random }
  return { failing, read, written, store: storeOver(noted, ports, async () => {}) }
}
