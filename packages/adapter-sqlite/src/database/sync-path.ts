import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Has the disk keep what a file holds, or what the names of a folder lead to, also where SQLite does not ask for it.
 * Where the system cannot do so nothing happens: not every one can open a folder, or lets this process read the one
 * above its own.
 *
 * Never for the database itself or its `-shm`: closing one would take SQLite's locks on it away.
 */
export function syncPath(path: string, flags: 'r' | 'r+'): void {
  try {
    const descriptor = openSync(path, flags)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Said above.
  }
}
