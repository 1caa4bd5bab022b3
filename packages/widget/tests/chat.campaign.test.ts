import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withLinkPreviews } from '@colloquy/integrations/link-previews'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { createBadLine } from '@colloquy/test-support/messaging-host'
import { run } from '@colloquy/test-support/program'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { programAt } from '../../../scripts/programs/program.ts'
import { createConcierge } from './support/concierge.ts'
import { linesOf, openChat, openPage, pageOf, say, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

/** Starts a site with an agent, and opens a page of it. */
async function visit(pages: Readonly<Record<string, string>> = {}, options: object = {}) {
  const agent = createConcierge()
  const site = await startSite({ runtime: agent.runtime, pages })
  const context = await profile(options)
  const page = await openPage(context, site.url)
  return { agent, context, page, ...site }
}

const MAIN = '<main><h1>Harbour Hotel</h1><p>Rooms by the sea.</p></main>'

/** What the page was told by events of the chat. */
const toldOf = (page: Page): Promise<readonly string[]> => page.evaluate('told')

/** A script that notes the events. */
const NOTING = `
  globalThis.told = []
  for (const name of ['open', 'close', 'send', 'message', 'unread', 'context', 'handoff', 'rating'])
    document.addEventListener('colloquy-' + name, ({ detail }) => told.push(name + ' ' + JSON.stringify(detail)))
`

const greeted = (page: Page): Promise<void> => page.getByText('How can I help').waitFor()

test('WI4 what is said without a network waits, says so, and is there once when the network is back', async () => {
  const { agent, context, page } = await visit()
  await openChat(page)
  await greeted(page)
  await context.setOffline(true)
  await say(page, 'one')
  await say(page, 'two')
  await expect.poll(() => page.locator('.meta.sending').count()).toBe(1)
  await page.getByText('You are offline.').waitFor()
  expect(await findingsOf(page)).toEqual([])
  // What waits outlives the page.
  await context.setOffline(false)
  await page.reload()
  await page.getByText('You said two.').waitFor()
  expect((await linesOf(page)).slice(1)).toEqual([
    ...['mine: one', 'theirs: You said one.', 'mine: two', 'theirs: You said two.'],
  ])
  await expect.poll(() => page.locator('.strip').count()).toBe(0)
  expect(agent.asked).toEqual(['greeting', 'one', 'two'])
})

test('WI4 a connection that breaks in the middle of a reply, and a server that is away for a while, cost nothing', async () => {
  const agent = createConcierge()
  const { token, port } = await startSite({ runtime: agent.runtime })
  const { cut, line, url } = await createBadLine(port)
  const bad = url.replace('127.0.0.1', 'localhost')
  const { url: shop } = await startSite({
    runtime: agent.runtime,
    policy: `default-src 'none'; script-src 'self'; connect-src ${bad} ${bad.replace('http', 'ws')}; img-src data:`,
    pages: {
      '/': pageOf(
        `${MAIN}<script src="{widget}" data-connector-token="${token}" data-server="${bad}"></script>`,
      ),
    },
  })
  const page = await openPage(await profile(), shop)
  await openChat(page)
  await greeted(page)
  await say(page, 'hold one')
  await page.getByText('One moment,').waitFor()
  line.refuses = true
  cut()
  await say(page, 'two')
  await page.getByText('Connecting again').waitFor()
  agent.release()
  line.refuses = false
  await page.getByText('You said two.').waitFor()
  expect((await linesOf(page)).slice(1)).toEqual([
    ...['mine: hold one', 'theirs: One moment, now I know.', 'mine: two', 'theirs: You said two.'],
  ])
  expect(agent.asked).toEqual(['greeting', 'hold one', 'two'])
})

const PROGRAM = programAt('packages/client/tests/support/host-program.ts')

test('WI4 a server that is killed in the middle of a reply, and started again, costs three visitors nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-widget-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const start = (port: string) =>
    run(process.execPath, PROGRAM, { DATABASE: join(folder, 'hotel.db'), PORT: port })
  const said = async (program: ReturnType<typeof start>, name: string): Promise<string> =>
    (await program.line(new RegExp(`^${name}: `))).replace(`${name}: `, '')
  const first = start('0')
  const [token, port] = [await said(first, 'Connector token'), await said(first, 'Port')]
  const server = `http://localhost:${port}`
  const { url } = await startSite({
    runtime: createConcierge().runtime,
    policy: `default-src 'none'; script-src 'self'; connect-src ${server} ${server.replace('http', 'ws')}; img-src data:`,
    pages: {
      '/': pageOf(
        `${MAIN}<script src="{widget}" data-connector-token="${token}" data-server="${server}"></script>`,
      ),
    },
  })
  const pages = await Promise.all([1, 2, 3].map(async () => openPage(await profile(), url)))
  for (const page of pages) {
    await openChat(page)
    await page.getByText('Welcome.').waitFor()
    await say(page, 'one')
  }
  await pages[2]?.getByText('You said').waitFor()
  first.kill('SIGKILL')
  await first.exit
  for (const page of pages) await say(page, 'two')
  await pages[0]?.getByText('Connecting again').waitFor()
  const second = start(port)
  await said(second, 'Port')
  for (const page of pages) {
    await page.getByText('You said two, and dogs are welcome.').waitFor()
    await page.getByText('You said one, and dogs are welcome.').waitFor()
    const lines = await linesOf(page)
    expect(lines.filter(line => line.startsWith('mine'))).toEqual(['mine: one', 'mine: two'])
    expect(lines.filter(line => line.startsWith('theirs'))).toEqual([
      ...[
        'theirs: Welcome.',
        'theirs: You said one, and dogs are welcome.',
        'theirs: You said two, and dogs are welcome.',
      ],
    ])
  }
})

