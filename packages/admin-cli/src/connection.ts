import { type Api, createApi } from '@colloquy/client/http'
import type { Command } from 'commander'
import type { Administration } from './administration.ts'
import { namedFiles, openFiles } from './bytes/place.ts'
import { openPlace, placeOf } from './copy/place.ts'
import { UsageError } from './failure.ts'
import { overHttp } from './over-http.ts'
import { openFile, overStore } from './over-store.ts'
import type { Terminal } from './terminal.ts'

/** Adds the options that every command takes, with defaults from the environment. */
export function addConnectionOptions(program: Command): Command {
  return program
    .option('--database <file>', "the server's SQLite file, or postgres://…; or COLLOQUY_DATABASE")
    .option('--schema <name>', 'the schema of a store in PostgreSQL (default: colloquy)')
    .option('--files <place>', 'the bytes of files: a folder, or https://<host>/<bucket>; or COLLOQUY_FILES')
    .option('--create', 'make the file when it is not there')
    .option('--url <url>', "the server's address, without /operator/v1; or COLLOQUY_URL")
    .option(
      '--operator-key <key>',
      'for --url; rather COLLOQUY_OPERATOR_KEY: others see the arguments of a process',
    )
    .option('--json', 'print JSON')
}

/** Options that `addConnectionOptions` adds. */
export interface ConnectionOptions {
  readonly database?: string
  readonly schema?: string
  readonly files?: string
  readonly create?: boolean
  readonly url?: string
  readonly operatorKey?: string
  readonly json?: boolean
}

/**
 * Returns the one target that is named: options come before the environment.
 *
 * @throws UsageError without a target, and for two
 */
function targetOf(options: ConnectionOptions, env: Terminal['env']): { database?: string; url?: string } {
  const named = options.database !== undefined || options.url !== undefined
  // An empty variable counts as not set, as on the server.
  const database = named ? options.database : env.COLLOQUY_DATABASE || undefined
  const url = named ? options.url : env.COLLOQUY_URL || undefined
  if (database !== undefined && url !== undefined)
    throw new UsageError('Name one target: --database (COLLOQUY_DATABASE) or --url (COLLOQUY_URL), not both.')
  return { ...(database === undefined ? {} : { database }), ...(url === undefined ? {} : { url }) }
}

/** Opens what the options name. @throws UsageError, Failure */
export async function connect(options: ConnectionOptions, { env }: Terminal): Promise<Administration> {
  const { database, url } = targetOf(options, env)
  if (database !== undefined) {
    const tokenSecret = env.COLLOQUY_TOKEN_SECRET || undefined
    const where = namedFiles(options.files, env)
    const files = where === undefined ? null : openFiles('--files', where, env)
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(database))
      return overStore(openFile(database, options.create ?? false), tokenSecret, files)
    const place = placeOf('--database', database, options.schema)
    return overStore(await openPlace(place, 'compared'), tokenSecret, files)
  }
  if (url === undefined)
    throw new UsageError(
      'Name the target: --database <file> (COLLOQUY_DATABASE) or --url <url> (COLLOQUY_URL).',
    )
  if (!/^https?:\/\//.test(url))
    throw new UsageError(`--url must begin with http:// or https://, not be ${url}.`)
  const key = (options.operatorKey ?? env.COLLOQUY_OPERATOR_KEY ?? '').trim()
  if (key === '') throw new UsageError('An operator key is needed for --url: set COLLOQUY_OPERATOR_KEY.')
  // Said here, without the key: what refuses it further down repeats it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      'The operator key holds spaces or characters that no key has: set COLLOQUY_OPERATOR_KEY again.',
    )
  return overHttp(url, key)
}

/** Returns the address of the server for a command that works over HTTP alone. @throws UsageError */
export function serverOf(name: string, options: ConnectionOptions, env: Terminal['env']): string {
  const url = options.url ?? (env.COLLOQUY_URL || undefined)
  if (options.database !== undefined || url === undefined)
    throw new UsageError(`${name} works over HTTP: name the server with --url <url> (COLLOQUY_URL).`)
  if (!/^https?:\/\//.test(url)) throw new UsageError('--url must begin with http:// or https://.')
  return url
}

/** Returns the key in a variable of the environment. Empty if there is none. @throws UsageError */
export function keyIn(variable: string, env: Terminal['env']): string {
  const key = (env[variable] ?? '').trim()
  if (key !== '' && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`${variable} holds spaces or characters that no key has.`)
  return key
}

/** The variable of the environment with the key of a workspace. */
export const WORKSPACE_KEY = 'COLLOQUY_WORKSPACE_KEY'

/** Returns the routes of a server for the key of a workspace. @throws UsageError */
export function workspaceApi(name: string, options: ConnectionOptions, env: Terminal['env']): Api {
  const server = serverOf(name, options, env)
  const workspaceKey = keyIn(WORKSPACE_KEY, env)
  if (workspaceKey === '') throw new UsageError(`Set the key of a workspace: ${WORKSPACE_KEY}.`)
  return createApi({ server, credentials: { workspaceKey } })
}

/** Returns the address of the server if the options name one, and no store. @throws UsageError */
export const urlOf = (options: ConnectionOptions, env: Terminal['env']): string | undefined =>
  targetOf(options, env).url
