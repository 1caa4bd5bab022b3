import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { compareKeys } from '@colloquy/core'
import type { CopySource } from '@colloquy/core/store'
import { z } from 'zod'
import type { ReadBytes } from '../bytes/stored-bytes.ts'
import { refuseLink } from '../copy/place.ts'
import { Failure } from '../failure.ts'
import { byteName, exportSource, type Places, readPieces } from './export-source.ts'
import {
  FORMAT,
  isBeginning,
  type Line,
  lastLineOf,
  lineFrom,
  linesFrom,
  pieceOf,
  SECTIONS,
} from './lines.ts'

/** Only its owner may read it: it holds secrets. */
const MODE = 0o600

/** Opens an export, to go on with it or to read it. @throws Failure for what is no file, or cannot be opened */
export async function openExport(name: string, use: 'write' | 'read'): Promise<FileHandle> {
  const filename = resolve(name)
  if (use === 'write') refuseLink('The export', filename)
  const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT } = constants
  const flags = use === 'read' ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT
  const file = await open(filename, flags, MODE).catch((error: Error) => {
    throw new Failure(`${name} cannot be opened: ${error.message}.`)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Failure(`${name} is not a file. Name a file.`)
}

/** An export as it was found: as far as it goes, a source of copies. */
export interface ExportRead extends CopySource {
  /** Whether the last line is there, and matches the lines before it. */
  readonly isWhole: boolean
  readonly lines: number
  /** Byte offset of the end of its last whole line. */
  readonly end: number
  readonly last: Pick<Line, 'kind' | 'key'> | null
  readonly counts: Map<string, number>
  readonly hash: ReturnType<typeof createHash>
  /** Reads the bytes of files in it. */
  readonly read: ReadBytes
}

/** Fields of a conversation that its mark consists of. */
const MARK = z
  .object({
    id: z.string(),
    version: z.number(),
    wakeAt: z.number().nullable(),
    state: z.object({ startedAt: z.number() }),
    externalEvents: z.array(z.unknown()),
  })
  .transform(({ externalEvents, state: { startedAt }, ...mark }) => ({
    ...mark,
    startedAt,
    externalEvents: externalEvents.length,
  }))

const LAST = z.object({ format: z.number() })

/** Notes where a line is. Returns false for one that cannot stand there. */
function note(places: Places, { key, kind, value }: Line, at: number, last: ExportRead['last']): boolean {
  const order: readonly string[] = SECTIONS
  if (last !== null && order.indexOf(kind) < order.indexOf(last.kind)) return false
  if (last?.kind === kind && compareKeys(last.key, key) >= 0) return false
  if (!places.starts.has(kind)) places.starts.set(kind, at)
  const piece = pieceOf({ kind, value })
  if (piece?.at === 0) places.bytes.set(byteName(piece.id, piece.part), at)
  if (kind !== 'conversation') return true
  const mark = MARK.safeParse(value)
  if (mark.success) places.marks.push(mark.data)
  places.offsets.push(at)
  return mark.success
}

/**
 * Reads an export once, and notes where everything is.
 *
 * @throws Failure that names the line, for what is no export, was changed, or is of another version (CY30)
 */
export async function readExport(file: FileHandle, name: string): Promise<ExportRead> {
  const refusal = (line: number, found: string): Failure => new Failure(`${name}, line ${line}: ${found}.`)
  const other = 'this is no line of an export, or it was changed. Name another file'
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64), position: 0 })
  if (!isBeginning(buffer.toString('utf8', 0, bytesRead))) throw refusal(1, other)
  const places: Places = { starts: new Map(), marks: [], offsets: [], bytes: new Map() }
  const [counts, hash] = [new Map<string, number>(), createHash('sha256')]
  let [lines, end, isWhole] = [0, 0, false]
  let [last, problem]: [ExportRead['last'], Failure | null] = [null, null]
  for await (const { bytes, at } of linesFrom(file, 0)) {
    lines++
    end = at + bytes.length
    const line = lineFrom(bytes)
    if (line?.kind === 'end' && !isWhole) {
      const format = LAST.safeParse(line.value).data?.format ?? FORMAT
      // Before all that was found so far: another format may have other lines.
      if (format !== FORMAT)
        throw refusal(
          lines,
          `the format is ${format}, that of another version of Colloquy; this one reads ${FORMAT}. Use the version that made the file`,
        )
      isWhole = true
      if (bytes.toString() !== lastLineOf(counts, hash))
        problem ??= refusal(
          lines,
          'it does not fit the lines before it: the file was changed. Name another one',
        )
    } else if (line === null || isWhole || !note(places, line, at, last)) problem ??= refusal(lines, other)
    else {
      last = { kind: line.kind, key: line.key }
      counts.set(line.kind, (counts.get(line.kind) ?? 0) + 1)
      hash.update(bytes)
    }
  }
  if (problem !== null) throw problem
  const read = readPieces(file, places)
  return { isWhole, lines, end, last, counts, hash, read, ...exportSource(file, places) }
}
