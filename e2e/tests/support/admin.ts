import { execFile } from 'node:child_process'
import { programAt } from '../../../scripts/programs/program.ts'

/** Runs `colloquy-admin` as a program of its own, with no terminal. */
export const runAdminCommand = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise(resolve => {
    const source = [...programAt('packages/admin-cli/src/main.ts'), ...args]
    const child = execFile(
      process.execPath,
      source,
      { env: { PATH: process.env.PATH, ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
    child.stdin?.end()
  })
