/** One program, several processes: the primary starts workers and passes notices between them; workers serve. */
import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { relayNotices } from './cluster-bus.ts'
import { prepare } from './prepare.ts'
import { startWorker } from './worker.ts'

const {
  DATABASE: database = 'cluster.db',
  PORT = '3000',
  WORKERS = String(availableParallelism()),
} = process.env

/** A worker that ends by itself is replaced after so long, milliseconds: one that cannot start does not spin. */
const REPLACED_AFTER = 500

/** Calls it once at whatever asks the program to end. */
const whenAsked = (end: () => void): void => {
  let asked = false
  const ask = (): void => {
    if (asked) return
    asked = true
    end()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, ask)
}

async function runPrimary(): Promise<void> {
  const credentials = await prepare(database)
  if (credentials !== null) {
    console.log('Connector token:', credentials.connectorToken)
    console.log('Desk key:', credentials.deskKey)
  }
  relayNotices()
  let closing = false
  whenAsked(() => {
    closing = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  })
  cluster.on('listening', (worker, address) => {
    console.log(`Process ${worker.process.pid} listens on port ${address.port}`)
  })
  cluster.on('exit', ({ process: { pid } }) => {
    if (closing) return
    console.log(`Process ${pid} has ended, and is replaced`)
    setTimeout(() => {
      if (!closing) cluster.fork()
    }, REPLACED_AFTER)
  })
  for (let count = 0; count < Number(WORKERS); count++) cluster.fork()
}

async function runWorker(): Promise<void> {
  const { close } = await startWorker({ database, port: Number(PORT) })
  whenAsked(() => {
    close().then(
      () => process.exit(0),
      error => {
        console.error('This process did not end well.', error)
        process.exit(1)
      },
    )
  })
}

await (cluster.isPrimary ? runPrimary() : runWorker())
