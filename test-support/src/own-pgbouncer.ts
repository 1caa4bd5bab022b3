import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answersQueries, postgresUser } from './own-postgres.ts'
import { type OwnServer, type OwnServerOptions, ownServer } from './own-server.ts'

/** Period for which a client keeps its connection to the server. */
export type PoolMode = 'transaction' | 'session'

/** A PgBouncer of the test's own, and the address of a database through it. */
export interface OwnPgbouncer extends OwnServer {
  readonly url: string
}

/** A PgBouncer in front of a database, with a few connections to it. It lets everybody of this machine in. */
export async function ownPgbouncer(
  program: string,
  database: string,
  { poolMode, ...options }: { readonly poolMode: PoolMode } & Pick<OwnServerOptions, 'until'>,
): Promise<OwnPgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(database)
  const as = await postgresUser()
  const name = decodeURIComponent(pathname.slice(1))
  const user = decodeURIComponent(username)
  const settings = (listenPort: number): string => `
[databases]
* = host=${hostname} port=${port || 5432}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = users.txt
pool_mode = ${poolMode}
default_pool_size = 4
max_client_conn = 200
`
  let folderOf = ''
  const server = await ownServer(program, () => ['-q', 'pgbouncer.ini'], {
    ...as,
    ...options,
    works: listenPort => answersQueries({ host: '127.0.0.1', port: listenPort, user, database: name }),
    prepare: async folder => {
      folderOf = folder
    },
  })
  const files = { 'pgbouncer.ini': settings(server.port), 'users.txt': `"${user}" "${password}"\n` }
  for (const [file, text] of Object.entries(files)) {
    const path = join(folderOf, file)
    await writeFile(path, text, { mode: 0o600 })
    if (as.user !== undefined) await chown(path, as.user.uid, as.user.gid)
  }
  const url = new URL(database)
  url.host = `127.0.0.1:${server.port}`
  return { ...server, url: url.href }
}
