import { execFile } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
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

/** Servers of PostgreSQL refuse root. Their own user exists wherever Debian has installed them. */
export async function postgresUser(): Promise<Pick<OwnServerOptions, 'user'>> {
  if (process.getuid?.() !== 0) return {}
  const idOf = async (option: string): Promise<number> =>
    Number((await run('id', [option, 'postgres'])).stdout)
  return { user: { uid: await idOf('-u'), gid: await idOf('-g') } }
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
export async function ownPostgres(program: string, settings = ''): Promise<OwnServer> {
  const as = await postgresUser()
  const data = (folder: string): string => join(folder, 'data')
  return ownServer(program, (port, folder) => ['-D', data(folder), '-p', String(port), '-k', folder], {
    ...as,
    works: port => answersQueries({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }),
    killedBy: 'SIGQUIT',
    async prepare(folder) {
      const initdb = join(dirname(program), 'initdb')
      const options = ['-D', data(folder), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
      await run(initdb, options, { ...as.user, cwd: folder })
      await appendFile(join(data(folder), 'postgresql.conf'), `${SETTINGS}${settings}`)
    },
  })
}
