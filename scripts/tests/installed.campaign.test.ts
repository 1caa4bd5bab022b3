import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMessaging, fromConnector } from '@colloquy/client/messaging'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { otherNode } from '../other-node.ts'
import { packPackages } from '../pack.ts'
import { run } from '../run.ts'
import { keptFiles } from '../specification.ts'
import { exportedModules, REPOSITORY, workspacePackages } from '../workspace-packages.ts'
import { type HostFolder, hostFolder, installLines, startReadmeHost } from './installed/host.ts'

// What somebody has who installs the packages with npm 12: each test runs what was packed, from its `dist`.

/** The Nodes beside which packages are installed; the first is the repository's own. */
const NODES = [process.versions.node, '26.12.1']

/** Its driver of SQLite would end the process without a message. */
const OLD_NODE = '20.20.2'

/** Packages that entry points need, which npm does not bring along: their peers may be absent. */
const BESIDE = [
  ...['@modelcontextprotocol/client', '@nats-io/nats-core', '@nats-io/transport-node', '@opentelemetry/api'],
  ...['@evan/opus', 'fast-check', 'fastify', 'htmlparser2', 'prom-client', 'react', 'redis', 'werift'],
]

const ADMIN = 'node_modules/@colloquy/admin-cli/dist/main.js'

/** These need a test runner, and are imported with it by the packaging tests. */
const isElsewhere = (name: string): boolean => name.endsWith('/testing/contracts')

const published = workspacePackages().map(({ manifest }) => manifest)
const entryPoints = published.flatMap(manifest =>
  exportedModules(manifest).map(([path]) => manifest.name + path.slice(1)),
)

const guides = async (): Promise<readonly string[]> => {
  const pages = keptFiles('*.md').filter(path =>
    /^(README|docs\/guides\/|packages\/[^/]+\/README)/.test(path),
  )
  const texts = await Promise.all(pages.map(path => readFile(join(REPOSITORY, path), 'utf8')))
  return texts.flatMap(installLines)
}

const packed = await mkdtemp(join(tmpdir(), 'colloquy-packed-'))
const tarballs = await packPackages(packed)

/** The folders into which the packages were installed, by the version of the Node that did it. */
const hosts = new Map<string, Promise<HostFolder>>()

async function install(version: string): Promise<HostFolder> {
  const host = await hostFolder(await otherNode(version))
  await host.npm('install', ...tarballs.values())
  const [line = ''] = installLines(await readFile(join(REPOSITORY, 'README.md'), 'utf8'))
  await host.npm('install', ...line.split(' '))
  await host.npm('install', ...BESIDE)
  return host
}

/** The packages of the checkout, what the README installs, and what tests use beside it, on one Node. */
function installedOn(version: string): Promise<HostFolder> {
  const made = hosts.get(version) ?? install(version)
  hosts.set(version, made)
  return made
}

afterAll(async () => {
  const made = await Promise.allSettled(hosts.values())
  const folders = made.flatMap(one => (one.status === 'fulfilled' ? [one.value.folder] : []))
  for (const folder of [packed, ...folders]) await rm(folder, { recursive: true, force: true })
})

/** What a program wrote and how it ended. */
function ended(node: string, args: readonly string[], folder: string) {
  return new Promise<{ readonly code: number | null; readonly stderr: string }>((resolve, reject) => {
    const child = spawn(node, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, stderr }))
  })
}

