import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Desk, deskSchema, EMPTY_DESK } from './tickets.ts'

/** Storage of the help desk's tickets. */
export interface TicketFile {
  load(): Desk
  /** Returns when it would outlive the process: the old tickets or the new ones, never half of them. */
  save(desk: Desk): void
}

/** @param path null: kept nowhere. @throws Error for a file of another program */
export function openTicketFile(path: string | null): TicketFile {
  return {
    load: () =>
      path === null || !existsSync(path)
        ? EMPTY_DESK
        : deskSchema.parse(JSON.parse(readFileSync(path, 'utf8'))),
    save(desk) {
      if (path === null) return
      const fresh = `${path}.new`
      const file = openSync(fresh, 'w', 0o600)
      writeFileSync(file, JSON.stringify(desk))
      fsyncSync(file)
      closeSync(file)
      renameSync(fresh, path)
    },
  }
}
