import { type ChildProcess, fork } from 'node:child_process'
import { prepare } from './prepare.ts'
import { startProxy } from './proxy.ts'

/** Options of the program. */
export interface ClusterOptions {
  readonly database: string
  readonly port: number
  readonly nodes: number
  /** The module that a node runs, and the argument that makes it one. */
  readonly node: readonly [string, string]
}

/**
 * Delay before a node that exits unexpectedly is replaced, milliseconds. Without it, a node that cannot start would be
 * restarted in a tight loop.
 */
const REPLACED_AFTER = 500

/** Starts the nodes and the proxy before them. The returned function asks all of them to go. */
export async function startCluster({ database, port, nodes, node }: ClusterOptions): Promise<() => void> {
  const credentials = await prepare(database)
  const proxy = await startProxy(port)
  if (credentials !== null) {
    console.log('Connector token:', credentials.connectorToken)
    console.log('Desk key:', credentials.deskKey)
  }
  const running = new Set<ChildProcess>()
  let closing = false
  let hasListened = false

  const close = (): void => {
    if (closing) return
    closing = true
    proxy.close()
    for (const { pid } of running) if (pid !== undefined) process.kill(pid, 'SIGTERM')
  }

  function startOne(): void {
    if (closing) return
    const [module, argument] = node
    const child = fork(module, [argument])
    running.add(child)
    let target: number | null = null
    child.on('message', message => {
      target = Number(message)
      proxy.add(target)
      if (!hasListened) console.log(`The cluster listens on port ${proxy.port}`)
      hasListened = true
      console.log(`Process ${child.pid} serves`)
    })
    child.on('exit', () => {
      running.delete(child)
      if (target !== null) proxy.remove(target)
      if (closing) return
      if (!hasListened) {
        console.error(`Process ${child.pid} could not start; what it said stands above.`)
        process.exitCode = 1
        close()
        return
      }
      console.log(`Process ${child.pid} has ended, and is replaced`)
      setTimeout(startOne, REPLACED_AFTER)
    })
  }

  for (let started = 0; started < nodes; started++) startOne()
  return close
}
