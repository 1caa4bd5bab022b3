import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as ask, createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createMessaging, fromConnector, type Messaging } from '@colloquy/client/messaging'
import { overStreams } from '@colloquy/client/sse'
import { createPlatform, silentLog } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { freePort, portOf } from '@colloquy/test-support/own-server'
import { run } from '@colloquy/test-support/program'
import { useNpmPackage } from '@colloquy/test-support/servers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { packPackages } from '../../scripts/pack.ts'
import { run as complete } from '../../scripts/run.ts'
import { REPOSITORY } from '../../scripts/workspace-packages.ts'

/** What the page about hosts names. */
const NEXT = 'next@16.4.6'

await useNpmPackage(NEXT)

/** What its route file imports, and what that needs. */
const OWN = ['core', 'adapter-sqlite', 'runtime-retrieval'].map(name => `@colloquy/${name}`)
const OTHERS = [
  NEXT,
  'react@19.2.1',
  'react-dom@19.2.1',
  'better-sqlite3@13.2.0',
  'typescript@5.9.3',
  '@types/node@22.20.5',
  '@types/react@19.2.7',
]

const ROUTE = 'app/api/talk/[[...path]]/route.ts'

const FILES: Readonly<Record<string, string>> = {
  'app/layout.tsx':
    'export default ({ children }: { children: React.ReactNode }) => <html lang="en"><body>{children}</body></html>\n',
  'app/page.tsx': 'export default () => <h1>The hotel</h1>\n',
}

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-next-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const packed = await packPackages(folder)
  const tarballs = OWN.flatMap(name => packed.get(name) ?? [])
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund']
  await complete('npm', ['install', ...quietly, ...tarballs, ...OTHERS], folder)
  const route = await readFile(join(REPOSITORY, 'e2e/src/hosts/next-route.ts'), 'utf8')
  for (const [name, text] of Object.entries({ ...FILES, [ROUTE]: route })) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** An agent in the file of the route, and the token of a connector to it. */
async function addAgent(filename: string): Promise<string> {
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    runtime: createRetrievalRuntime(),
    log: silentLog,
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId, name: 'Front desk', greeting: 'Welcome!' })
  const { agentId, environment } = await platform.agents.publish(agent.id, { environment: 'live' })
  const connector = { accountId, agentId, environment, hosts: ['localhost'] }
  const { token } = await platform.access.createConnector(connector)
  await platform.close()
  return token
}

/** Next in a process of its own, on a port. */
async function startNext(command: 'dev' | 'start', database: string): Promise<string> {
  const port = await freePort()
  const next = run(
    process.execPath,
    [join(folder, 'node_modules/next/dist/bin/next'), command, folder, '--port', String(port)],
    { COLLOQUY_DATABASE: database, NEXT_TELEMETRY_DISABLED: '1' },
  )
  // Its development server is a process of its own, which only a polite end takes with it.
  onTestFinished(async () => {
    next.kill('SIGTERM')
    await next.exit
  })
  await next.line(/Ready in/)
  return `http://127.0.0.1:${port}`
}

/** A proxy that ends TLS, as far as the server behind it can tell. */
async function startProxy(target: string): Promise<string> {
  const proxy: Server = createServer((request, response) => {
    const headers = { ...request.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    const onward = ask(`${target}${request.url}`, { method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>(listening => proxy.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${portOf(proxy)}`
}

function openChat(server: string, connectorToken: string): Messaging {
  const chat = createMessaging({
    server,
    getToken: fromConnector({ server, connectorToken, host: 'localhost' }),
    openSocket: overStreams({ server }),
  })
  onTestFinished(() => chat.destroy())
  chat.start()
  return chat
}

/** Says something, and waits until the agent has answered once more. */
async function say(chat: Messaging, text: string): Promise<void> {
  const replies = () => chat.current.messages.filter(({ from }) => from === 'agent').length
  const before = replies()
  chat.send(text)
  await vi.waitFor(() => expect(replies()).toBe(before + 1))
  expect(chat.current.messages.filter(({ from }) => from === 'visitor').at(-1)).toMatchObject({
    text,
    state: 'done',
  })
}

const greeted = (chat: Messaging) =>
  vi.waitFor(() => expect(chat.current.messages.map(({ text }) => text)).toEqual(['Welcome!']))

test('DO8 Next builds the route file without opening anything, and a visitor talks to what it starts', async () => {
  const database = join(folder, 'built.db')
  await complete(process.execPath, ['node_modules/next/dist/bin/next', 'build'], folder)
  expect((await readdir(folder)).filter(name => name.endsWith('.db'))).toEqual([])
  const token = await addAgent(database)
  const next = await startNext('start', database)
  expect(await (await fetch(next)).text()).toContain('The hotel')
  const plain = await fetch(`${next}/api/talk/api/v1/sessions`, { method: 'POST' })
  expect(plain.status).toBe(403)
  const chat = openChat(`${await startProxy(next)}/api/talk`, token)
  await greeted(chat)
  await say(chat, 'May I bring my dog?')
})

test('DO8 a visitor of the development server goes on talking while the route file changes', async () => {
  const database = join(folder, 'developed.db')
  const token = await addAgent(database)
  const next = await startNext('dev', database)
  const chat = openChat(`${next}/api/talk`, token)
  await greeted(chat)
  await say(chat, 'Before the change')
  const file = join(folder, ROUTE)
  const changed = `${await readFile(file, 'utf8')}\nexport const revalidate = 0\n`
  await writeFile(file, changed)
  await say(chat, 'While it changes')
  await say(chat, 'After the change')
  const said = chat.current.messages.filter(({ from }) => from === 'visitor').map(({ text }) => text)
  expect(said).toEqual(['Before the change', 'While it changes', 'After the change'])
})
