import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach } from 'vitest'
import { PATIENCE } from '../../scripts/patience.ts'

/** A server of others that tests talk to. */
interface KnownServer {
  /** Its usual address. */
  readonly url: string
  /** The port of an address that names none. */
  readonly port: number
  /** Instructions to start it by hand. */
  readonly start: string
}

const SERVERS = {
  redis: { url: 'redis://127.0.0.1:6379', port: 6_379, start: 'redis-server' },
  postgres: {
    url: 'postgres://postgres@127.0.0.1:5432/test',
    port: 5_432,
    start: 'service postgresql start',
  },
  // Not its usual port: its own service there does not let tests in without a password.
  mariadb: { url: 'mariadb://root@127.0.0.1:3307/test', port: 3_306, start: '.ci/servers' },
  nats: { url: 'nats://127.0.0.1:4222', port: 4_222, start: 'nats-server' },
} as const satisfies Readonly<Record<string, KnownServer>>

export type ServerName = keyof typeof SERVERS

/** Set where a missing server is a failure: in `.ci/run`. */
const REQUIRED = 'COLLOQUY_TEST_REQUIRE_SERVERS'

/** Why nothing listens at an address; null where something does. */
const objectionTo = (host: string, port: number): Promise<string | null> =>
  new Promise(resolve => {
    const socket = connect({ host, port })
    const end = (reason: string | null): void => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(PATIENCE, () => end(`no answer within ${PATIENCE} ms`))
    socket.once('connect', () => end(null))
    socket.once('error', error => end('code' in error ? String(error.code) : error.message))
  })

/** Skips all tests of the file, or of the group around the call, with a reason. @throws Error where servers are required */
function withoutServer(reason: string): void {
  if (process.env[REQUIRED])
    throw new Error(`${reason} ${REQUIRED} is set, so that its tests may not be skipped.`)
  beforeEach(context => context.skip(reason))
}

/**
 * The address of a server for tests: that of `COLLOQUY_TEST_<NAME>_URL`, or the usual one of this machine. If none
 * answers there, all tests of the file are skipped, and say how to start it. To be awaited at the top of a file, or of
 * a group of tests.
 */
export async function useServer(name: ServerName): Promise<string> {
  const { url, port, start } = SERVERS[name]
  const variable = `COLLOQUY_TEST_${name.toUpperCase()}_URL`
  const address = process.env[variable] || url
  const target = new URL(address)
  const objection = await objectionTo(target.hostname, Number(target.port || port))
  if (objection !== null)
    withoutServer(
      `No ${name} server answers at ${target.host} (${objection}). Start one with \`${start}\`, or set ${variable}.`,
    )
  return address
}

/** Folders in which Debian keeps servers that are not on everybody's path. */
const FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** The programs of the newest PostgreSQL that Debian has installed. */
function postgresFolders(): readonly string[] {
  const versions = '/usr/lib/postgresql'
  const found = existsSync(versions) ? readdirSync(versions) : []
  const newest = found.sort((one, other) => Number(other) - Number(one))
  return newest.map(version => join(versions, version, 'bin'))
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The path of a server's program, for tests that start, kill and restart one of their own. Where it is missing, all
 * tests of the file are skipped, and name the Debian package that has it. To be called at the top of a file, or of a
 * group of tests.
 */
export function requireProgram(program: string, debianPackage: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS, ...postgresFolders()]
  const path = folders.map(folder => join(folder, program)).find(isExecutable)
  if (path === undefined)
    withoutServer(
      `${program} is not installed. Install it, on Debian with \`apt-get install ${debianPackage}\`.`,
    )
  return path ?? program
}

/**
 * Makes sure that a package of others can be installed, which is too large for this repository to have. Where the
 * registry does not have it, all tests of the file are skipped. To be awaited at the top of a file, or of a group of
 * tests.
 *
 * @param name with its version: `next@16.4.6`
 */
export async function useNpmPackage(name: string): Promise<void> {
  const objection = await promisify(execFile)('npm', ['view', name, 'version']).then(
    ({ stdout }) => (stdout.trim() === '' ? 'no such version' : null),
    (error: unknown) => (error instanceof Error ? error.message.split('\n')[0] : String(error)),
  )
  if (objection !== null)
    withoutServer(`The npm registry has no ${name} (${objection}). Go online, or name another.`)
}
