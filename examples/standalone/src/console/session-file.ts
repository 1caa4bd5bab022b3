import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'

/** A session as it is kept: no one gets in with what stands there. */
const keptSession = z.object({
  hash: z.string(),
  name: z.string(),
  /** The key that opened it; null for the link. */
  keyId: z.string().nullable(),
  /** Milliseconds since the epoch. */
  until: z.number(),
})
export type KeptSession = Readonly<z.output<typeof keptSession>>

/** Storage in which sessions outlive the process (SS135). */
export interface SessionFile {
  read(): readonly KeptSession[]
  write(sessions: readonly KeptSession[]): void
}

/** Storage that keeps nothing. */
export const noFile: SessionFile = { read: () => [], write: () => undefined }

/**
 * A file beside the database, readable by its owner alone. What cannot be read is no session; that it could not be
 * written is told, and keeps nobody out.
 */
export function openSessionFile(database: string, onError: (error: unknown) => void): SessionFile {
  if (database === ':memory:') return noFile
  const path = `${resolve(database)}.sessions`
  return {
    read() {
      try {
        return z.array(keptSession).parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        return []
      }
    },
    write(sessions) {
      try {
        writeFileSync(`${path}.new`, JSON.stringify(sessions), { mode: 0o600 })
        renameSync(`${path}.new`, path)
      } catch (error) {
        onError(error)
      }
    },
  }
}
