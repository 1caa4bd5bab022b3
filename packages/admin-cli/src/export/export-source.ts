import type { FileHandle } from 'node:fs/promises'
import { compareKeys, contentOf } from '@colloquy/core'
import type {
  ConversationMark,
  CopiedConversation,
  CopiedKind,
  CopiedParts,
  CopyKey,
  CopyReads,
  CopySource,
  KeptAuditEntry,
} from '@colloquy/core/store'
import type { ReadBytes } from '../bytes/stored-bytes.ts'
import { lineFrom, linesFrom, pieceOf } from './lines.ts'

/** Byte offsets of the parts of an export. */
export interface Places {
  /** Offset of the first line of each kind. */
  readonly starts: Map<string, number>
  /** Marks of all conversations, in their order. */
  readonly marks: ConversationMark[]
  /** Offsets of their lines. */
  readonly offsets: number[]
  /** Offset of the first piece of each file, by the id of its document and its part. */
  readonly bytes: Map<string, number>
}

/** Names bytes among others of an export. */
export const byteName = (id: string, part: number): string => `${id} ${part}`

/** Reads bytes from an export, as a port would. */
export const readPieces =
  (file: FileHandle, { bytes: starts }: Pick<Places, 'bytes'>): ReadBytes =>
  async ({ key: [id, part] }) => {
    const start = starts.get(byteName(id, part))
    if (start === undefined) return null
    return (async function* () {
      for await (const { bytes } of linesFrom(file, start)) {
        const line = lineFrom(bytes)
        const piece = line === null ? null : pieceOf(line)
        if (piece?.id !== id || piece.part !== part) return
        yield Buffer.from(piece.data, 'base64')
      }
    })()
  }

/** Newest last. */
const compareEntries = (one: KeptAuditEntry, other: KeptAuditEntry): number =>
  one.entry.at - other.entry.at || one.sequence - other.sequence

/** Counts the conversations up to that id, including it. */
function countThrough(marks: readonly ConversationMark[], id: string): number {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareKeys([marks[middle]?.id ?? ''], [id]) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads the value of the first line from a place on. */
async function valueAt(file: FileHandle, at: number | undefined): Promise<unknown> {
  if (at !== undefined) for await (const { bytes } of linesFrom(file, at)) return lineFrom(bytes)?.value
  return undefined
}

/** Reads an export as a store to copy from. */
export function exportSource(file: FileHandle, { starts, marks, offsets }: Places): CopySource {
  /** End of the last page of each kind, at which the next page begins. */
  const ends = new Map<string, { readonly key: CopyKey; readonly at: number }>()

  async function page<Kind extends CopiedKind>(
    kind: Kind,
    after: CopyKey | null,
    { count, bytes: most }: { readonly count: number; readonly bytes: number },
  ): Promise<readonly CopiedParts[Kind][]> {
    const found: CopiedParts[Kind][] = []
    const end = ends.get(kind)
    const isNext = after !== null && end !== undefined && compareKeys(end.key, after) === 0
    const start = isNext ? end.at : starts.get(kind)
    let length = 0
    if (start !== undefined)
      for await (const { bytes, at } of linesFrom(file, start)) {
        const line = lineFrom(bytes)
        if (line?.kind !== kind || found.length === count) break
        if (after !== null && compareKeys(line.key, after) <= 0) continue
        length += bytes.length
        if (found.length > 0 && length > most) break
        found.push(line.value as CopiedParts[Kind])
        ends.set(kind, { key: line.key, at: at + bytes.length })
      }
    return found
  }

  const copies: CopyReads = {
    page,
    async marks(after, count) {
      const from = after === null ? 0 : countThrough(marks, after)
      return marks.slice(from, from + count)
    },
    async conversation(id) {
      const place = countThrough(marks, id) - 1
      return marks[place]?.id === id ? ((await valueAt(file, offsets[place])) as CopiedConversation) : null
    },
    handoffOrder: async () => ((await valueAt(file, starts.get('handoff_order'))) ?? []) as readonly string[],
  }
  return {
    copies,
    audit: {
      // Only the newest entry behind a place: a copy asks for no more.
      async list({ after }) {
        let newest: KeptAuditEntry | null = null
        for await (const part of contentOf(copies, 'audit_entry')) {
          const entry = part as KeptAuditEntry
          const isBehind =
            after === undefined ||
            entry.entry.at < after.at ||
            (entry.entry.at === after.at && entry.sequence < after.sequence)
          if (isBehind && (newest === null || compareEntries(entry, newest) > 0)) newest = entry
        }
        return { values: newest === null ? [] : [newest], more: false }
      },
    },
  }
}
