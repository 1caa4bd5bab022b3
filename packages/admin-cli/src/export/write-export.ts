import type { FileHandle } from 'node:fs/promises'
import { COPY_PARTS, compareKeys, contentOf } from '@colloquy/core'
import { piecesOf } from '@colloquy/core/transport'
import { BYTE_KINDS, type StoredBytes, storedBytes, type WithBytes } from '../bytes/stored-bytes.ts'
import type { ShownCounts } from '../copy/progress.ts'
import { Failure } from '../failure.ts'
import type { ExportRead } from './export-file.ts'
import { type Line, lastLineOf, lineOf, PIECE_BYTES, SECTIONS } from './lines.ts'

/** Lines that are written at a time, characters. */
const BATCH = 1_048_576

/**
 * Writes an export, or continues one after its last whole line (CY30). Without `read`
 * the bytes of files are left out.
 *
 * @throws Failure for a file that is cut off behind the port
 */
export async function writeExport(
  from: WithBytes,
  file: FileHandle,
  { counts, end, hash, last }: ExportRead,
  onProgress: (counts: ShownCounts) => void,
): Promise<void> {
  await file.chmod(0o600)
  await file.truncate(end)
  let waiting = ''
  const write = async (text: string): Promise<void> => {
    waiting += text
    if (waiting.length < BATCH) return
    await file.appendFile(waiting)
    waiting = ''
  }
  const add = (kind: Line['kind'], value: unknown): Promise<void> => {
    const text = lineOf(kind, value)
    hash.update(text)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return write(text)
  }
  const order: readonly string[] = SECTIONS
  const reached = last === null ? 0 : order.indexOf(last.kind)
  for (const [place, part] of COPY_PARTS.entries()) {
    if (place < reached) continue
    const tally = { part, same: counts.get(part) ?? 0, copied: 0, dropped: 0 }
    const behind = last?.kind === part ? last.key : null
    for await (const value of contentOf(from.copies, part, behind)) {
      await add(part, value)
      if (++tally.copied % 100 === 0) onProgress({ ...tally })
    }
    onProgress(tally)
  }
  if (reached < order.indexOf('handoff_order') || last === null)
    await add('handoff_order', await from.copies.handoffOrder())
  for (const part of BYTE_KINDS) {
    const { read } = from
    if (!read || order.indexOf(part) < reached) continue
    const tally = { part, same: 0, copied: 0, dropped: 0 }
    // An earlier run may have ended within a file: its other pieces follow.
    const behind = last?.kind === part ? last.key : null
    for await (const stored of storedBytes(from.copies, part)) {
      const { key, size } = stored
      if (behind !== null && compareKeys(key, behind.slice(0, key.length)) < 0) continue
      let at = 0
      for await (const piece of piecesOf((await read(stored)) ?? none(), PIECE_BYTES)) {
        const [id, of] = key
        const end = at + piece.length
        // A piece that would be another one in the next run is never written.
        if (end > size || (piece.length < PIECE_BYTES && end < size)) throw cutOff(stored, end)
        const data = Buffer.from(piece).toString('base64')
        if (behind === null || compareKeys([id, of, at], behind) > 0)
          await add(part, { at, data, id, part: of })
        at = end
      }
      if (at !== 0 && at !== size) throw cutOff(stored, at)
      tally.copied++
      onProgress({ ...tally })
    }
  }
  await file.appendFile(waiting + lastLineOf(counts, hash))
  await file.sync()
}

const cutOff = ({ id, size }: StoredBytes, bytes: number): Failure =>
  new Failure(`The file ${id} has ${bytes} bytes, not the ${size} that the store says.`)

async function* none(): AsyncGenerator<Uint8Array> {}
