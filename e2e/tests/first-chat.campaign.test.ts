import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '@colloquy/test-support/own-server'
import { within } from '@colloquy/test-support/program'
import { useNpmPackage } from '@colloquy/test-support/servers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packPackages } from '../../scripts/pack.ts'
import { REPOSITORY, workspacePackages } from '../../scripts/workspace-packages.ts'

await useNpmPackage('next')

/** A part of the page: what a newcomer puts into the folder, runs there, and is shown. */
interface Section {
  readonly title: string
  readonly text: string
  readonly files: readonly (readonly [name: string, content: string])[]
  readonly commands: readonly string[]
  readonly shown: readonly string[]
}

const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)

const sections: readonly Section[] = (await readFile(join(REPOSITORY, 'docs/guides/first-chat.md'), 'utf8'))
  .split(/^## /m)
  .map(text => ({
    title: text.split('\n')[0]?.replaceAll('`', '') ?? '',
    text,
    files: [...text.matchAll(/^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(
      ([, name = '', content = '']) => [name, content] as const,
    ),
    commands: blocksOf(text, 'sh').flatMap(block => block.trim().split('\n')),
    shown: blocksOf(text, 'text'),
  }))

const section = (title: string): Section => {
  const found = sections.find(one => one.title === title)
  if (found === undefined) throw new Error(`The page has no section ${title}.`)
  return found
}

const HOSTS = ['node:http', 'Express', 'Fastify', 'Koa', 'Hono', 'Next.js', 'SvelteKit']

/** Where the packages are that the page takes from the registry. */
let packed = ''

/** Each package of ours, with those that it brings along. */
const brought = (name: string): readonly string[] => {
  const { manifest } = workspacePackages().find(one => one.manifest.name === name) ?? {}
  const own = Object.keys(manifest?.dependencies ?? {}).filter(one => one.startsWith('@colloquy/'))
  return [name, ...own.flatMap(brought)]
}

const tarballOf = (name: string): string => {
  const found = tarballs.get(name)
  if (found === undefined) throw new Error(`The page names ${name}, which is no package.`)
  return found
}

let tarballs: ReadonlyMap<string, string> = new Map()

beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'colloquy-packed-'))
  tarballs = await packPackages(packed)
})

afterAll(() => rm(packed, { recursive: true, force: true }))

/** What a command of the page is here: our packages are not in a registry yet. */
const asHere = (command: string): string =>
  command
    .split(' ')
    .flatMap(word => (word.startsWith('@colloquy/') ? brought(word).map(tarballOf) : [word]))
    .join(' ')

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

/** Runs a command to its end; what it printed. */
async function complete(command: string, folder: string, environment = {}): Promise<string> {
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

/** Starts a host, asks it until it answers, and returns the token that it printed. */
async function start(command: string, folder: string, { port, url }: { port: number; url: string }) {
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
  const tokenOnceThere = async (): Promise<string> => {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${command} ended:\n${said}`)
      await fetch(`${url}/openapi.json`).catch(() => {})
      const token = /Connector token: (\S+)/.exec(said)?.[1]
      if (token !== undefined) return token
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  return within(tokenOnceThere(), 'the token')
}

test.for(HOSTS)(
  'from an empty folder to a chat by the page alone: %s',
  { timeout: 400_000 },
  async (host, { task }) => {
    const [agent, visitor, own] = [section('An agent'), section('A visitor'), section(host)]
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-first-chat-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const began = performance.now()
    const [serve = '', ...installs] = [...agent.commands, ...own.commands].toReversed()
    for (const command of installs.toReversed()) await complete(asHere(command), folder)
    const installed = performance.now()
    for (const [name, content] of [agent, visitor, own].flatMap(({ files }) => files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    const port = await freePort()
    const url = `http://localhost:${port}${own.text.includes('without a path') ? '' : '/talk'}`
    const TOKEN = await start(serve, folder, { port, url })
    const started = performance.now()
    const [say = ''] = visitor.commands
    expect(say).toContain(' http://localhost:3000/talk ')
    const STREAMS = own.text.includes('no sockets') ? '1' : ''
    const said = await complete(say.replace('http://localhost:3000/talk', url), folder, { TOKEN, STREAMS })
    expect(said).toBe(visitor.shown[0])
    const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1)
    const over = performance.now()
    task.meta.told = [
      `${host}: from an empty folder to a chat in ${seconds(began, over)} s`,
      `  Installed in ${seconds(began, installed)} s`,
      `  The host answers after ${seconds(installed, started)} s`,
      `  The chat takes ${seconds(started, over)} s`,
    ]
  },
)

test('the page has these hosts and no others', () => {
  const between = sections.map(({ title }) => title).slice(3, -1)
  expect(between).toEqual(HOSTS)
})
