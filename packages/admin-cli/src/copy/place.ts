import { existsSync, lstatSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { isPlatformError } from '@colloquy/core'
import type { CopyableStore } from '@colloquy/core/store'
import { Failure, UsageError } from '../failure.ts'
import { loadPostgres } from './load-postgres.ts'

/** Location of a store, as given by an option. */
export type Place =
  | { readonly kind: 'file'; readonly option: string; readonly filename: string }
  | { readonly kind: 'postgres'; readonly option: string; readonly url: string; readonly schema: string }

/** The schema that a store is in unless another one is named. */
const DEFAULT_SCHEMA = 'colloquy'

/**
 * Reads an option.
 *
 * @param schema the one that is named, if one is
 * @throws UsageError, without the text where it may hold a password
 */
export function placeOf(option: string, text: string, schema: string | undefined): Place {
  const protocol = /^([a-z][a-z0-9+.-]*:)\/\//i.exec(text)?.[1]?.toLowerCase()
  if (protocol === undefined) {
    if (text === '' || text === ':memory:')
      throw new UsageError(`${option} must name a file, or begin with postgres://.`)
    if (schema !== undefined)
      throw new UsageError(`${option}-schema goes with a store in PostgreSQL; ${option} names a file.`)
    return { kind: 'file', option, filename: resolve(text) }
  }
  if (!['postgres:', 'postgresql:'].includes(protocol))
    throw new UsageError(`${option} must name a file, or begin with postgres://, not ${protocol}//.`)
  if (!URL.canParse(text))
    throw new UsageError(
      `${option} cannot be read as a URL. In a user or a password @, :, / and # are written as %40, %3A, %2F and %23; or leave the password out and set PGPASSWORD.`,
    )
  return { kind: 'postgres', option, url: text, schema: schema ?? DEFAULT_SCHEMA }
}

/** Returns a place as messages name it: without user and password. */
export function nameOf(place: Place): string {
  if (place.kind === 'file') return place.filename
  const { host, pathname } = new URL(place.url)
  const schema = place.schema === DEFAULT_SCHEMA ? '' : `, schema ${place.schema}`
  return `postgres://${host}${pathname}${schema}`
}

/** Reports whether both are spelled as one: other spellings of one store are refused when it is opened twice. */
export function isSamePlace(one: Place, other: Place): boolean {
  if (one.kind === 'file' && other.kind === 'file') {
    const [mine, theirs] = [one, other].map(({ filename }) => statSync(filename, { throwIfNoEntry: false }))
    if (mine === undefined || theirs === undefined) return one.filename === other.filename
    return mine.dev === theirs.dev && mine.ino === theirs.ino
  }
  return nameOf(one) === nameOf(other)
}

/** Time to wait for another process to release the file, milliseconds. */
const PATIENCE = 1_000

/** The use of a store. A source and a compared store must exist. A target must not be in use during the copy. */
export type Use = 'source' | 'target' | 'compared'

/** Returns the reason of an error of an adapter, without the call of the library that it names. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const reason = message.replace(/^createPostgresStore could not open /, '')
  return / is in use, /.test(reason) ? `${reason} It may be the store of --from under another name.` : reason
}

/** @throws Failure for a link in the place of a file that is to be written (CL23) */
export function refuseLink(option: string, filename: string): void {
  if (lstatSync(filename, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Failure(`${option}: ${filename} is a link. Name the file that it leads to.`)
}

async function openFile({ filename, option }: Place & { kind: 'file' }, use: Use): Promise<CopyableStore> {
  if (use !== 'target' && !existsSync(filename)) throw new Failure(`${option}: there is no file ${filename}.`)
  if (use === 'target') refuseLink(option, filename)
  const store = createSqliteStore(
    use === 'target' ? { filename, exclusive: true, busyTimeout: PATIENCE } : { filename },
  )
  try {
    // If another process has the file open, the first call fails.
    await store.access.accounts.list({}, 1)
    return store
  } catch (error) {
    await store.close()
    if (isPlatformError(error) && error.code === 'STORE_BUSY')
      throw new Failure(
        `${option}: ${filename} is in use by another process, or is the store of --from under another name. Stop what uses it: a copy needs it alone.`,
      )
    throw error
  }
}

async function openPostgres({ url, schema }: Place & { kind: 'postgres' }, use: Use): Promise<CopyableStore> {
  const { createPostgresStore } = await loadPostgres()
  const isTarget = use === 'target'
  return createPostgresStore({ url, schema, create: isTarget, exclusive: isTarget })
}

/** Opens the store at a place. @throws Failure that names the option and says why not */
export async function openPlace(place: Place, use: Use): Promise<CopyableStore> {
  try {
    return await (place.kind === 'file' ? openFile(place, use) : openPostgres(place, use))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${place.option}: ${reasonOf(error)}`)
  }
}
