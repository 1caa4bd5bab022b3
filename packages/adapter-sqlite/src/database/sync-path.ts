import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Syncs a file, or the names in a folder, to the disk, also where SQLite does not do so. Does nothing if the system
 * cannot: not every system can open a folder, or lets this process read the one above its own. Never use it for the
 * database itself or its `-shm`: closing one would release SQLite's locks.
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
