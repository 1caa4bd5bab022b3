import { jsonBytes } from '../domain/utf8-bytes.ts'
import type { CopiedKind, CopiedParts, CopyStore } from './copies.ts'
import type { Kind } from './documents.ts'
import type { Guarded } from './guarded.ts'
import { DOCUMENT_KINDS } from './kinds.ts'

const kindOf = <Name extends CopiedKind>(name: Name) => DOCUMENT_KINDS[name] as Kind<CopiedParts[Name]>

/** The number of documents to read first. Their length decides how many follow. */
const READ_FIRST = 4

/** The part of a copy that is documents in every store. */
export type DocumentCopies = Pick<CopyStore, 'page' | 'take' | 'drop'>

/** Documents, given to another store and taken from it. */
export const documentCopiesOver = ({ scan, write }: Guarded): DocumentCopies => ({
  async page(name, after, { bytes, count }) {
    const kind = kindOf(name)
    const page = []
    let length = 0
    for (let limit = Math.min(READ_FIRST, count), place = after; limit > 0; ) {
      const found = await scan(kind, 'id', { prefix: [], after: place ?? undefined, limit })
      for (const value of found) {
        length += jsonBytes(value)
        if (page.length > 0 && length > bytes) return page
        page.push(value)
        place = [kind.id(value)]
      }
      if (found.length < limit) return page
      const fitting = Math.ceil((bytes - length) / (length / page.length))
      limit = Math.min(count - page.length, fitting)
    }
    return page
  },
  async take(name, parts) {
    await write({ when: [], put: parts.map(value => ({ kind: kindOf(name), value })) })
  },
  async drop(name, keys) {
    await write({ when: [], remove: keys.map(([id]) => ({ kind: kindOf(name), id: String(id) })) })
  },
})
