import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Hands over a folder of its own, which is removed when `use` is done. */
export async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'))
  try {
    await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
