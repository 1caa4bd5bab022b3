import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { within } from '@colloquy/test-support/program'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { packPackages } from '../../../scripts/pack.ts'
import { workspacePackages } from '../../../scripts/workspace-packages.ts'

/** The part of a page that a newcomer follows: files, commands, and what is printed. */
export interface Section {
  readonly title: string
  readonly text: string
  readonly files: readonly (readonly [name: string, content: string])[]
  readonly commands: readonly string[]
  readonly shown: readonly string[]
}

const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)

/** The sections of a page, that before the first heading included. */
export const sectionsOf = (page: string): readonly Section[] =>
  page.split(/^## /m).map(text => ({
    title: text.split('\n')[0]?.replaceAll('`', '') ?? '',
    text,
    files: [...text.matchAll(/^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(
      ([, name = '', content = '']) => [name, content] as const,
    ),
    commands: blocksOf(text, 'sh').flatMap(block => block.trim().split('\n')),
    shown: blocksOf(text, 'text'),
  }))

/** Each package of ours, with those that it brings along. */
const brought = (name: string): readonly string[] => {
  const { manifest } = workspacePackages().find(one => one.manifest.name === name) ?? {}
  const own = Object.keys(manifest?.dependencies ?? {}).filter(one => one.startsWith('@colloquy/'))
  return [name, ...own.flatMap(brought)]
}

/**
 * Packages of others are those of a day: what they publish later fails no run of ours. Who moves the day tries the page
 * with it.
 */
const NPM = {
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_fetch_retries: '5',
  npm_config_before: '2026-11-24',
}

function inShell(
  command: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  // npm may have to trust a proxy of the network.
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env
  const trusted = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }
  return spawn('sh', ['-c', command], {
    cwd: folder,
    // A host of its own group: its children end with it.
    detached: true,
    env: { PATH, HOME, ...trusted, NEXT_TELEMETRY_DISABLED: '1', ...NPM, ...environment },
  })
}

/** Runs a command to its end, and returns what it printed. */
export async function complete(command: string, folder: string, environment = {}): Promise<string> {
  const child = inShell(command, folder, environment)
  let [out, all] = ['', '']
  child.stdout?.on('data', chunk => {
    out += chunk
    all += chunk
  })
  child.stderr?.on('data', chunk => {
    all += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${all}`)
  return out
}

/** Starts a host, asks it until it answers and has printed the pattern, and returns what this found. */
export async function start(
  command: string,
  folder: string,
  { port, url, until }: { readonly port: number; readonly url: string; readonly until: RegExp },
): Promise<string> {
  const child = inShell(command, folder, { PORT: String(port) })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      said += chunk
    })
  onTestFinished(async () => {
    const ended = once(child, 'close')
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
  })
  const onceThere = async (): Promise<string> => {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${command} ended:\n${said}`)
      await fetch(`${url}/openapi.json`).catch(() => {})
      const [all, found = all] = until.exec(said) ?? []
      if (found !== undefined) return found
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  return within(onceThere(), `${until}`)
}

/** A folder outside of the repository, which goes with the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-newcomer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes the files of sections into a folder. */
export async function writeFiles(folder: string, sections: readonly Section[]): Promise<void> {
  for (const [name, content] of sections.flatMap(({ files }) => files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

/**
 * Packs the packages for the tests of a file. To be called at its top.
 *
 * @returns what makes of a command of a page one that takes our packages, which are not in a registry yet, from there
 */
export function packedHere(): (command: string) => string {
  let packed = ''
  let tarballs: ReadonlyMap<string, string> = new Map()
  beforeAll(async () => {
    packed = await mkdtemp(join(tmpdir(), 'colloquy-packed-'))
    tarballs = await packPackages(packed)
  })
  afterAll(() => rm(packed, { recursive: true, force: true }))
  const tarballOf = (name: string): string => {
    const found = tarballs.get(name)
    if (found === undefined) throw new Error(`The page names ${name}, which is no package.`)
    return found
  }
  return command =>
    command
      .split(' ')
      .flatMap(word => (word.startsWith('@colloquy/') ? brought(word).map(tarballOf) : [word]))
      .join(' ')
}
