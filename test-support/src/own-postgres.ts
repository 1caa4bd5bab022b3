import { execFile } from 'node:child_process'
import { appendFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type OwnServer, type OwnServerOptions, ownServer } from './own-server.ts'

const run = promisify(execFile)

/** Nothing of a test's own server has to outlive the machine. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
fsync = off
shared_buffers = 16MB
max_connections = 60
`

/** Servers of PostgreSQL refuse root. Their own user exists wherever Debian has installed them; elsewhere it is nobody. */
export async function postgresUser(): Promise<Pick<OwnServerOptions, 'user'>> {
  if (process.getuid?.() !== 0) return {}
  const idOf = async (option: string, name: string): Promise<number> =>
    Number((await run('id', [option, name])).stdout)
  const userOf = async (name: string) => ({ uid: await idOf('-u', name), gid: await idOf('-g', name) })
  return { user: await userOf('postgres').catch(() => userOf('nobody')) }
}

/** While it starts it takes connections, and refuses them in words. */
export async function answersQueries(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * A PostgreSQL of the test's own, with the superuser `postgres` and a database of that name, into which everybody of
 * this machine gets. It is killed as `pg_ctl stop -m immediate` does, and recovers at the next start.
 *
 * @param program the path of `postgres`
 * @param settings lines of `postgresql.conf`
 */
export const ownPostgres = (program: string, settings = ''): Promise<OwnServer> =>
  serverOf(program, async (data, execute) => {
    await execute('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N')
    await appendFile(join(data, 'postgresql.conf'), `${SETTINGS}${settings}`)
  })

/**
 * A standby of such a server, which reads from it all that is committed. It calls itself `standby`.
 *
 * @param primary the port over which it reads
 */
export const ownStandby = (program: string, primary: number): Promise<OwnServer> =>
  serverOf(program, async (data, execute) => {
    const from = `host=127.0.0.1 port=${primary} user=postgres application_name=standby`
    await execute('pg_basebackup', '-D', data, '-d', from, '--checkpoint=fast', '--write-recovery-conf')
  })

/** Carries a command of PostgreSQL's own out. */
type ExecuteCommand = (command: string, ...options: readonly string[]) => Promise<unknown>

async function serverOf(
  program: string,
  fill: (data: string, execute: ExecuteCommand) => Promise<void>,
): Promise<OwnServer> {
  const as = await postgresUser()
  // It may be a link; the other commands stand beside the file.
  const commands = dirname(await realpath(program))
  const data = (folder: string): string => join(folder, 'data')
  return ownServer(program, (port, folder) => ['-D', data(folder), '-p', String(port), '-k', folder], {
    ...as,
    works: port => answersQueries({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }),
    killedBy: 'SIGQUIT',
    prepare: folder =>
      fill(data(folder), (command, ...options) =>
        run(join(commands, command), options, { ...as.user, cwd: folder }),
      ),
  })
}
