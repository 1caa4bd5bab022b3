import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { requireBrowser } from '@colloquy/test-support/browser'
import { createHesitant, hesitantReply, listenOn } from '@colloquy/test-support/messaging-host'
import { attachMessaging } from '@colloquy/ws-transport'
import { expect, onTestFinished, test } from 'vitest'
import { writeWidget } from '../../scripts/widget-files.ts'
import { createApp } from '../src/widget-host.ts'

const { open, profile } = requireBrowser()

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')

const blocksOf = (guide: string, language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block)

/** The host of the guide, with an agent that is live and a token for the pages of `localhost`. */
async function startHost() {
  const agent = createHesitant()
  agent.allow(4)
  const platform = createPlatform({ store: createMemoryStore(), runtime: agent.runtime, chunkFlush: 0 })
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const { token } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['localhost'] },
  })
  const files = await mkdtemp(join(tmpdir(), 'colloquy-widget-'))
  await writeWidget(files)
  const server = createServer(createApp(platform, files))
  const sockets = attachMessaging(server, platform)
  const port = await listenOn(server)
  onTestFinished(async () => {
    await sockets.close()
    server.closeAllConnections()
    server.close()
    await platform.close()
    await rm(files, { recursive: true })
  })
  return { agent, token, address: `localhost:${port}` }
}

/** A site of its own, with pages and files by path, under one policy. */
async function startSite(files: Readonly<Record<string, string>>, policy: string): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.css') ? 'text/css' : 'text/html'
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
    response.end(files[url])
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${port}`
}

test('DO8 the tags, scripts, styles and policy in the guide of the widget do on a page of another host what it says', async () => {
  const { address, agent, token } = await startHost()
  const guide = (await read('../../docs/guides/widget.md'))
    .replaceAll('https://chat.example', `http://${address}`)
    .replaceAll('wss://chat.example', `ws://${address}`)
    .replaceAll('…', token)
  const [tag = '', app = '', own = '', framed = ''] = blocksOf(guide, 'html')
  const [script = '', prompting = ''] = blocksOf(guide, 'js')
  const [style = ''] = blocksOf(guide, 'css')
  const [policy = '', framePolicy = ''] = blocksOf(guide, 'http').map(
    header => /^Content-Security-Policy: (.*)$/m.exec(header)?.[1] ?? '',
  )
  for (const one of [policy, framePolicy]) expect(one).toContain("default-src 'none'")
  const page = (body: string): string =>
    `<!doctype html><title>Hotel</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><h1>Hotel</h1>${body}`
  const site = await startSite(
    {
      '/': page(tag),
      '/app': page(app),
      '/own': page(own),
      '/prompting': page(`<script src="/prompting.js"></script>${tag}`),
      '/page.js': script,
      '/page.css': style,
      '/prompting.js': prompting.replace('10_000', '10'),
    },
    `${policy}; style-src 'self'; img-src data:`,
  )
  const context = await profile()
  const greeting = hesitantReply('nothing').join('')

  const first = await open(context, `${site}/`)
  await first.getByRole('button', { name: 'Chat' }).click()
  await first.getByText(greeting).waitFor()
  const colour = await first.evaluate(
    "getComputedStyle(document.querySelector('colloquy-chat').shadowRoot.querySelector('button.send')).backgroundColor",
  )
  expect(colour).toBe('rgb(0, 107, 60)')
  expect(first.complaints).toEqual([])

  const printed: string[] = []
  const second = await open(await profile(), `${site}/own`)
  second.on('console', message => void printed.push(message.text()))
  await second.getByRole('button', { name: 'Help' }).click()
  await second.getByPlaceholder('Ask us anything').waitFor()
  await second.getByRole('heading', { name: 'Harbour Hotel' }).waitFor()
  await second.getByText(greeting).waitFor()
  await second.locator('h1').click()
  await second.getByText(hesitantReply('What is there to see?').join('')).waitFor()
  expect(agent.asked).toContain('What is there to see?')
  expect(printed).toContain(`agent ${hesitantReply('What is there to see?').join('')}`)
  expect(second.complaints).toEqual([])

  const view = await open(await profile(), `${site}/app`)
  await view.getByText(greeting).waitFor()
  await expect.poll(() => view.getByRole('button', { name: /Chat|Close|More/ }).count()).toBe(0)
  const prompted = await open(await profile(), `${site}/prompting`)
  await prompted.getByRole('button', { name: 'Looking for a room by the sea?' }).click()
  await prompted.getByText(greeting).waitFor()
  await prompted.evaluate(
    "colloquy.chat.close(); colloquy.chat.element.dispatchEvent(new CustomEvent('colloquy-rating'))",
  )
  await prompted.getByRole('button', { name: 'Thank you.' }).waitFor()
  expect([...view.complaints, ...prompted.complaints]).toEqual([])

  const strict = await startSite({ '/': page(framed) }, `${framePolicy}; style-src 'self'; img-src data:`)
  const third = await open(await profile(), `${strict}/`)
  await third.getByRole('button', { name: 'Chat' }).click()
  await third.frameLocator('colloquy-chat iframe').getByText(greeting).waitFor()
  expect(third.complaints).toEqual([])
})

test('DO8 the guide of the widget names every attribute of the tag, every event and every variable', async () => {
  const guide = await read('../../docs/guides/widget.md')
  const source = async (path: string): Promise<string> => read(`../../packages/widget/src/${path}`)
  const [, options = ''] = (await source('launcher/options.ts')).split('interface ChatOptions')
  // What a tag cannot say, or says by its file.
  const others = ['getToken', 'words', 'frame']
  const named = [...options.matchAll(/readonly (\w+)\??:/g)].map(([, name = '']) => name)
  const attributes = [
    ...named.filter(name => !others.includes(name)),
    'server',
    'place',
    'brand',
    'path',
  ].map(name => `data-${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`)
  const events = (await source('launcher/mount.ts')).match(/(?<=readonly ')colloquy-\w+/g) ?? []
  const styles = `${await source('launcher/style.ts')}${await source('chat/style.ts')}`
  const variables = styles.match(/--colloquy-[a-z-]+/g) ?? []
  expect([attributes.length > 24, events.length, new Set(variables).size]).toEqual([true, 10, 8])
  for (const name of [...attributes, ...events, ...variables]) expect(guide).toContain(`\`${name}`)
})
