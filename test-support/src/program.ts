import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { PATIENCE } from '../../scripts/patience.ts'
import { programAt } from '../../scripts/programs/program.ts'

/** The repository's root. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Environment that a program inherits: the paths that it needs, and nothing that would configure it. */
const BASE_ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => ['PATH', 'HOME', 'TMPDIR', 'LANG'].includes(name)),
)

/** A running program. It is killed when the test is over. */
export interface Program {
  /** All that it has written so far. */
  readonly output: { readonly stdout: string; readonly stderr: string }
  /** Resolves with the first line of either stream that the pattern finds, also one that is there already. */
  line(pattern: RegExp): Promise<string>
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals>
  kill(signal: NodeJS.Signals): void
  write(text: string): void
}

/** Gives up on a promise that nothing comes of, and says which. */
export async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`${what}: not within ${PATIENCE} ms`)), PATIENCE)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(late))
}

/** Runs a program in the repository's root. */
export function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(command, args, { cwd: ROOT, env: { ...BASE_ENVIRONMENT, ...environment } })
  const output = { stdout: '', stderr: '' }
  const watching = new Set<() => void>()
  const collect = (name: 'stdout' | 'stderr'): void => {
    child[name].setEncoding('utf8').on('data', chunk => {
      output[name] += chunk
      for (const check of watching) check()
    })
  }
  collect('stdout')
  collect('stderr')
  const exit = exitOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return {
    output,
    exit,
    kill: signal => child.kill(signal),
    write: text => child.stdin.write(text),
    line: pattern => {
      const found = new Promise<string>(resolve => {
        const check = (): void => {
          const lines = [...completeLines(output.stdout), ...completeLines(output.stderr)]
          const line = lines.find(one => pattern.test(one))
          if (line !== undefined) resolve(line)
        }
        watching.add(check)
        check()
      })
      const gone = exit.then(code => {
        const told = `${output.stdout}${output.stderr}`
        if (![...completeLines(told)].some(one => pattern.test(one)))
          throw new Error(`Ended with ${code} before ${pattern}:\n${told}`)
        return found
      })
      return within(Promise.race([found, gone]), `${pattern} in\n${output.stdout}${output.stderr}`)
    },
  }
}

const completeLines = (text: string): readonly string[] => text.split('\n').slice(0, -1)

/** The lines of a stream that has ended. */
export const linesOf = (text: string): readonly string[] => text.split('\n').filter(line => line !== '')

const exitOf = (child: ChildProcessWithoutNullStreams): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? -1))
  })

/** Runs one of the examples. @param flags those of the program */
export const runExample = (
  name: 'standalone' | 'quickstart',
  environment: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Program => run(process.execPath, [...programAt(`examples/${name}/src/main.ts`), ...flags], environment)

/** Runs one of the examples by another command, which is given the command of the example as its last arguments. */
export const runExampleBy = (
  [command = 'env', ...before]: readonly string[],
  name: 'standalone',
  environment: Readonly<Record<string, string>>,
): Program =>
  run(command, [...before, process.execPath, ...programAt(`examples/${name}/src/main.ts`)], environment)
