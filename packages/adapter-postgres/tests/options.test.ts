import { describe, expect, it } from 'vitest'
import { createPostgresStore } from '../src/store.ts'

const EXAMPLE =
  "For example createPostgresStore({ url: 'postgres://user:password@localhost:5432/colloquy' })."
const url = 'postgres://me:secret@localhost/db'

const given = (options?: unknown): Promise<unknown> =>
  Reflect.apply(createPostgresStore, undefined, [options])

describe('options', () => {
  it.each([
    ['a.db', `createPostgresStore takes an object of options, not string. ${EXAMPLE}`],
    [null, `createPostgresStore takes an object of options, not null. ${EXAMPLE}`],
    [{}, `createPostgresStore takes a url or a pool: one of them, and not both. ${EXAMPLE}`],
    [{ url, pool: {} }, `createPostgresStore takes a url or a pool: one of them, and not both. ${EXAMPLE}`],
    [{ url, shema: 'a' }, 'createPostgresStore has no option "shema". Did you mean schema?'],
    [{ url: '' }, `url must be a text, not an empty string. ${EXAMPLE}`],
    [{ url: 5 }, `url must be a text, not number. ${EXAMPLE}`],
    [{ url: 'localhost secret' }, `url must be a URL: it cannot be read as one. ${EXAMPLE}`],
    [{ url: 'mysql://localhost' }, `url must begin with postgres: or postgresql:, not mysql: ${EXAMPLE}`],
    [{ pool: 'p' }, `pool must be a Pool of pg, not "p". ${EXAMPLE}`],
    [
      { pool: { connect() {}, query() {} }, maxConnections: 2 },
      `maxConnections goes with url; a pool that is handed in has its own. ${EXAMPLE}`,
    ],
    [{ url, schema: '' }, `schema must be a name of 1 to 63 bytes, not "". ${EXAMPLE}`],
    [
      { url, schema: 'é'.repeat(32) },
      `schema must be a name of 1 to 63 bytes, not "${'é'.repeat(32)}". ${EXAMPLE}`,
    ],
    [{ url, schema: 'pg_mine' }, `schema must not be one of PostgreSQL's own, as pg_mine is. ${EXAMPLE}`],
    [{ url, prepare: 'no' }, `prepare must be true or false, not "no". ${EXAMPLE}`],
    [{ url, exclusive: 1 }, `exclusive must be true or false, not 1. ${EXAMPLE}`],
    [
      { url, maxConnections: 0 },
      `maxConnections must be a whole number from 1 to 2147483647, not 0. ${EXAMPLE}`,
    ],
    [
      { url, writesPerStatement: 1_001 },
      `writesPerStatement must be a whole number from 1 to 1000, not 1001. ${EXAMPLE}`,
    ],
    [
      { url, lockTimeout: 1.5 },
      `lockTimeout must be a whole number from 0 to 2147483647, not 1.5. ${EXAMPLE}`,
    ],
  ])('EM4 %j is refused', async (options, message) => {
    await expect(given(options)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED', message })
  })
})
