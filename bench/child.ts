import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { build } from 'rolldown'

/** A process of a bench that answers what it is asked, one question after the other. */
export interface Child {
  /** Its message when it was ready. */
  readonly ready: unknown
  /** @throws Error when it ends instead of answering */
  ask(question: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** Servers run on one core and the load on another, where the system can tie a process to a core. */
const pins = process.platform === 'linux' && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** The cores of a bench. */
export const CORE = { server: 0, load: 1 } as const

/** Starts a script with one argument, tied to a core, and waits until it is ready. */
export async function startChild(script: string, argument: unknown, core: number): Promise<Child> {
  const text = JSON.stringify(argument)
  const child = pins
    ? fork(script, [text], { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] })
    : fork(script, [text], { execArgv: [] })
  const ask = async (question: unknown): Promise<unknown> => {
    const answer = said(child)
    child.send({ question })
    return answer
  }
  return {
    ready: await said(child),
    ask,
    async stop() {
      const ended = once(child, 'exit')
      child.send({ question: 'stop' })
      await ended
    },
  }
}

async function said(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`A process of the bench ended with ${code}.`)
      }),
    ])
  } finally {
    settled.abort()
  }
}

/** In a child: tells that it is ready, and answers until it is asked to stop. */
export async function answerParent(
  ready: unknown,
  answer: (question: unknown) => Promise<unknown> | unknown,
): Promise<void> {
  // A bench that is ended leaves no process behind.
  process.once('disconnect', () => process.exit(1))
  const stopped = new Promise<void>((resolve, reject) => {
    process.on('message', (message: { readonly question: unknown }) => {
      if (message.question === 'stop') resolve()
      else
        Promise.resolve(answer(message.question)).then(
          said => process.send?.(said ?? null),
          error => reject(error),
        )
    })
  })
  process.send?.(ready)
  await stopped
}

/**
 * Makes scripts of this folder into JavaScript that Node runs as it is, so that they load the packages as they were
 * built; hands over where each of them is.
 */
export async function withScripts(
  sources: readonly string[],
  use: (madeOf: (source: string) => string) => Promise<void>,
): Promise<void> {
  const cache = join(import.meta.dirname, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'scripts-'))
  try {
    await build({
      input: sources.map(source => join(import.meta.dirname, source)),
      platform: 'node',
      external: /^[^./]/,
      output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
    })
    await use(source => join(folder, `${basename(source, extname(source))}.mjs`))
  } finally {
    await rm(folder, { recursive: true })
  }
}
