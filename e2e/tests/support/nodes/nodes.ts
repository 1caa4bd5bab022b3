import { fileURLToPath } from 'node:url'
import { ownPostgres } from '@colloquy/test-support/own-postgres'
import { freePort, type OwnServer, ownServer } from '@colloquy/test-support/own-server'
import type { Random } from '@colloquy/test-support/random'
import { type Standalone, startStandalone } from '@colloquy/test-support/standalone'
import { type SwallowingProxy, swallowingProxy } from '@colloquy/test-support/swallowing-proxy'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { startProxy } from '../../../../examples/cluster/src/proxy.ts'
import { STORM_SETTINGS } from '../storm/storm.ts'

/** How many steps of its clock a node knows before they come again. */
const STEPS = 100

/** One of the nodes, and what may happen to it. */
export interface StormNode {
  readonly name: string
  /** Its own address, past the proxy. */
  readonly url: string
  /** Kills it; nobody starts it again. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops and continues its process. */
  pause(): void
  resume(): void
  /** Puts its wall clock to some other moment within the error. */
  stepClock(): void
  /** The ways to and from it, which can go silent. */
  readonly ways: {
    readonly database: SwallowingProxy
    readonly broker: SwallowingProxy
    readonly front: SwallowingProxy
  }
}

/** Nodes over one database and one broker, behind a round-robin proxy. */
export interface Nodes {
  /** The proxy's address. */
  readonly url: string
  readonly nodes: readonly StormNode[]
  readonly broker: OwnServer
  readonly database: OwnServer & {
    readonly url: string
    /** Ends each connection with that probability, and returns how many. */
    endConnections(probability: number): Promise<number>
  }
  /** Asks all nodes to go, one after the other; resolves with how each ended. */
  end(): Promise<readonly unknown[]>
}

/** The programs of the servers. */
export interface NodePrograms {
  readonly postgres: string
  readonly redis: string
}

/** What nodes are started with. */
interface NodesOptions {
  readonly programs: NodePrograms
  /** How far the clock of a node may be off, milliseconds. */
  readonly clockError: number
  readonly random: Random
}

/** Starts as many nodes as there are names. */
export async function startNodes(
  names: readonly string[],
  { programs, clockError, random }: NodesOptions,
): Promise<Nodes> {
  const database = await ownPostgres(programs.postgres, 'max_connections = 100\n')
  const broker = await ownServer(programs.redis, (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
  ])
  await Promise.all([database.start(), broker.start()])
  const proxy = await startProxy(0)
  onTestFinished(() => proxy.close())
  const nodes: (StormNode & { readonly running: () => Standalone })[] = []
  for (const name of names) {
    const node = await startNode(name, { database, broker, clockError, random })
    nodes.push(node)
    proxy.add(node.ways.front.port)
  }
  const url = `postgres://postgres@127.0.0.1:${database.port}/postgres`
  return {
    url: `http://localhost:${proxy.port}`,
    nodes,
    broker,
    database: {
      ...database,
      url,
      async endConnections(probability) {
        const client = new pg.Client({ connectionString: url })
        client.on('error', () => undefined)
        await client.connect()
        const { rows } = await client.query(
          "select count(pg_terminate_backend(pid)) as ended from pg_stat_activity where application_name = 'colloquy' and random() < $1",
          [probability],
        )
        await client.end()
        return Number(rows[0].ended)
      },
    },
    async end() {
      const exits: unknown[] = []
      for (const { running } of nodes) {
        running().kill('SIGTERM')
        exits.push(await running().exit)
      }
      return exits
    },
  }
}

interface NodeOptions {
  readonly database: OwnServer
  readonly broker: OwnServer
  readonly clockError: number
  readonly random: Random
}

async function startNode(name: string, { database, broker, clockError, random }: NodeOptions) {
  const port = await freePort()
  const ways = {
    database: await swallowingProxy(database.port),
    broker: await swallowingProxy(broker.port),
    front: await swallowingProxy(port),
  }
  const error = (): number => random.below(2 * clockError + 1) - clockError
  const start = (): Promise<Standalone> =>
    startStandalone({
      ...STORM_SETTINGS,
      PORT: String(port),
      COLLOQUY_DATABASE_URL: `postgres://postgres@127.0.0.1:${ways.database.port}/postgres`,
      COLLOQUY_BUS_URL: `redis://127.0.0.1:${ways.broker.port}`,
      COLLOQUY_LOG: 'error',
      NODE_OPTIONS: `--import ${fileURLToPath(new URL('clock-steps.mjs', import.meta.url))}`,
      CLOCK_OFFSET: String(error()),
      CLOCK_STEPS: Array.from({ length: STEPS }, error).join(','),
    })
  let server = await start()
  return {
    name,
    url: server.url,
    ways,
    running: () => server,
    async kill() {
      server.kill('SIGKILL')
      await server.exit
    },
    async start() {
      server = await start()
    },
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    stepClock: () => server.kill('SIGUSR2'),
  }
}
