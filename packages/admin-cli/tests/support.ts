import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { runAdmin } from '../src/index.ts'

/** A path in a folder that goes with the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-admin-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'colloquy.db')
}

/** What a command line came to. */
export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Who runs a command line. */
export interface Caller {
  readonly env?: Readonly<Record<string, string>>
  /** What the person at the terminal types when asked; null: nobody is there. @default null */
  readonly types?: string | null
}

/** Runs a command line in this process. */
export async function admin(
  args: readonly string[],
  { env = {}, types = null }: Caller = {},
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAdmin(args, {
    env,
    out: text => void out.push(text),
    err: text => void err.push(text),
    ask:
      types === null
        ? null
        : async question => {
            err.push(question)
            return types
          },
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Runs it as the program that it is, with no terminal. */
export async function program(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const tsx = import.meta.resolve('tsx')
  const child = spawn(process.execPath, ['--conditions=@colloquy/source', '--import', tsx, main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve).on('error', reject)
  })
  return { code, out, err }
}
