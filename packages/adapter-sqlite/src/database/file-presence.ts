import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'

/** Returns the device and inode of a file; undefined if it does not exist. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * Sees whether the files of an open database are still those under its name: SQLite goes on writing to files that were
 * deleted or replaced, and what it says to have kept is gone with the process.
 *
 * @throws Error from the function that it returns, when a file was removed or replaced
 */
export function createPresenceCheck({ name, memory }: Pick<Database, 'name' | 'memory'>): () => void {
  if (memory) return () => {}
  const opened = [name, `${name}-wal`]
    .map(file => resolve(file))
    .map(file => ({ file, identity: identityOf(file) }))
    .filter(({ identity }) => identity !== undefined)
  return () => {
    for (const { file, identity } of opened)
      if (identityOf(file) !== identity)
        throw new Error(
          `${file} was removed or replaced while it was open; nothing is kept until it is back, or the process is started again.`,
        )
  }
}
