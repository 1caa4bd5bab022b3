import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { COPY_PARTS, keyOf, partText } from '@colloquy/core'
import type { CopyKey } from '@colloquy/core/store'
import { z } from 'zod'
import { BYTE_KINDS, type ByteKind } from '../bytes/stored-bytes.ts'

/** The format of an export (CY29). Raise it when a line, or any document that is copied, gets another shape. */
export const FORMAT = 2

/** Kinds of lines in their order: bytes of files, in pieces, come last. The last line of all has the kind `end`. */
export const SECTIONS = [...COPY_PARTS, 'handoff_order', ...BYTE_KINDS] as const

const LINE = z.object({ kind: z.enum([...SECTIONS, 'end']), value: z.unknown() })

const CONVERSATION = z.object({ id: z.string() })

/** A piece of bytes: of which document and part, at which offset, in base64. */
const PIECE = z.object({ id: z.string(), part: z.number(), at: z.number(), data: z.string() })
export type Piece = z.output<typeof PIECE>

/** Bytes of one line: a multiple of three, so that only the last line of a file has padding. */
export const PIECE_BYTES = 196_608

const isBytes = (kind: Line['kind']): kind is ByteKind => (BYTE_KINDS as readonly string[]).includes(kind)

/** Returns the piece of a line; null for a line of another kind. */
export const pieceOf = ({ kind, value }: Pick<Line, 'kind' | 'value'>): Piece | null =>
  isBytes(kind) ? (PIECE.safeParse(value).data ?? null) : null

/** A line as it was read. Nothing is promised of its value until the hash of the file is known to be right. */
export interface Line extends z.output<typeof LINE> {
  /** The key by which lines of its kind are ordered. Empty if there is one. */
  readonly key: CopyKey
}

const headOf = (kind: Line['kind']): string => `{"kind":"${kind}","value":`

/** Returns a line as it is written: the same bytes, whatever store its value comes from. */
export const lineOf = (kind: Line['kind'], value: unknown): string => `${headOf(kind)}${partText(value)}}\n`

/** Returns the last line, with the number of lines of each kind before it and a hash over them. */
export const lastLineOf = (counts: ReadonlyMap<string, number>, hash: Hash): string =>
  lineOf('end', { counts: Object.fromEntries(counts), format: FORMAT, sha256: hash.copy().digest('hex') })

/** Reads a line. Returns null for anything else. */
export function lineFrom(bytes: Buffer): Line | null {
  try {
    const { kind, value } = LINE.parse(JSON.parse(bytes.toString()))
    if (kind === 'end' || kind === 'handoff_order') return { kind, value, key: [] }
    if (isBytes(kind)) {
      const { at, id, part } = PIECE.parse(value)
      return { kind, value, key: [id, part, at] }
    }
    const key = kind === 'conversation' ? [CONVERSATION.parse(value).id] : keyOf(kind, value as never)
    return { kind, value, key }
  } catch {
    return null
  }
}

/** Reports whether a file that begins like this may be an export, also one that was cut off within its first line. */
export const isBeginning = (text: string): boolean =>
  [...SECTIONS, 'end' as const].some(kind => text.startsWith(headOf(kind)) || headOf(kind).startsWith(text))

/** Size of one read, bytes. */
const CHUNK = 65_536

/** Returns the lines of a file from a place on. One without its line feed is not whole, and left out. */
export async function* linesFrom(
  file: FileHandle,
  start: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly at: number }, void> {
  let [at, begun]: [number, Buffer[]] = [start, []]
  for (let position = start; ; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(CHUNK), position })
    if (bytesRead === 0) return
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    let from = 0
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      const bytes = Buffer.concat([...begun, chunk.subarray(from, feed + 1)])
      yield { bytes, at }
      at += bytes.length
      from = feed + 1
      begun = []
    }
    begun.push(chunk.subarray(from))
  }
}
