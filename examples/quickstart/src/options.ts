import { parseArgs } from 'node:util'
import { Failure } from './failure.ts'

/** Options of the quickstart. Every field has a flag and an environment variable. */
export interface Options {
  /** The server's URL, without a trailing slash. */
  readonly url: string
  /** Id or slug of the account in which the agent is built. */
  readonly account: string
  readonly operatorKey: string
  readonly workspaceKey: string
  readonly deskKey: string
  /** The server's word in names of events. */
  readonly brand: string
  /** Waits for Enter before the visitor's second question. */
  readonly pause: boolean
}

const FLAGS = {
  url: { type: 'string' },
  account: { type: 'string' },
  'operator-key': { type: 'string' },
  'workspace-key': { type: 'string' },
  'desk-key': { type: 'string' },
  brand: { type: 'string' },
  'pause-before-second-question': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Text of `--help`. */
export const HELP = `npm run quickstart -w examples/quickstart -- [flags]

Builds an agent on a running server, talks to it as a visitor, and reads what is left of that.

  --url                            COLLOQUY_URL             where the server is (http://127.0.0.1:8080)
  --account                        COLLOQUY_ACCOUNT         id or slug of the account (demo)
  --operator-key                   COLLOQUY_OPERATOR_KEY    required
  --workspace-key                  COLLOQUY_WORKSPACE_KEY   required
  --desk-key                       COLLOQUY_DESK_KEY        required
  --brand                          COLLOQUY_BRAND           the server's word in names of events (AI)
  --pause-before-second-question   COLLOQUY_PAUSE=1         waits for Enter, so that the server can be restarted meanwhile

"npm start" prints the keys when it generates them.`

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error} See --help.`)
  }
}

function readUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Failure(`--url or COLLOQUY_URL must be an http or https address, not ${JSON.stringify(given)}.`)
  return given.replace(/(?<!\/)\/+$/, '')
}

/** Reads flags and environment, flags first; null when help is asked for. @throws Failure */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | null {
  const flags = readFlags(args)
  if (flags.help === true) return null
  const missing: string[] = []
  const required = (flag: 'operator-key' | 'workspace-key' | 'desk-key', variable: string): string => {
    const value = flags[flag] || environment[variable]
    if (!value) missing.push(`${variable} (or --${flag})`)
    return value ?? ''
  }
  const options = {
    url: readUrl(flags.url || environment.COLLOQUY_URL || 'http://127.0.0.1:8080'),
    account: flags.account || environment.COLLOQUY_ACCOUNT || 'demo',
    brand: flags.brand || environment.COLLOQUY_BRAND || 'AI',
    operatorKey: required('operator-key', 'COLLOQUY_OPERATOR_KEY'),
    workspaceKey: required('workspace-key', 'COLLOQUY_WORKSPACE_KEY'),
    deskKey: required('desk-key', 'COLLOQUY_DESK_KEY'),
    pause: flags['pause-before-second-question'] ?? environment.COLLOQUY_PAUSE === '1',
  }
  if (missing.length > 0) throw new Failure(`Not given: ${missing.join(', ')}. See --help.`)
  return options
}
