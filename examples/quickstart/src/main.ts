import { once } from 'node:events'
import { createApi, isApiError } from '@colloquy/client/http'
import { buildAgent } from './build-agent.ts'
import { Failure } from './failure.ts'
import { openSession } from './open-session.ts'
import { HELP, type Options, readOptions } from './options.ts'
import { readBack } from './read-back.ts'
import { createReport } from './report.ts'
import { tryAndPromote } from './try-and-promote.ts'
import { visit } from './visit.ts'

const write = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Waits for Enter, or for the end of the input. */
async function waitForEnter(): Promise<void> {
  write('      Paused before the second question. Restart the server now if you like; Enter goes on.')
  await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')])
  process.stdin.pause()
}

async function run(options: Options): Promise<void> {
  const { deskKey, operatorKey, url: server, workspaceKey } = options
  const api = createApi({ server, credentials: { deskKey, operatorKey, workspaceKey } })
  const report = createReport(write)
  const agentId = await buildAgent(api, options, report)
  await tryAndPromote(api, report, agentId)
  const session = await openSession(api, options, report, agentId)
  await visit({ api, options, report }, session, options.pause ? waitForEnter : async () => {})
  await readBack(options, report, agentId, session)
  write('Done: every step gave what the contract says.')
}

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === null) write(HELP)
  else await run(options)
} catch (error) {
  const reason =
    error instanceof Failure || isApiError(error)
      ? error.message
      : error instanceof Error
        ? error.stack
        : error
  process.stderr.write(`Failed: ${reason}\n`)
  process.exitCode = 1
}
