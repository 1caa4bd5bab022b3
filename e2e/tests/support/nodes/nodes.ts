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
import { createNetwork, type Network, type Plug } from './network.ts'

/** How many steps of its clock a node knows before they come again. */
const STEPS = 100

/** How many lines of a node are told when nothing comes any more. */
const LAST_LINES = 20

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
  /** Pulls out its network cable, and puts it in again; null where namespaces of the network cannot be had. */
  readonly cable: Pick<Plug, 'pullOut' | 'putIn'> | null
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
  /** What nodes have said of turns that failed. */
  failedTurns(): readonly string[]
  /** What each node has said last, for who wants to know why nothing comes. */
  lastWords(): readonly string[]
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
  const network = await createNetwork()
  const nodes: (StormNode & { readonly runs: readonly Standalone[] })[] = []
  for (const name of names) {
    const node = await startNode(name, { database, broker, network, clockError, random })
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
    failedTurns: () =>
      nodes
        .flatMap(({ runs }) => runs)
        .flatMap(({ output }) => `${output.stdout}\n${output.stderr}`.split('\n'))
        .filter(line => line.includes('A turn failed')),
    lastWords: () =>
      nodes.flatMap(({ name, runs }) =>
        runs.flatMap(({ output }, run) =>
          `${output.stdout}\n${output.stderr}`
            .trim()
            .split('\n')
            .slice(-LAST_LINES)
            .map(line => `${name}, run ${run}: ${line.slice(0, 300)}`),
        ),
      ),
    async end() {
      const exits: unknown[] = []
      for (const { runs } of nodes) {
        runs.at(-1)?.kill('SIGTERM')
        exits.push(await runs.at(-1)?.exit)
      }
      return exits
    },
  }
}

interface NodeOptions {
  readonly database: OwnServer
  readonly broker: OwnServer
  readonly network: Network | null
  readonly clockError: number
  readonly random: Random
}

const THIS_MACHINE = '127.0.0.1'

async function startNode(name: string, { database, broker, network, clockError, random }: NodeOptions) {
  const port = await freePort()
  const plug = (await network?.plug()) ?? null
  const host = plug?.address ?? THIS_MACHINE
  const from = network?.address ?? THIS_MACHINE
  const ways = {
    database: await swallowingProxy(database.port, { from }),
    broker: await swallowingProxy(broker.port, { from }),
    front: await swallowingProxy(port, { to: host }),
  }
  const error = (): number => random.below(2 * clockError + 1) - clockError
  const start = (): Promise<Standalone> => startStandalone(environment(), plug?.within)
  const environment = () => ({
    ...STORM_SETTINGS,
    PORT: String(port),
    HOST: host,
    // The proxy before them is on another machine, as they see it.
    COLLOQUY_ALLOW_INSECURE: 'on',
    COLLOQUY_DATABASE_URL: `postgres://postgres@${from}:${ways.database.port}/postgres`,
    COLLOQUY_BUS_URL: `redis://${from}:${ways.broker.port}`,
    // Visitors who are content say nothing while everything is read again, which takes longer than ten minutes after a long storm.
    COLLOQUY_SESSION_IDLE_SECONDS: '86400',
    NODE_OPTIONS: `--import ${fileURLToPath(new URL('clock-steps.mjs', import.meta.url))}`,
    CLOCK_OFFSET: String(error()),
    CLOCK_STEPS: Array.from({ length: STEPS }, error).join(','),
  })
  let server = await start()
  const runs = [server]
  return {
    name,
    url: `http://${host}:${port}`,
    cable: plug,
    ways,
    runs,
    async kill() {
      server.kill('SIGKILL')
      await server.exit
    },
    async start() {
      server = await start()
      runs.push(server)
    },
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    stepClock: () => server.kill('SIGUSR2'),
  }
}
