import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireBrowser } from '@colloquy/test-support/browser'
import { type Program, run } from '@colloquy/test-support/program'
import { useNpmPackage } from '@colloquy/test-support/servers'
import { build, type Plugin } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run as complete } from '../../../../scripts/run.ts'
import { textEntry } from '../../../../scripts/text-entry.ts'
import { openServer } from './support.ts'

const COPILOTKIT = '@copilotkit/react-core@1.74.0'

// biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React.
await useNpmPackage(COPILOTKIT)

/** What the guide imports, each of one version. CopilotKit is too large for this repository to have. */
const PUBLISHED = [
  COPILOTKIT,
  '@copilotkit/runtime@1.74.0',
  '@ag-ui/client@0.0.59',
  '@ag-ui/core@0.0.59',
  'react@19.3.1',
  'react-dom@19.3.1',
  'zod@4.6.7',
]

const GUIDE = new URL('../../../../docs/guides/ag-ui.md', import.meta.url)
const { open, profile } = requireBrowser()

/** Loaded before a program, it writes which other machines the program asks for. */
const NOTING = `data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns'
  const { lookup } = dns
  dns.lookup = (host, ...more) => {
    if (!['localhost', '127.0.0.1'].includes(host)) process.stderr.write('asks for ' + host + '\\n')
    return lookup(host, ...more)
  }`)}`

let folder = ''
let source = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-copilotkit-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // Without scripts: one of what it installs reports where it is installed. Without peers: they are for its own agents.
  const quietly = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  await complete('npm', ['install', ...quietly, ...PUBLISHED], folder)
  const guide = await readFile(GUIDE, 'utf8')
  source = /^```jsx\n(.*?)^```$/ms.exec(guide)?.[1] ?? ''
  const program = /^```js\n(\/\/ copilot\.mjs.*?)^```$/ms.exec(guide)?.[1] ?? ''
  await writeFile(join(folder, 'copilot.mjs'), program)
}, 600_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The page is tested without its looks. */
const withoutStyles: Plugin = {
  name: 'without styles',
  load: id => (id.endsWith('.css') ? { code: '', moduleType: 'js' } : null),
}

/** The page of the guide, as one file; how it reaches the agent is a property of its provider. */
async function bundle(reached: string): Promise<Uint8Array> {
  const contents = source.replace('selfManagedAgents={{ desk }}', reached)
  expect(contents).toContain(reached)
  const { input, plugin } = textEntry(contents, folder, 'page.jsx')
  const { output } = await build({
    input,
    plugins: [plugin, withoutStyles],
    platform: 'browser',
    transform: {
      jsx: { runtime: 'automatic' },
      define: { 'process.env.NODE_ENV': '"development"' },
    },
    write: false,
    output: { format: 'esm', codeSplitting: false },
  })
  return new TextEncoder().encode(output[0].code)
}

/** The program of the guide, with CopilotKit's runtime. */
async function startRuntime(
  agentUrl: string,
): Promise<{ readonly program: Program; readonly origin: string }> {
  const program = run(process.execPath, ['--import', NOTING, join(folder, 'copilot.mjs')], {
    ...{ AGENT_URL: agentUrl, PORT: '0', COPILOTKIT_TELEMETRY_DISABLED: 'true' },
  })
  const port = /\d+/.exec(await program.line(/^Listening/))?.[0]
  return { program, origin: `http://127.0.0.1:${port}` }
}

/** Hands a request on to another server. */
async function forward(request: Request, origin: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  for (const name of ['connection', 'content-length', 'host']) headers.delete(name)
  const body = request.method === 'GET' ? null : await request.arrayBuffer()
  const answer = await fetch(origin + pathname + search, { method: request.method, headers, body })
  const told = new Headers(answer.headers)
  for (const name of ['connection', 'content-encoding', 'content-length', 'transfer-encoding'])
    told.delete(name)
  return new Response(answer.body, { status: answer.status, headers: told })
}

