import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Call, callsOf, lineOf } from './calls.ts'

/** A file of calls, one a line, that only grows. */
export interface Journal {
  /** What the file held when it was opened. */
  readonly calls: readonly Call[]
  /** Resolves when the call is on the disk, and rejects when it may not be; every later one rejects then. */
  append(call: Call): Promise<void>
  /** Resolves when everything that was appended before is on the disk. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Opens or creates a file. An incomplete last line, left by a crash, was never acknowledged and is removed. */
export async function openJournal(filename: string): Promise<Journal> {
  const file = await open(filename, 'a+')
  const calls = await readWhole(file, filename).catch(async error => {
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
    calls,
    append(call) {
      waiting.push(lineOf(call))
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

/** The whole calls of a file, which ends with the last of them afterwards. */
async function readWhole(file: FileHandle, filename: string): Promise<readonly Call[]> {
  const { calls, bytes } = callsOf(await file.readFile())
  await file.truncate(bytes)
  await syncFolder(filename)
  return calls
}

/** The name of a new file is on the disk when its folder is. */
async function syncFolder(filename: string): Promise<void> {
  const folder: FileHandle = await open(dirname(filename), 'r')
  await folder.sync()
  await folder.close()
}
