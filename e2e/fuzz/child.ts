import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { dataIn } from './memory.ts'
import { tenantSchema } from './tenant.ts'

const worldSchema = z.object({
  port: z.number(),
  own: tenantSchema,
  other: tenantSchema,
  operatorKey: z.string(),
  operatorKeyId: z.string(),
})

/** Port of the server, and the data that it was seeded with. */
export type World = z.output<typeof worldSchema>

const endedSchema = z.object({
  agents: z.number(),
  keys: z.number(),
  connectors: z.number(),
  endpoints: z.number(),
  conversations: z.number(),
})

/** Counts of the things that were open when everything was ended. */
export type Ended = z.output<typeof endedSchema>

const messageSchema = z.object({ question: z.string(), answer: z.unknown(), error: z.string().nullable() })

/** A server under attack, in a process of its own over a new SQLite file. */
export interface Target {
  readonly world: World
  /** Returns the bytes of data in memory after garbage collection, once nothing is in progress. */
  memory(): Promise<number>
  /**
   * Returns the errors reported to the host since the last call: those that clients see as INTERNAL, and unhandled
   * rejections.
   */
  errors(): Promise<readonly string[]>
  /** Everything that the other account has. */
  snapshot(): Promise<string>
  /**
   * Ends all that was made in it, and removes what can be removed; nothing can be asked of it afterwards but its
   * memory.
   */
  end(): Promise<Ended>
  /** Reports whether the process runs; false once it has ended without being told to. */
  alive(): boolean
  /** Closes it as a host would, and removes its file. @throws Error when it does not end well */
  stop(): Promise<void>
}

/** Starts a server to be fuzzed. */
export async function startTarget(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-fuzz-'))
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    execArgv: ['--expose-gc', '--conditions=@colloquy/source'],
    env: { ...process.env, FUZZ_DATABASE: join(folder, 'fuzz.db') },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<string, (answer: unknown, error: string | null) => void>()
  const exit = new Promise<number | NodeJS.Signals>(resolve => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? -1))
  })
  child.on('message', message => {
    const { question, answer, error } = messageSchema.parse(message)
    waiting.get(question)?.(answer, error)
    waiting.delete(question)
  })
  const answerTo = (question: string): Promise<unknown> => {
    const answer = new Promise((resolve, reject) => {
      waiting.set(question, (given, error) => {
        if (error === null) resolve(given)
        else reject(new Error(`${question}: ${error}`))
      })
    })
    const gone = exit.then(code => Promise.reject(new Error(`The server ended with ${code}`)))
    return Promise.race([answer, gone])
  }
  const ask = (question: string): Promise<unknown> => {
    const answer = answerTo(question)
    child.send(question)
    return answer
  }
  await answerTo('ready')
  const world = worldSchema.parse(await ask('world'))
  return {
    world,
    async memory() {
      const file = z.string().parse(await ask('heap'))
      const bytes = dataIn(await readFile(file, 'utf8'))
      await rm(file)
      return bytes
    },
    errors: async () => z.array(z.string()).parse(await ask('errors')),
    snapshot: async () => z.string().parse(await ask('snapshot')),
    end: async () => endedSchema.parse(await ask('end')),
    alive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      try {
        if (child.connected) child.send('stop')
        const code = await exit
        if (code !== 0) throw new Error(`The server ended with ${code}`)
      } finally {
        child.kill('SIGKILL')
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
