import type { PoolConfig } from 'mariadb'

/** Milliseconds. */
const CONNECTION_TIMEOUT = 5_000
/** Longer than a statement may take: the network may have lost a connection without a word. */
const SOCKET_TIMEOUT = 20_000
/** Seconds. */
const IDLE = 60

const SESSION = [
  'set session transaction isolation level read committed',
  "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 5, max_statement_time = 15",
]

/** Returns the configuration of a pool over a URL. */
export function poolConfigOf(address: string, maxConnections: number): PoolConfig {
  const { hostname, password, pathname, port, searchParams, username } = new URL(address)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port: Number(port) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: searchParams.has('ssl'),
    connectionLimit: maxConnections,
    minimumIdle: 1,
    idleTimeout: IDLE,
    acquireTimeout: CONNECTION_TIMEOUT,
    connectTimeout: CONNECTION_TIMEOUT,
    socketTimeout: SOCKET_TIMEOUT,
    // Keep visitors' texts out of error messages.
    logParam: false,
    initSql: SESSION,
  }
}

/** Returns an address as errors name it, without a password. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `the database ${decodeURIComponent(pathname.slice(1))} at ${host}`
}
