import type { CopyableStore } from '@colloquy/core/store'
import { ownPgbouncer } from '@colloquy/test-support/own-pgbouncer'
import { type PostgresSchemas, postgresSchemas } from '@colloquy/test-support/postgres'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { afterAll, describe } from 'vitest'
import { createPostgresStore } from '../src/store.ts'

/** Stores of a test file, each with a schema of its own. */
export interface TestStores {
  readonly schemas: PostgresSchemas
  /** A store that holds nothing. Schemas of stores that were closed are emptied and taken again. */
  open(): Promise<CopyableStore>
  /** Another store on the same schema. */
  openAgain(store: CopyableStore): Promise<CopyableStore>
  schemaOf(store: CopyableStore): string
}

/** Commits that do not wait for the disk: what tests ask of it is not what a crash leaves. */
function withoutWaiting(url: string): string {
  const quick = new URL(url)
  quick.searchParams.set('options', '-c synchronous_commit=off')
  return quick.href
}

/** How the stores of a test file are opened. */
interface StoreOptions {
  readonly prepare?: boolean
  /** The address at which stores find the database. @default that of the server, without waiting for its disk */
  readonly address?: () => Promise<string>
}

function createStores(schemas: PostgresSchemas, { address, ...options }: StoreOptions): TestStores {
  const schemaOfStore = new WeakMap<CopyableStore, string>()
  const users = new Map<string, number>()
  const free: string[] = []

  async function openOn(schema: string): Promise<CopyableStore> {
    users.set(schema, (users.get(schema) ?? 0) + 1)
    const store = await createPostgresStore({
      url: (await address?.()) ?? withoutWaiting(schemas.url),
      schema,
      maxConnections: 4,
      ...options,
    })
    let isOpen = true
    const watched: CopyableStore = {
      ...store,
      async close() {
        await store.close()
        if (!isOpen) return
        isOpen = false
        const left = (users.get(schema) ?? 1) - 1
        users.set(schema, left)
        if (left === 0) free.push(schema)
      },
    }
    schemaOfStore.set(watched, schema)
    return watched
  }
  const schemaOf = (store: CopyableStore): string => schemaOfStore.get(store) ?? ''

  return {
    schemas,
    async open() {
      const known = free.shift()
      if (known !== undefined) await schemas.empty(known)
      return openOn(known ?? schemas.fresh())
    },
    openAgain(store) {
      const schema = schemaOf(store)
      const at = free.indexOf(schema)
      if (at >= 0) free.splice(at, 1)
      return openOn(schema)
    },
    schemaOf,
  }
}

/** Tests over a server, with a schema for each store; skipped, with the reason, where there is no server. */
export function describePostgres(
  name: string,
  tests: (stores: TestStores) => void,
  options: Pick<StoreOptions, 'prepare'> = {},
): void {
  describe(name, async () => {
    const schemas = postgresSchemas(await useServer('postgres'))
    afterAll(() => schemas.remove())
    tests(createStores(schemas, options))
  })
}

/** The same through a PgBouncer of the tests' own that gives each transaction another connection. */
export function describePooled(
  name: string,
  tests: (stores: TestStores, address: () => Promise<string>) => void,
): void {
  describe(name, async () => {
    const program = requireProgram('pgbouncer', 'pgbouncer')
    const schemas = postgresSchemas(await useServer('postgres'))
    const pooler = await ownPgbouncer(program, schemas.url, { poolMode: 'transaction', until: afterAll })
    let started: Promise<void> | null = null
    const address = async (): Promise<string> => {
      started ??= pooler.start()
      await started
      return pooler.url
    }
    afterAll(() => schemas.remove())
    tests(createStores(schemas, { prepare: false, address }), address)
  })
}