test('a message is on its way, there, or refused: then it may be sent again or discarded', async () => {
  const { page } = await visit()
  await openChat(page)
  await greeted(page)
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  await expect.poll(() => page.locator('.mine .meta').first().innerText()).toContain('Sent')
  await page.locator('textarea').fill('ä'.repeat(70_000))
  await page.keyboard.press('Enter')
  const failed = page.getByRole('alert')
  await failed.waitFor()
  await expect.poll(() => failed.innerText()).toContain('Not sent. Message too large')
  await page.getByRole('button', { name: 'Send again' }).click()
  await failed.waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await failed.waitFor({ state: 'detached' })
  expect(await linesOf(page)).toHaveLength(3)
  expect(page.complaints).toEqual([])
})

test('WI6 suggestions are said with a touch, cards and pictures lead beside the page, numbers can be called', async () => {
  const { agent, page } = await visit()
  await openChat(page)
  await greeted(page)
  await say(page, 'suggest')
  await page.getByRole('button', { name: 'In December' }).click()
  await page.getByText('You said In December.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'This weekend' }).count()).toBe(0)
  expect(agent.asked).toEqual(['greeting', 'suggest', 'In December'])
  await say(page, 'card')
  await page.locator('.card').first().waitFor()
  const links = await page
    .locator('.beside a')
    .evaluateAll(all =>
      all.map(one => [one.getAttribute('href'), one.getAttribute('target'), one.getAttribute('rel')]),
    )
  expect(links).toEqual([
    ['https://hotel.example/rooms/sea', '_blank', 'noopener noreferrer nofollow'],
    ['tel:+4940123456', '_blank', 'noopener noreferrer nofollow'],
  ])
  await expect.poll(() => page.locator('.card img').count()).toBe(2)
  await page.reload()
  await page.locator('.card').first().waitFor()
  expect(page.complaints).toEqual([])
})

test('WI6 a link of a reply has a card with what its page says, and the browser asks nobody for it', async () => {
  const pages = createServer((_, response) => {
    const head = '<title>Sea view rooms</title><meta property="og:site_name" content="Harbour Hotel">'
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><head>${head}</head>`)
  })
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void pages.close())
  const address = pages.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/rooms`
  const runtime = withLinkPreviews(createConcierge().runtime, {
    allowPrivateAddresses: true,
    patience: 9_000,
  })
  const site = await startSite({ runtime })
  const page = await openPage(await profile(), site.url)
  await openChat(page)
  await greeted(page)
  await say(page, `See ${url} please`)
  const card = page.locator('.beside a')
  await card.waitFor()
  await expect.poll(() => card.getAttribute('href')).toBe(url)
  expect((await card.innerText()).split(/\n+/)).toEqual(['Sea view rooms', 'Harbour Hotel'])
  await page.reload()
  await card.waitFor()
  expect(page.complaints).toEqual([])
})

test('the way to a person: the place in the queue, who has joined, who writes, and who has left', async () => {
  const { accountId, page, platform } = await visit()
  await openChat(page)
  await greeted(page)
  await say(page, 'think about it')
  await page.getByText('Front desk is writing').waitFor({ state: 'attached' })
  await page.close()
  const { accountId: other, platform: second, page: there } = await visit()
  await openChat(there)
  await greeted(there)
  await say(there, 'person')
  const status = there.getByRole('status')
  await there.getByText('Your place in the queue: 1').waitFor()
  await expect.poll(() => status.count()).toBeGreaterThan(0)
  const [waiting] = await second.desk.handoffs(other, 'waiting')
  const handoffId = waiting?.handoffId ?? ''
  await second.desk.accept(other, handoffId, { id: 'a', name: 'Ada', avatarUrl: '' })
  await there.getByText('Ada has joined').waitFor()
  await there.getByRole('dialog', { name: 'Ada' }).waitFor()
  const typed: string[] = []
  const stop = await second.desk.watch(other, event => void typed.push(JSON.stringify(event)))
  await second.desk.typing(other, handoffId, 'started')
  await there.getByText('Ada is writing').waitFor({ state: 'attached' })
  await second.desk.send(other, handoffId, { text: 'Ada here.' })
  await there.getByText('Ada here.').waitFor()
  await there.locator('textarea').pressSequentially('Hello')
  await expect.poll(() => typed.join('')).toMatch(/typing.*started/)
  stop()
  await second.desk.leave(other, handoffId)
  await there.getByText('Ada has left').waitFor()
  await there.getByText('The conversation has ended.').waitFor()
  // All of it stands in its place after a reload of the earlier conversation.
  expect(there.complaints).toEqual([])
  await platform.desk.handoffs(accountId, 'waiting')
})

test('where the page brings visitors to people by itself, it is told to', async () => {
  const agent = createConcierge()
  const pages = { '/': pageOf(`${MAIN}<script src="/told.js"></script>${tag()}`), '/told.js': NOTING }
  const { url } = await startSite({ runtime: agent.runtime, pages, handoff: 'client' })
  const page = await openPage(await profile(), url)
  await openChat(page)
  await greeted(page)
  await say(page, 'person')
  await page.getByText('Our team goes on with you').waitFor()
  expect(await toldOf(page)).toContain('handoff {"queue":"reception","route":"reception"}')
})

test('WI8 a conversation can be ended and begun anew; earlier ones are there, can be read and deleted, and are files', async () => {
  const { page } = await visit()
  const menu = page.getByRole('button', { name: 'More' })
  await openChat(page)
  await greeted(page)
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  await menu.click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download transcript' }).click(),
  ])
  const chunks: string[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(String(chunk))
  expect(chunks.join('')).toMatch(
    /Front desk\nWelcome.*\n\n\[.* UTC\] You\none\n\n\[.*\] Front desk\nYou said one\.\n$/s,
  )

  await menu.click()
  await page.getByRole('button', { name: 'End conversation' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await menu.click()
  await page.getByRole('button', { name: 'End conversation' }).click()
  await page.locator('.foot').getByRole('button', { name: 'End conversation' }).click()
  await page.getByText('The conversation has ended.').waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.locator('textarea').waitFor()
  await expect.poll(() => linesOf(page)).toHaveLength(1)
  await say(page, 'two')
  await page.getByText('You said two.').waitFor()

  await menu.click()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('End this conversation?').waitFor()
  await page.locator('.foot').getByRole('button', { name: 'New conversation' }).click()
  await expect.poll(() => linesOf(page)).toHaveLength(1)

  await page.reload()
  await greeted(page)
  await menu.click()
  await page.getByRole('button', { name: 'Earlier conversations' }).click()
  await expect.poll(() => page.locator('.past strong').allInnerTexts()).toEqual(['two', 'one'])
  await page.getByText('one', { exact: true }).click()
  await page.getByText('You said one.').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Delete all' }).click()
  await page.getByText('There are none').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await greeted(page)
  expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.endsWith('.past')))).toEqual(
    [],
  )
  expect(page.complaints).toEqual([])
})

test('WI29 a conversation that is over is rated with one touch, and commented; what does not get through may be sent again', async () => {
  const pages = {
    '/': pageOf(`${MAIN}<script src="/told.js"></script>${tag()}`),
    '/told.js': NOTING,
    '/without': pageOf(`${MAIN}<script src="{widget}"></script><script src="/without.js"></script>`),
    '/without.js': `colloquy.mountChat(document.body, { server: '{server}', connectorToken: '{token}', rating: false, name: 'w' })`,
  }
  const { accountId, agentId, context, page, platform, url } = await visit(pages)
  const scope = { accountId, agentId, environment: 'live' } as const
  const metrics = async (): Promise<unknown> => {
    for await (const { records } of platform.reading.newest(scope, 0, 1))
      return JSON.parse(records[0]?.json.summary.text ?? '{}').metrics
    return null
  }
  const end = async (of: Page): Promise<void> => {
    await of.getByRole('button', { name: 'More' }).click()
    await of.getByRole('button', { name: 'End conversation' }).click()
    await of.locator('.foot').getByRole('button', { name: 'End conversation' }).click()
    await of.getByText('The conversation has ended.').waitFor()
  }
  await openChat(page)
  await greeted(page)
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  await end(page)
  const stars = page.getByRole('group', { name: 'How was this conversation?' })
  await expect.poll(() => stars.getByRole('button').count()).toBe(5)
  await expect.poll(metrics).toEqual({})

  await page.route('**/rating', route => route.abort())
  await stars.getByRole('button', { name: '2 of 5' }).press('Enter')
  await page.getByText('Not sent.').waitFor()
  await expect.poll(() => page.locator('.foot [role=status]').last().innerText()).toContain('Not sent.')
  await page.unroute('**/rating')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Thank you.').waitFor()
  await expect.poll(metrics).toEqual({ visitor_rating: '2' })

  await stars.getByRole('button', { name: '4 of 5' }).click()
  await expect.poll(metrics).toEqual({ visitor_rating: '4' })
  await expect
    .poll(() => stars.getByRole('button', { pressed: true }).first().getAttribute('aria-label'))
    .toBe('4 of 5')
  const comment = page.getByRole('textbox', { name: 'Anything to add?' })
  await comment.fill('  Friendly and quick.  ')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await comment.waitFor({ state: 'detached' })
  await expect.poll(metrics).toEqual({ visitor_rating: '4', visitor_comment: 'Friendly and quick.' })
  // The page is told when it hears of the rating, which is after the record has it.
  await expect
    .poll(async () => (await toldOf(page)).filter(line => line.startsWith('rating')))
    .toEqual([
      'rating {"score":2,"comment":""}',
      'rating {"score":4,"comment":""}',
      'rating {"score":4,"comment":"Friendly and quick."}',
    ])

  // A new conversation has a rating of its own; one in which nothing was said has none.
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.locator('textarea').waitFor()
  await expect.poll(() => linesOf(page)).toHaveLength(1)
  await end(page)
  await expect.poll(() => stars.count()).toBe(0)

  const without = await openPage(context, `${url}/without`)
  await openChat(without)
  await greeted(without)
  await say(without, 'one')
  await without.getByText('You said one.').waitFor()
  await end(without)
  await expect.poll(() => without.getByText('How was this').count()).toBe(0)
  expect(page.complaints.filter(line => !line.includes('ERR_FAILED'))).toEqual([])
})

test('WI10 nothing is asked of the server before the visitor agrees, which is asked once, and again when it changes', async () => {
  const asking = (text: string): string =>
    pageOf(MAIN + tag(`data-consent="${text}" data-disclaimer="You are talking to a **program**."`))
  const { agent, context, page, url } = await visit({
    '/': asking('We keep this.'),
    '/later': asking('We keep it longer.'),
  })
  const launcher = page.getByRole('button', { name: 'Chat' })
  await launcher.click()
  await page.getByText('We keep this.').waitFor()
  expect(page.requests.filter(address => !address.includes('/widget/'))).toEqual([`${url}/`])
  await expect.poll(() => page.locator('textarea').count()).toBe(0)
  await page.getByRole('button', { name: 'Agree and start' }).click()
  await greeted(page)
  await page.getByText('You are talking to a program.').waitFor()
  await page.reload()
  await greeted(page)
  const later = await openPage(context, `${url}/later`)
  await later.getByRole('button', { name: 'Chat' }).click()
  await later.getByText('We keep it longer.').waitFor()
  // What the page says for the visitor waits for that as well.
  await later.evaluate("colloquy.chat.send('one'); colloquy.chat.send('two')")
  await later.getByRole('button', { name: 'Agree and start' }).click()
  await later.getByText('You said two.').waitFor()
  expect(agent.asked).toEqual(['greeting', 'one', 'two'])
  expect([...page.complaints, ...later.complaints]).toEqual([])
})

test('a page says who the visitor is by its own server, and is told whether that was signed', async () => {
  const script = (context: string): string => `${NOTING}
    globalThis.asked = []
    colloquy.mountChat(document.body, {
      server: '{server}',
      connectorToken: '{token}',
      async createSession(token) {
        asked.push(typeof token)
        const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
        const answer = await fetch('/api/v1/sessions', { method: 'POST', headers, body: '{"streaming_enabled": true}' })
        return (await answer.json()).session_id
      },
      async verifiedContext(id) { asked.push(typeof id); ${context} },
    })`
  const agent = createConcierge()
  const { connectorId, platform, url } = await startSite({
    runtime: agent.runtime,
    pages: {
      '/': pageOf(`${MAIN}<script src="{widget}"></script><script src="/page.js"></script>`),
      '/page.js': script("throw new Error('away')"),
    },
  })
  await platform.access.rotateContextKeys(connectorId)
  const page = await openPage(await profile(), url)
  await openChat(page)
  await greeted(page)
  expect(await page.evaluate('asked')).toEqual(['string', 'string'])
  expect(await toldOf(page)).toContain('context {"verified":false}')
  expect(page.complaints).toEqual([])
})

test('a page opens and closes the chat, says something in it, hears what happens, and may have a button of its own', async () => {
  const { page } = await visit({
    '/': pageOf(
      `${MAIN}<button id="help">Help</button><script src="/told.js"></script>${tag('data-launcher="#help" data-count-in-title')}`,
    ),
    '/told.js': NOTING,
  })
  const help = page.getByRole('button', { name: 'Help' })
  await expect.poll(() => page.locator('.launcher').count()).toBe(0)
  await expect.poll(() => help.getAttribute('aria-expanded')).toBe('false')
  await page.evaluate("colloquy.chat.send('from the page')")
  await page.getByText('You said from the page.').waitFor()
  await expect.poll(() => help.getAttribute('aria-expanded')).toBe('true')
  expect(await page.evaluate('[colloquy.chat.isOpen, colloquy.chat.unread]')).toEqual([true, 0])
  await say(page, 'think hard')
  await page.keyboard.press('Escape')
  await help.waitFor()
  expect(await page.evaluate('colloquy.chat.isOpen')).toBe(false)
  const told = await toldOf(page)
  for (const one of ['open {}', 'close {}', 'send {"text":"from the page"}', 'send {"text":"think hard"}'])
    expect(told).toContain(one)
  expect(told).toContain('message {"from":"agent","text":"You said from the page."}')
  expect(page.complaints).toEqual([])
})

test('what comes while the chat is closed is counted: on the launcher, for the page, and in its title if that is wanted', async () => {
  const { agent, page } = await visit({
    '/': pageOf(`${MAIN}<script src="/told.js"></script>${tag('data-count-in-title data-sound')}`),
    '/told.js': `${NOTING}; globalThis.tones = 0; globalThis.AudioContext = class extends AudioContext { createOscillator() { tones += 1; return super.createOscillator() } }`,
  })
  const launcher = page.getByRole('button', { name: /^Chat/ })
  await launcher.click()
  await greeted(page)
  await say(page, 'think')
  await page.keyboard.press('Escape')
  agent.release()
  await page.getByRole('button', { name: 'Chat, New messages: 1' }).waitFor()
  await expect.poll(() => page.locator('.count').innerText()).toBe('1')
  expect(await page.title()).toBe('(1) Harbour Hotel')
  expect(await page.evaluate('tones')).toBe(2)
  expect(await page.evaluate('colloquy.chat.unread')).toBe(1)
  await launcher.click()
  await page.getByRole('button', { name: 'Chat', exact: true }).waitFor()
  expect(await page.title()).toBe('Harbour Hotel')
  expect(await toldOf(page)).toEqual(expect.arrayContaining(['unread {"count":1}', 'unread {"count":0}']))
  expect(page.complaints).toEqual([])
})

test('by default there is no sound, and the title stays', async () => {
  const { agent, page } = await visit()
  await openChat(page)
  await greeted(page)
  await say(page, 'think')
  await page.keyboard.press('Escape')
  await page.evaluate('globalThis.AudioContext = class { constructor() { throw new Error("A sound.") } }')
  agent.release()
  await page.getByRole('button', { name: 'Chat, New messages: 1' }).waitFor()
  expect(await page.title()).toBe('Harbour Hotel')
  expect(page.complaints).toEqual([])
})
