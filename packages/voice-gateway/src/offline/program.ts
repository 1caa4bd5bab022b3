import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** A program of the machine that is running. */
export type Running = ChildProcessByStdio<Writable, Readable, null>

/**
 * Starts a program without a shell. It is killed when the signal aborts.
 *
 * @throws Error that says what to install, if the machine does not have it. It comes with the end of its output
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { install, signal }: { readonly install: string; readonly signal: AbortSignal },
): { readonly running: Running; readonly done: Promise<void> } {
  const running = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const kill = (): void => void running.kill('SIGKILL')
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill, { once: true })
  // A program that ends early does not read the rest.
  running.stdin.on('error', () => undefined)
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

/** Makes a folder of its own for programs that read or write files alone. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'colloquy-voice-'))

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })
