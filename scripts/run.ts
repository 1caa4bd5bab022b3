import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program to its end and returns what it printed. @throws Error with its whole output when it fails */
export async function run(program: string, args: readonly string[], folder: string): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd: folder, maxBuffer: 2 ** 26 })
    return stdout
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error
    throw new Error(`${program} ${args.join(' ')} failed in ${folder}:\n${error.stdout}${error.stderr}`)
  }
}
