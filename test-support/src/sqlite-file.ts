import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'

/** The mode of the files that the store makes. */
const MODE = 0o600

/** Returns the file of a store that holds nothing. */
async function emptyImage(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-empty-'))
  try {
    const filename = join(folder, 'store.db')
    await createSqliteStore({ filename }).close()
    return readFileSync(filename)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const EMPTY = await emptyImage()

/**
 * Writes the file of a store that holds nothing: to open it takes less time than to make one.
 * @returns its name
 */
export function writeEmptyStore(filename: string): string {
  writeFileSync(filename, EMPTY, { mode: MODE, flag: 'wx' })
  return filename
}