/** The page of the guide, for the visitor of a cookie; all that it asks for of others is noted. */
async function openChat({
  reached = 'selfManagedAgents={{ desk }}',
  api,
}: {
  readonly reached?: string
  readonly api?: (request: Request) => Promise<Response>
} = {}) {
  const visitorOf = /(?:^|; )guest=(\w+)/
  const server = await openServer({
    ...{ page: await bundle(reached), ...(api === undefined ? {} : { api }) },
    options: {
      authorize: request => {
        const id = visitorOf.exec(request.headers.get('cookie') ?? '')?.[1]
        return id === undefined ? null : { id }
      },
    },
  })
  const guest = await profile()
  await guest.addCookies([{ name: 'guest', value: 'ada', url: server.origin }])
  const elsewhere: string[] = []
  guest.on('request', request => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && origin !== server.origin) elsewhere.push(request.url())
  })
  const load = async () => {
    const page = await open(guest, server.origin)
    return {
      page,
      async say(text: string): Promise<void> {
        await page.getByTestId('copilot-chat-textarea').fill(text)
        await page.getByTestId('copilot-send-button').click()
      },
      shows: async (...texts: readonly string[]): Promise<void> => {
        const told = page.locator(
          '[data-testid="copilot-user-message"], [data-testid="copilot-assistant-message"]',
        )
        await expect.poll(async () => (await told.allInnerTexts()).map(text => text.trim())).toEqual(texts)
      },
    }
  }
  return { ...server, elsewhere, load }
}

test('a page of CopilotKit holds a conversation, over a restart too, with nothing doubled or asked elsewhere', async () => {
  const { elsewhere, errors, load, restart, runtime } = await openChat()
  const { page, say, shows } = await load()
  await shows('Welcome!')
  await say('When is breakfast?')
  await shows('Welcome!', 'When is breakfast?', 'From 7 to 10.')
  restart()
  await say('And tea?')
  await shows('Welcome!', 'When is breakfast?', 'From 7 to 10.', 'And tea?', 'You said: And tea?')
  expect(runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message', 'message'])
  expect(page.complaints).toEqual([])
  expect(errors).toEqual([])
  expect(elsewhere).toEqual([])
})

test('a page of CopilotKit that is loaded again is told what the agent has said', async () => {
  const { errors, load, runtime } = await openChat()
  const { page, say, shows } = await load()
  await shows('Welcome!')
  await say('When is breakfast?')
  await shows('Welcome!', 'When is breakfast?', 'From 7 to 10.')
  await page.reload()
  await shows('Welcome!', 'From 7 to 10.')
  await say('And tea?')
  await shows('Welcome!', 'From 7 to 10.', 'And tea?', 'You said: And tea?')
  expect(runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message', 'message'])
  expect(errors).toEqual([])
})

test('a page of CopilotKit shows that a run failed, and goes on', async () => {
  const { elsewhere, load } = await openChat()
  const { page, say, shows } = await load()
  await shows('Welcome!')
  await say('broken')
  await page.getByRole('alert').getByText("I'm having trouble responding").waitFor()
  await say('When is breakfast?')
  await shows('Welcome!', 'broken', 'When is breakfast?', 'From 7 to 10.')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  expect(elsewhere).toEqual([])
})

test('a page over the runtime of CopilotKit holds a conversation, over restarts of both, and asks nothing elsewhere', async () => {
  let origin = ''
  const answered: string[] = []
  const chat = await openChat({
    reached: 'runtimeUrl="/api/copilotkit"',
    async api(request) {
      const answer = await forward(request, origin)
      answered.push(new URL(request.url).pathname)
      return answer
    },
  })
  const first = await startRuntime(chat.url)
  origin = first.origin
  const { page, say, shows } = await chat.load()
  // What is written before the page has its agent is not sent.
  await expect.poll(() => answered).toContain('/api/copilotkit/agent/desk/connect')
  await say('When is breakfast?')
  await shows('When is breakfast?', 'Welcome!', 'From 7 to 10.')
  chat.restart()
  first.program.kill('SIGKILL')
  await first.program.exit
  const second = await startRuntime(chat.url)
  origin = second.origin
  await say('And tea?')
  await shows('When is breakfast?', 'Welcome!', 'From 7 to 10.', 'And tea?', 'You said: And tea?')
  await page.reload()
  await shows('When is breakfast?', 'Welcome!', 'From 7 to 10.', 'And tea?', 'You said: And tea?')
  expect(chat.runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message', 'message'])
  expect(page.complaints).toEqual([])
  expect(chat.errors).toEqual([])
  expect(chat.elsewhere).toEqual([])
  for (const { program } of [first, second]) expect(program.output.stderr).not.toContain('asks for')
})
