import type { FileHandle } from 'node:fs/promises'
import { COPY_PARTS, type CopyCounts, contentOf } from '@colloquy/core'
import type { CopySource } from '@colloquy/core/store'
import type { ExportRead } from './export-file.ts'
import { type Line, lastLineOf, lineOf, SECTIONS } from './lines.ts'

/** Lines that are written at a time, characters. */
const BATCH = 1_048_576

/** Writes an export, or continues one after its last whole line (CY30). */
export async function writeExport(
  from: CopySource,
  file: FileHandle,
  { counts, end, hash, last }: ExportRead,
  onProgress: (counts: CopyCounts) => void,
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
  if (last?.kind !== 'handoff_order') await add('handoff_order', await from.copies.handoffOrder())
  await file.appendFile(waiting + lastLineOf(counts, hash))
  await file.sync()
}
