/** One program, several processes: the primary starts workers, which serve. */
import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { busAt } from './bus.ts'
import { prepare } from './prepare.ts'
import { startWorker } from './worker.ts'

const {
  DATABASE: database = 'cluster.db',
  PORT = '3000',
  WORKERS = String(availableParallelism()),
  BUS_URL = '',
} = process.env

/** What a variable says, where it is a whole number in range. @throws Error that names it */
function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${text}"`)
}

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
  const count = wholeNumber('WORKERS', WORKERS, 1, 1_000)
  wholeNumber('PORT', PORT, 0, 65_535)
  if (busAt(BUS_URL) === null)
    console.log('No BUS_URL is set: each process looks into the file for what the others did.')
  const credentials = await prepare(database)
  if (credentials !== null) {
    console.log('Connector token:', credentials.connectorToken)
    console.log('Desk key:', credentials.deskKey)
  }
  let closing = false
  let hasListened = false
  const close = (): void => {
    closing = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  }
  whenAsked(close)
  cluster.on('listening', (worker, address) => {
    hasListened = true
    console.log(`Process ${worker.process.pid} listens on port ${address.port}`)
  })
  cluster.on('exit', ({ process: { pid } }) => {
    if (closing) return
    if (!hasListened) {
      console.error(`Process ${pid} could not start; what it said stands above.`)
      process.exitCode = 1
      close()
      return
    }
    console.log(`Process ${pid} has ended, and is replaced`)
    setTimeout(() => {
      if (!closing) cluster.fork()
    }, REPLACED_AFTER)
  })
  for (let started = 0; started < count; started++) cluster.fork()
}

async function runWorker(): Promise<void> {
  const { close } = await startWorker({ database, port: Number(PORT), bus: busAt(BUS_URL)?.() ?? null })
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

try {
  await (cluster.isPrimary ? runPrimary() : runWorker())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
