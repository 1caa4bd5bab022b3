import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { PATIENCE } from '../../scripts/patience.ts'

/** Interval of connection attempts until one succeeds, milliseconds. */
const EVERY = 20

/** The port that a listening server has. */
export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null)
    throw new Error('The server does not listen on a port.')
  return address.port
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

const takesConnections = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** A server of the test's own, on a port that stays the same. It ends with the test. */
export interface OwnServer {
  readonly port: number
  /** Resolves when it takes connections. */
  start(): Promise<void>
  /** Kills it: it says goodbye to no one. */
  kill(): Promise<void>
}

/** Options that some servers need beyond arguments. */
export interface OwnServerOptions {
  /** User that runs it: some servers refuse root. @default the user of the tests */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Fills the folder before the first start. */
  readonly prepare?: (folder: string) => Promise<void>
  /** Whether it does its work, where it takes connections before. */
  readonly works?: (port: number) => Promise<boolean>
  /** Calls back with the function that ends it. @default ends with the test */
  readonly until?: (end: () => Promise<void>) => void
  /** Ends it and the processes that it has started, without a goodbye. @default SIGKILL */
  readonly killedBy?: NodeJS.Signals
}

/** Makes one, which is then to be started. @param argumentsOf those of the program, for a port and a folder of its own */
export async function ownServer(
  program: string,
  argumentsOf: (port: number, folder: string) => readonly string[],
  {
    user,
    prepare,
    works = takesConnections,
    killedBy = 'SIGKILL',
    until = onTestFinished,
  }: OwnServerOptions = {},
): Promise<OwnServer> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-server-'))
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  await prepare?.(folder)
  let child: ChildProcess | null = null

  async function kill(): Promise<void> {
    const ending = child
    child = null
    if (ending === null || ending.exitCode !== null) return
    ending.kill(killedBy)
    await once(ending, 'exit')
  }
  until(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })

  return {
    port,
    kill,
    async start() {
      const started = spawn(program, argumentsOf(port, folder), { ...user, cwd: folder, stdio: 'ignore' })
      child = started
      const end = performance.now() + PATIENCE
      while (!(await works(port))) {
        if (started.exitCode !== null) throw new Error(`${program} ended with ${started.exitCode}.`)
        if (performance.now() > end) throw new Error(`${program} takes no connections.`)
        await new Promise<void>(resolve => setTimeout(resolve, EVERY))
      }
    },
  }
}
