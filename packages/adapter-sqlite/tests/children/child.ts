import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** Runs a script in a process of its own. */
export const runChild = (
  script: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcessByStdio<Writable, Readable, null> =>
  spawn(
    process.execPath,
    ['--conditions=@colloquy/source', '--import', import.meta.resolve('tsx'), fileURLToPath(script), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'], env },
  )
