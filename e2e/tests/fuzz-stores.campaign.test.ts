import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { postgresSchemas } from '@colloquy/test-support/postgres'
import { SEED } from '@colloquy/test-support/seed'
import { useServer } from '@colloquy/test-support/servers'
import { describe, expect, test } from 'vitest'
import { fuzzStores, type StoresFigures } from '../fuzz/two-stores.ts'

const ROUNDS = 12

/** Both answered the same; the run came deep, and it went wrong in every way. */
function expectNoDifference({ differences, statuses }: StoresFigures): void {
  expect(differences.slice(0, 3)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(200)
  for (const status of [201, 204, 400, 401, 403, 404, 405]) expect(statuses.get(status)).toBeGreaterThan(0)
}

test('a platform over memory and one over SQLite answer the same requests with the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-two-stores-'))
  try {
    console.log(`COLLOQUY_TEST_SEED=${SEED}`)
    const store = createSqliteStore({ filename: join(folder, 'fuzz.db') })
    expectNoDifference(await fuzzStores({ store, rounds: ROUNDS, seed: SEED }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe('PostgreSQL', async () => {
  const url = await useServer('postgres')

  test('a platform over memory and one over PostgreSQL answer the same requests with the same', async () => {
    const schemas = postgresSchemas(url)
    try {
      console.log(`COLLOQUY_TEST_SEED=${SEED}`)
      const store = await createPostgresStore({ url, schema: schemas.fresh() })
      expectNoDifference(await fuzzStores({ store, rounds: ROUNDS, seed: SEED }))
    } finally {
      await schemas.remove()
    }
  })
})
