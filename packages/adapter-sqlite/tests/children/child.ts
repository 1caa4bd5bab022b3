import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { programArguments } from '../../../../scripts/programs/program.ts'

/** Runs a script in a process of its own. */
export const runChild = (
  script: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcessByStdio<Writable, Readable, null> =>
  spawn(process.execPath, [...programArguments(script), ...args], { stdio: ['pipe', 'pipe', 'inherit'], env })
