/** One command, several nodes: the primary process starts them and a proxy before them. */
import { fileURLToPath } from 'node:url'
import { busAt } from './bus.ts'
import { limitsAt } from './limits.ts'
import { startNode } from './node.ts'
import { startCluster } from './primary.ts'

const { DATABASE: database = 'cluster.db', PORT = '3000', NODES = '3', BUS_URL = '' } = process.env

/** Argument that makes this program one of the nodes. */
const NODE = 'node'

/** Parses a variable as a whole number in range. @throws Error that names it */
function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${text}"`)
}

/** Calls it once at whatever asks the program to end. */
const whenAsked = (end: () => void): void => {
  let asked = false
  const ask = (): void => {
    if (asked) return
    asked = true
    end()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, ask)
  // A node does not outlive the process that started it.
  process.on('disconnect', ask)
}

async function runPrimary(): Promise<void> {
  const nodes = wholeNumber('NODES', NODES, 1, 1_000)
  const port = wholeNumber('PORT', PORT, 0, 65_535)
  if (busAt(BUS_URL, database) === null)
    console.log('No BUS_URL is set: each node looks into the store for what the others did.')
  whenAsked(await startCluster({ database, port, nodes, node: [fileURLToPath(import.meta.url), NODE] }))
}

async function runNode(): Promise<void> {
  const bus = busAt(BUS_URL, database)?.() ?? null
  const { port, close } = await startNode({ database, bus, sharedLimits: limitsAt(BUS_URL) })
  whenAsked(() => {
    close().then(
      () => process.exit(0),
      error => {
        console.error('This node did not end well.', error)
        process.exit(1)
      },
    )
  })
  process.send?.(port)
}

try {
  await (process.argv[2] === NODE ? runNode() : runPrimary())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