describe.each(NODES)('on Node %s, installed by npm 12', version => {
  let host: HostFolder
  beforeAll(async () => {
    host = await installedOn(version)
  })

  const admin = (...args: readonly string[]): Promise<string> => run(host.node, [ADMIN, ...args], host.folder)

  test('the install lines of the README lead to a host that answers a visitor', async () => {
    const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8')
    expect(readme).toMatch(/^npm install \/path\/to\/the\/checkout\/packed\/\*\.tgz/m)
    const { url, token, end } = await startReadmeHost(host)
    onTestFinished(end)
    const getToken = fromConnector({ server: url, connectorToken: token, host: 'localhost' })
    const chat = createMessaging({ server: url, getToken })
    onTestFinished(chat.destroy)
    chat.start()
    await expect
      .poll(() => chat.current.messages[0])
      .toMatchObject({ from: 'agent', state: 'done', text: 'Welcome!' })
  })

  test('PK4 each entry point does its work', async () => {
    await copyFile(join(import.meta.dirname, 'installed/use-each.mjs'), join(host.folder, 'use-each.mjs'))
    const results = JSON.parse(await run(host.node, ['use-each.mjs'], host.folder))
    expect(Object.keys(results).sort()).toEqual(entryPoints.filter(name => !isElsewhere(name)).sort())
    expect(results).toMatchObject({
      '@colloquy/adapter-sqlite': 'Welcome!',
      '@colloquy/integrations/files': 'Breakfast',
      '@colloquy/integrations/twilio': true,
      '@colloquy/client/http': 'Front desk',
      '@colloquy/client/sse': 'Welcome!',
      '@colloquy/console': 200,
      '@colloquy/core/transport': 200,
      '@colloquy/http-fastify': 200,
    })
  })

  test('colloquy-admin knows each of its commands, and works over a file', async () => {
    const help = await admin('--help')
    const commands = [...help.matchAll(/^ {2}([a-z][a-z-]+) +\S/gm)].map(([, name = '']) => name)
    expect(commands).toContain('mcp')
    for (const command of commands.filter(name => name !== 'help' && name !== 'colloquy-admin'))
      expect(await admin(command, '--help')).toContain(`Usage: colloquy-admin ${command}`)
    const file = ['--database', 'admin.db', '--json']
    const { accountId } = JSON.parse(
      await admin(...file, '--create', 'accounts', 'create', '--slug', 'inn', '--name', 'Inn'),
    )
    expect(JSON.parse(await admin(...file, 'accounts', 'list'))).toMatchObject([{ accountId, slug: 'inn' }])
    await admin(...file, 'keys', 'create', '--kind', 'desk', '--account', 'inn')
    expect(JSON.parse(await admin(...file, 'keys', 'list'))).toMatchObject([{ kind: 'desk' }])
    expect(await admin(...file, 'audit', 'list')).toContain(accountId)
    await admin('copy', '--from', 'admin.db', '--to', 'copied.db')
    expect(await admin('--database', 'copied.db', 'accounts', 'list')).toContain('inn')
  })

  test('colloquy-admin mcp answers an assistant', async () => {
    const child = spawn(host.node, [ADMIN, 'mcp', '--url', 'http://127.0.0.1:9'], {
      cwd: host.folder,
      env: { ...process.env, COLLOQUY_WORKSPACE_KEY: 'cq_ws_none' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const ask = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return JSON.parse((await lines.next()).value)
    }
    const clientInfo = { name: 'test', version: '1' }
    const hello = await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    expect(hello.result.serverInfo).toMatchObject({ name: 'colloquy-admin' })
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    const { result } = await ask(2, 'tools/list', {})
    expect(result.tools.map(({ name }: { name: string }) => name)).toContain('mergeBranch')
  })

  test('the install lines of all guides find what they name', async () => {
    const lines = await guides()
    expect(lines.length).toBeGreaterThan(30)
    const words = [...new Set(lines.flatMap(line => line.split(' ')))].filter(word => !word.startsWith('--'))
    const own = words.filter(word => word.startsWith('@colloquy/'))
    expect(own.filter(name => !tarballs.has(name))).toEqual([])
    await host.npm('install', '--dry-run', ...words)
  })
})

describe('wherever they are installed', () => {
  let host: HostFolder
  beforeAll(async () => {
    host = await installedOn(process.versions.node)
  })

  test.each(['@colloquy/adapter-sqlite', '@colloquy/core/node'])(
    'SQ111 on an older Node %s says which one it needs, and opens no file',
    async name => {
      const program = `const m = await import('${name}').catch(error => console.error(error.message)); if (m) console.error(m.nodeObjection(process.versions.node))`
      const node = await otherNode(OLD_NODE)
      const { stderr } = await ended(node, ['--input-type=module', '--eval', program], host.folder)
      expect(stderr).toBe(`Node ${OLD_NODE} is too old for Colloquy. Use Node 22.18 or newer.\n`)
    },
  )

  test('on an older Node colloquy-admin says so in one line, and exits with 1', async () => {
    expect(await ended(await otherNode(OLD_NODE), [ADMIN, 'accounts', 'list'], host.folder)).toEqual({
      code: 1,
      stderr: `error: Node ${OLD_NODE} is too old for Colloquy. Use Node 22.18 or newer.\n`,
    })
  })

  test('on an older Node `npm start` says so in one line, and exits with 1', async () => {
    const { scripts } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'))
    const [, node, ...args] = String(scripts.start).split(' ')
    expect(node).toBe('node')
    expect(await ended(await otherNode(OLD_NODE), args, REPOSITORY)).toEqual({
      code: 1,
      stderr: `Node ${OLD_NODE} is too old for Colloquy. Use Node 22.18 or newer.\n`,
    })
  })

  test.each(['ai@6', 'ai@7'])('the runtime for language models installs beside %s', async ai => {
    const own = ['core', 'runtime-retrieval', 'runtime-ai-sdk'].map(
      name => tarballs.get(`@colloquy/${name}`) ?? '',
    )
    const empty = await hostFolder(process.execPath)
    onTestFinished(() => rm(empty.folder, { recursive: true, force: true }))
    await empty.npm('install', '--dry-run', ...own, ai)
  })

  test('PK22 a strict TypeScript host that checks libraries too compiles, with the types that openapi-typescript makes', async () => {
    const types = ['express', 'ws', 'pg', 'better-sqlite3', 'node@22', 'react@19']
    // Types of the AI SDK import those of JSON Schema, and it does not bring them.
    const needed = [...types, 'json-schema'].map(name => `@types/${name}`)
    await host.npm(
      'install',
      'openapi-typescript@7',
      'typescript@5',
      'typescript-7@npm:typescript@7',
      ...needed,
    )
    const names = entryPoints.filter(name => !isElsewhere(name))
    await writeFile(
      join(host.folder, 'all.ts'),
      [
        ...names.map((name, n) => `export * as entry${n} from '${name}'`),
        `export type { paths } from './api.d.ts'`,
      ].join('\n'),
    )
    const document = 'node_modules/@colloquy/core/openapi.json'
    const { node, folder } = host
    await run(node, ['node_modules/openapi-typescript/bin/cli.js', document, '-o', 'api.d.ts'], folder)
    const options = [
      '--strict',
      '--noEmit',
      '--skipLibCheck',
      'false',
      '--target',
      'es2022',
      '--module',
      'nodenext',
    ]
    const files = ['--types', 'node', '--lib', 'es2023,dom,dom.iterable', 'all.ts', 'api.d.ts']
    for (const compiler of ['typescript', 'typescript-7'])
      expect(await run(node, [`node_modules/${compiler}/bin/tsc`, ...options, ...files], folder)).toBe('')
  })
})
