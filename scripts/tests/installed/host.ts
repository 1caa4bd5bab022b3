import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { otherNpm } from '../../other-node.ts'
import { run } from '../../run.ts'
import { REPOSITORY } from '../../workspace-packages.ts'

/** A folder of somebody who installs the packages, with the programs that they use. */
export interface HostFolder {
  readonly folder: string
  readonly node: string
  /** Runs npm 12 in the folder. */
  npm(...args: readonly string[]): Promise<string>
}

/** The npm that installs. */
const NPM = '12.2.2'

/** An empty folder. */
export async function hostFolder(node: string): Promise<HostFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-installed-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const npm = await otherNpm(NPM)
  return {
    folder,
    node,
    npm: (...args) => run(node, [npm, '--no-audit', '--no-fund', ...args], folder),
  }
}

/** What the commands of a page install by name, command by command. */
export const installLines = (page: string): readonly string[] =>
  [...page.matchAll(/^npm install (?!\/)(.+)$/gm)].map(([, line = '']) => line)

/** The host of the README while it runs. */
export interface RunningHost {
  readonly url: string
  readonly token: string
  end(): Promise<void>
}

/** Starts the host of the README in the folder, over the file `colloquy.db`. @throws Error when it does not listen */
export async function startReadmeHost({ folder, node }: HostFolder): Promise<RunningHost> {
  await writeFile(join(folder, 'host.ts'), await readFile(join(REPOSITORY, 'e2e/src/embed.ts'), 'utf8'))
  const { NODE_OPTIONS: _, ...env } = process.env
  const child: ChildProcess = spawn(node, ['host.ts'], {
    cwd: folder,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  let token = ''
  if (child.stdout === null) throw new Error('The host has no output.')
  for await (const line of createInterface(child.stdout)) {
    token = /^Connector token: (\S+)/.exec(line)?.[1] ?? token
    const port = /port: (\d+)/.exec(line)?.[1]
    if (port !== undefined) return { url: `http://localhost:${port}`, token, end }
  }
  throw new Error('The host ended before it listened.')
}
