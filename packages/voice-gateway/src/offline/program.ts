import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** A program of the machine that is running. */
export type Running = ChildProcessByStdio<Writable, Readable, null>

/**
 * Starts a program without a shell. It is killed when the signal aborts.
 *
 * @param further what it reads from its file descriptor 3
 * @throws Error that says what to install, if the machine does not have it. It comes with the end of its output
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { further, install, signal }: { readonly further?: string; readonly install: string; readonly signal: AbortSignal },
): { readonly running: Running; readonly done: Promise<void> } {
  const running = spawn(program, args, {
    stdio: further === undefined ? ['pipe', 'pipe', 'ignore'] : ['pipe', 'pipe', 'ignore', 'pipe'],
  }) as Running
  const kill = (): void => void running.kill('SIGKILL')
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill, { once: true })
  // A program that ends early does not read the rest.
  running.stdin.on('error', () => undefined)
  const more = running.stdio[3]
  if (further !== undefined && more && 'end' in more) {
    more.on('error', () => undefined)
    more.end(further)
  }
  const done = new Promise<void>((resolve, reject) => {
    running.on('error', error => {
      const isMissing = 'code' in error && error.code === 'ENOENT'
      const words = `The program ${program} is not installed. Install it, on Debian with: apt-get install ${install}.`
      reject(isMissing ? new Error(words, { cause: error }) : error)
    })
    running.on('close', code => {
      signal.removeEventListener('abort', kill)
      if (code === 0 || signal.aborted) resolve()
      else reject(new Error(`The program ${program} ended with ${code}.`))
    })
  })
  done.catch(() => undefined)
  return { running, done }
}
