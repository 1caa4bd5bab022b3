import type { Files } from '../ports/files.ts'

/** Files in memory, and what happened to them. */
export interface MemoryFiles extends Files {
  /** The bytes that are stored now, by their ids. */
  readonly stored: ReadonlyMap<string, Uint8Array>
  /** Makes the next calls fail, or never answer, until it is called with null. */
  fault(fault: 'fails' | 'hangs' | null): void
}

/** Returns a port `Files` that keeps all bytes in memory. */
export function createMemoryFiles(): MemoryFiles {
  const stored = new Map<string, Uint8Array>()
  let fault: 'fails' | 'hangs' | null = null
  async function answer(): Promise<void> {
    if (fault === 'fails') throw new Error('The files cannot be reached.')
    if (fault === 'hangs') await new Promise(() => undefined)
  }
  return {
    stored,
    fault(next) {
      fault = next
    },
    async put({ content, id, signal }) {
      signal.throwIfAborted()
      await answer()
      stored.set(id, content.slice())
    },
    async get({ id, range, signal }) {
      signal.throwIfAborted()
      await answer()
      const bytes = stored.get(id)
      return bytes === undefined ? null : chunksOf(bytes.subarray(range?.from, range?.to))
    },
    async remove({ id, signal }) {
      signal.throwIfAborted()
      await answer()
      stored.delete(id)
    },
  }
}

const CHUNK = 65_536

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.slice(at, at + CHUNK)
}

/** A picture of one red pixel, as PNG. */
export const A_PICTURE: Uint8Array = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'),
  character => character.charCodeAt(0),
)
