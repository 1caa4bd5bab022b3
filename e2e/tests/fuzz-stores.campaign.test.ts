import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fuzzStores } from '../fuzz/two-stores.ts'

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

test('FZ30 FZ31 a platform over memory and one over SQLite answer the same requests with the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-two-stores-'))
  try {
    console.log(`FUZZ_SEED=${SEED}`)
    const run = await fuzzStores({ filename: join(folder, 'fuzz.db'), rounds: 6, seed: SEED })
    expect(run.differences.slice(0, 3)).toEqual([])
    // It came deep, and it went wrong in every way.
    expect(run.statuses.get(200)).toBeGreaterThan(200)
    for (const status of [201, 204, 400, 401, 403, 404, 405])
      expect(run.statuses.get(status)).toBeGreaterThan(5)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
