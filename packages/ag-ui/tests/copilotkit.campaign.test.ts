import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireBrowser } from '@colloquy/test-support/browser'
import { useNpmPackage } from '@colloquy/test-support/servers'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../scripts/run.ts'
import { openServer } from './support.ts'

const COPILOTKIT = '@copilotkit/react-core@1.74.0'

// biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React.
await useNpmPackage(COPILOTKIT)

/** What the page of the guide imports, each of one version. CopilotKit is too large for this repository to have. */
const PUBLISHED = [
  COPILOTKIT,
  '@ag-ui/client@0.0.59',
  '@ag-ui/core@0.0.59',
  'react@19.3.1',
  'react-dom@19.3.1',
  'zod@4.6.7',
]

const GUIDE = new URL('../../../docs/guides/ag-ui.md', import.meta.url)
const { open, profile } = requireBrowser()

let folder = ''
let script: Uint8Array

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-copilotkit-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // Without scripts: one of what it installs reports where it is installed.
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PUBLISHED], folder)
  const source = /^```jsx\n(.*?)^```$/ms.exec(await readFile(GUIDE, 'utf8'))?.[1]
  if (source === undefined) throw new Error('The guide has no page of CopilotKit.')
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, loader: 'jsx' },
    ...{ bundle: true, write: false, outdir: folder, format: 'esm', platform: 'browser', jsx: 'automatic' },
    loader: { '.woff': 'dataurl', '.woff2': 'dataurl', '.ttf': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const page = outputFiles.find(({ path }) => path.endsWith('.js'))
  if (page === undefined) throw new Error('Nothing was bundled.')
  script = page.contents
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The page of the guide, for the visitor of a cookie; all that it asks for of others is noted. */
async function openChat() {
  const visitorOf = /(?:^|; )guest=(\w+)/
  const server = await openServer({
    page: script,
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
  const page = await open(guest, server.origin)
  return {
    ...{ ...server, page, elsewhere },
    async say(text: string): Promise<void> {
      await page.getByTestId('copilot-chat-textarea').fill(text)
      await page.getByTestId('copilot-send-button').click()
    },
    shown: (): Promise<readonly string[]> =>
      page
        .locator('[data-testid="copilot-user-message"], [data-testid="copilot-assistant-message"]')
        .allInnerTexts(),
  }
}

test('UI10 a page of CopilotKit holds a conversation, over a restart too, with nothing doubled or asked elsewhere', async () => {
  const { elsewhere, errors, page, restart, runtime, say, shown } = await openChat()
  await page.getByText('Welcome!').waitFor()
  await say('When is breakfast?')
  await page.getByText('From 7 to 10.').waitFor()
  restart()
  await say('And tea?')
  await page.getByText('You said: And tea?').waitFor()
  const told = ['Welcome!', 'When is breakfast?', 'From 7 to 10.', 'And tea?', 'You said: And tea?']
  await expect.poll(async () => (await shown()).map(text => text.trim())).toEqual(told)
  expect(runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message', 'message'])
  expect(page.complaints).toEqual([])
  expect(errors).toEqual([])
  expect(elsewhere).toEqual([])
})

test('UI10 a page of CopilotKit that is loaded again is told what the agent has said', async () => {
  const { errors, page, runtime, say, shown } = await openChat()
  await page.getByText('Welcome!').waitFor()
  await say('When is breakfast?')
  await page.getByText('From 7 to 10.').waitFor()
  await page.reload()
  await page.getByText('From 7 to 10.').waitFor()
  await expect
    .poll(async () => (await shown()).map(text => text.trim()))
    .toEqual(['Welcome!', 'From 7 to 10.'])
  await say('And tea?')
  await page.getByText('You said: And tea?').waitFor()
  const told = ['Welcome!', 'From 7 to 10.', 'And tea?', 'You said: And tea?']
  await expect.poll(async () => (await shown()).map(text => text.trim())).toEqual(told)
  expect(runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message', 'message'])
  expect(errors).toEqual([])
})

test('UI10 a page of CopilotKit shows that a run failed, and goes on', async () => {
  const { elsewhere, page, say } = await openChat()
  await page.getByText('Welcome!').waitFor()
  await say('broken')
  await page.getByRole('alert').getByText("I'm having trouble responding").waitFor()
  await say('When is breakfast?')
  await page.getByText('From 7 to 10.').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(elsewhere).toEqual([])
})
