import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { type Program, runExample } from './program.ts'

/** Credentials of the servers under test. */
export const CREDENTIALS = {
  COLLOQUY_OPERATOR_KEY: 'operator-key-of-the-tests',
  COLLOQUY_WORKSPACE_KEY: 'workspace-key-of-the-tests',
  COLLOQUY_PROJECT_KEY: 'project-key-of-the-tests',
  COLLOQUY_EXTERNAL_EVENTS_KEY: 'events-key-of-the-tests',
  COLLOQUY_DESK_KEY: 'desk-key-of-the-tests',
  COLLOQUY_CONNECTOR_TOKEN: 'connector-token-of-the-tests',
} as const

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
 */
export async function startStandalone(environment: Readonly<Record<string, string>>): Promise<Standalone> {
  const program = runExample('standalone', { PORT: '0', ...environment })
  const { url } = listeningSchema.parse(JSON.parse(await program.line(/"listening"/)))
  return { ...program, url, port: new URL(url).port }
}
