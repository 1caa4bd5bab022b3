import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Batch } from '@colloquy/core/store'
import { batchesOf, lineOf } from './lines.ts'

/** A file of batches, one a line, that only grows. */
export interface Journal {
  /** The batches in the file when it was opened. */
  readonly batches: readonly Batch[]
  /** Resolves when the batch is on the disk, and rejects when it may not be; every later one rejects then. */
  append(batch: Batch): Promise<void>
  /** Resolves when everything that was appended before is on the disk. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Opens or creates a file. An incomplete last line, left by a crash, was never acknowledged and is removed. */
export async function openJournal(filename: string): Promise<Journal> {
  const file = await open(filename, 'a+')
  const batches = await readWhole(file, filename).catch(async error => {
    await file.close()
    throw error
  })
  let waiting: string[] = []
  let last: Promise<void> = Promise.resolve()

  /** One write and one fsync for all that has come meanwhile. */
  async function flush(): Promise<void> {
    const lines = waiting.join('')
    waiting = []
    if (lines === '') return
    await file.appendFile(lines)
    await file.sync()
  }
  return {
    batches,
    append(batch) {
      waiting.push(lineOf(batch))
      // Once one write has failed, all later ones fail: the content of the file is unknown by then.
      last = last.then(flush)
      // The caller gets the rejection; without this line it would also be reported as unhandled.
      last.catch(() => undefined)
      return last
    },
    settled: () => last,
    async close() {
      await last.catch(() => undefined)
      await file.close()
    },
  }
}

/** The whole batches of a file, which ends with the last of them afterwards. */
async function readWhole(file: FileHandle, filename: string): Promise<readonly Batch[]> {
  const { batches, bytes } = batchesOf(await file.readFile())
  await file.truncate(bytes)
  await syncFolder(filename)
  return batches
}

/** The name of a new file is on the disk when its folder is. */
async function syncFolder(filename: string): Promise<void> {
  const folder: FileHandle = await open(dirname(filename), 'r')
  await folder.sync()
  await folder.close()
}
