import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { type Child, CORE, startChild, withScripts } from '../child.ts'
import { serverSchema } from './dialect.ts'

const SCRIPTS = {
  project: 'messaging/project-server.ts',
  limit: 'messaging/limit-server.ts',
  socketIo: 'messaging/socket-io-server.mjs',
  load: 'messaging/load.ts',
} as const

/** The scripts of the messaging rows, as files that Node runs. */
export type Scripts = Readonly<Record<keyof typeof SCRIPTS, string>>

/** Makes the scripts of the messaging rows. */
export const withMessagingScripts = (use: (scripts: Scripts) => Promise<void>): Promise<void> =>
  withScripts(Object.values(SCRIPTS), madeOf =>
    use({
      project: madeOf(SCRIPTS.project),
      limit: madeOf(SCRIPTS.limit),
      socketIo: madeOf(SCRIPTS.socketIo),
      load: madeOf(SCRIPTS.load),
    }),
  )

const violationsSchema = z.record(z.string(), z.number())
const markSchema = z.object({ turns: z.number(), milliseconds: z.number(), p99: z.number() })
const setUpSchema = z.object({ milliseconds: z.number() })
const replaySchema = z.object({ events: z.number() })

/** Figures of the measured turns. */
export interface Talk {
  readonly turns: number
  readonly turnsPerSecond: number
  /** CPU of the server. */
  readonly cpuMicroseconds: number
  readonly p99Milliseconds: number
}

/** A server and the load on it, each in a process of its own. */
export class Pair {
  readonly server: Child
  readonly #load: Child
  readonly #sessions: number

  private constructor(server: Child, load: Child, sessions: number) {
    this.server = server
    this.#load = load
    this.#sessions = sessions
  }

  /** @param argument of the server */
  static async start(
    { server, load }: { readonly server: string; readonly load: string },
    argument: unknown,
    sessions: number,
  ): Promise<Pair> {
    const serving = await startChild(server, argument, CORE.server)
    const ready = serverSchema.parse(serving.ready)
    return new Pair(serving, await startChild(load, { ...ready, sessions }, CORE.load), sessions)
  }

  async #cpu(): Promise<number> {
    return z.number().parse(await this.server.ask('cpu'))
  }

  /** Sessions, sockets, joins and greetings a second. */
  async setUp(): Promise<number> {
    const { milliseconds } = setUpSchema.parse(await this.#load.ask('set up'))
    return (this.#sessions * 1_000) / milliseconds
  }

  /** All visitors talk without a pause; after a warm-up that is measured. */
  async talk(warmSeconds: number, seconds: number): Promise<Talk> {
    await this.#load.ask('speak')
    await pause(warmSeconds * 1_000)
    const before = await this.#cpu()
    await this.#load.ask('mark')
    await pause(seconds * 1_000)
    const { turns, milliseconds, p99 } = markSchema.parse(await this.#load.ask('mark'))
    const cpuMicroseconds = (await this.#cpu()) - before
    await this.#load.ask('rest')
    return {
      turns,
      turnsPerSecond: (turns * 1_000) / milliseconds,
      cpuMicroseconds: cpuMicroseconds / turns,
      p99Milliseconds: p99,
    }
  }

  /** All visitors connect again and get their whole logs, 50 at a time; CPU of the server for each event. */
  async replay(): Promise<number> {
    await this.#load.ask('leave')
    const before = await this.#cpu()
    const { events } = replaySchema.parse(await this.#load.ask('replay'))
    return ((await this.#cpu()) - before) / events
  }

  /** Ends both processes; what the load found wrong, by kind. */
  async stop(): Promise<Readonly<Record<string, number>>> {
    const violations = violationsSchema.parse(await this.#load.ask('violations'))
    await this.#load.stop()
    await this.server.stop()
    return violations
  }
}
