import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type Program, runExampleBy } from './program.ts'

/** Credentials of the servers under test. */
export const CREDENTIALS = {
  COLLOQUY_OPERATOR_KEY: 'operator-key-of-the-tests',
  COLLOQUY_WORKSPACE_KEY: 'workspace-key-of-the-tests',
  COLLOQUY_PROJECT_KEY: 'project-key-of-the-tests',
  COLLOQUY_EXTERNAL_EVENTS_KEY: 'events-key-of-the-tests',
  COLLOQUY_DESK_KEY: 'desk-key-of-the-tests',
  COLLOQUY_CONNECTOR_TOKEN: 'connector-token-of-the-tests',
} as const

/** The environment of a server under test. */
type Environment = Readonly<Record<string, string>>

/** A standalone server that listens. */
export interface Standalone extends Program {
  readonly url: string
  readonly port: string
}

const listeningSchema = z.strictObject({ event: z.literal('listening'), url: z.string() })

/** A path for a new database; its folder is removed when the test is over. */
export async function freshDatabase(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-e2e-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'nested', 'colloquy.db')
}

/**
 * Starts a server on a free port of this machine, or on the one that the environment gives, and waits until it listens.
 *
 * @param by a command that runs it, such as that of a namespace of the network
 */
export async function startStandalone(
  environment: Environment,
  by: readonly string[] = [],
): Promise<Standalone> {
  const program = runExampleBy(by, 'standalone', { PORT: '0', ...environment })
  const { url } = listeningSchema.parse(JSON.parse(await program.line(/"listening"/)))
  return { ...program, url, port: new URL(url).port }
}

/** The database that a first start with the credentials leaves, once for each process of tests. */
async function makeDemoDatabase(): Promise<string> {
  const filename = join(inject('programs'), `demo-${process.pid}.db`)
  const server = await startStandalone({ COLLOQUY_DATABASE: filename, ...CREDENTIALS })
  server.kill('SIGTERM')
  if ((await server.exit) !== 0) throw new Error(`The first start failed:\n${server.output.stderr}`)
  return filename
}

let demoDatabase: Promise<string> | undefined

/**
 * The environment of a server that has run before: it need not make its tables and write the demo agent, which is most of
 * a first start.
 */
export async function startedBefore(): Promise<{ readonly COLLOQUY_DATABASE: string } & typeof CREDENTIALS> {
  demoDatabase ??= makeDemoDatabase()
  const filename = await freshDatabase()
  await mkdir(dirname(filename))
  await copyFile(await demoDatabase, filename)
  return { COLLOQUY_DATABASE: filename, ...CREDENTIALS }
}
