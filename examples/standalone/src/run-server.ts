import { constants } from 'node:os'
import { createLog } from './log.ts'
import { nextSteps } from './next-steps.ts'
import { type StandaloneServer, startServer } from './server.ts'
import { type CredentialVariable, readSettings, secretsOf } from './settings.ts'
import { StartError } from './start-error.ts'

/**
 * npm passes on what a terminal has sent to the whole group already: within this time, milliseconds, two signals are
 * one.
 */
const SAME_SIGNAL = 250

/** Standard output is for programs: it gets one line, when the server listens. People read standard error. */
const say = (line: string): boolean => process.stderr.write(`${line}\n`)

/** Keys as one block, apart from the log before and after it. */
const keyBlock = (secrets: ReadonlyMap<CredentialVariable, string>): string =>
  [
    '',
    'Generated for this database. Keep these: only their hashes are stored, and they are not shown again.',
    ...Array.from(secrets, ([variable, secret]) => `${variable}=${secret}`),
    '',
  ].join('\n')

/** The first signal drains, a second one exits at once (SS12). */
function drainOnSignals(server: StandaloneServer): void {
  let first: number | null = null
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    const now = performance.now()
    if (first === null) {
      first = now
      server.close().then(() => process.exit(0), fail)
    } else if (now - first > SAME_SIGNAL) process.exit(128 + constants.signals[signal])
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

function fail(error: unknown): never {
  if (error instanceof StartError) say(error.message)
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const log = createLog(settings.logLevel, secretsOf(settings))
  const shown = new Map<CredentialVariable, string>()
  function show(secrets: ReadonlyMap<CredentialVariable, string>): void {
    say(keyBlock(secrets))
    for (const [variable, secret] of secrets) shown.set(variable, secret)
  }
  const server = await startServer(settings, { log, show })
  drainOnSignals(server)
  if (server.signInUrl !== null)
    say(`The console, with a link that signs you in once, within 15 minutes: ${server.signInUrl}`)
  if (shown.size > 0) for (const line of nextSteps(server.url, shown, settings)) say(line)
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: server.url })}\n`)
}

/** Runs the server until a signal ends it. What keeps it from starting is said, and the process exits with 1. */
export const runServer = (): Promise<void> => start().catch(fail)
