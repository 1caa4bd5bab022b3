import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createMessaging, fromConnector, type Messaging } from '@colloquy/client/messaging'
import { overStreams } from '@colloquy/client/sse'
import { createConsole } from '@colloquy/console'
import { createPlatform, type Platform } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { aConversation, anEvent, START } from '@colloquy/core/testing'
import { createRouter } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import express from 'express'
import { type Browser, chromium, type Page } from 'playwright-core'
import { bundleConsole } from '../scripts/console-files.ts'
import { CONSOLE_ROWS, consoleRow, INTERACTION } from './table/console-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { withFolder } from './with-folder.ts'

const { topics: TOPICS, conversations: CONVERSATIONS, waiting: WAITING } = CONSOLE_ROWS

const CHROMIUM = '/usr/bin/chromium'

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']

/** Notes how long each interaction took to the next paint: what Chromium tells from 16 ms on. */
const OBSERVE = `
  globalThis.interactions = []
  new PerformanceObserver(list => {
    for (const { interactionId, duration, name } of list.getEntries())
      if (interactionId > 0) interactions.push({ duration, name })
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
`

/** Conversations that are written at a time. */
const TOGETHER = 200

/** A turn as the platform records it. */
const turnOf = (text: string) => ({
  record: {
    ...{ user_input: text, user_input_dtmf: '', user_input_datetime: '2026-01-05T10:00:00.000Z' },
    ...{ agent_response: text, agent_response_datetime: '2026-01-05T10:00:01.000Z', latency: 0.4 },
    ...{ translated_user_input: '', english_agent_response: '', intents: ['matter'], entities: [] },
    ...{ is_ood: false, is_silence: false },
  },
  details: {},
})

/** Writes a finished conversation of one turn. */
const writeConversation = (
  store: Store,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
  number: number,
): Promise<unknown> => {
  const startedAt = START + number * 1_000
  const text = `Tell me about matter number ${number}.`
  return store.conversations.create(
    aConversation(`C-${number}`, {
      ...{ agentId, startedAt, state: { endedAt: startedAt + 60_000 } },
      events: [
        anEvent({ id: 'V-1', payload: { text, message_id: 'v-1' } }),
        anEvent({ id: 'A-1', type: 'AI_AGENT_MESSAGE', payload: { text, message_id: 'a-1' } }),
      ],
      turns: [turnOf(text)],
      index: { accountId, finishedAt: startedAt + 60_000 },
    }),
  )
}

/** Creates an agent with many finished conversations. */
async function writeConversations(platform: Platform, store: Store, count: number) {
  const account = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Bench', greeting: 'Hello' })
  const place = { accountId: account.id, agentId: agent.id }
  for (let from = 0; from < count; from += TOGETHER) {
    const group = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, index) => from + index)
    await Promise.all(group.map(number => writeConversation(store, place, number)))
  }
  return place
}

/** An agent with many topics on a branch. */
async function writeTopics({ agents }: Platform, accountId: string): Promise<string> {
  const { id } = await agents.create({ accountId, name: 'Many topics', greeting: 'Hello' })
  const branch = await agents.createBranch(id, { branchName: 'work' })
  for (let number = 0; number < TOPICS.count; number++)
    await agents.createTopic(id, branch.id, {
      name: `Matter ${number}`,
      content: `What there is to say of matter ${number}, and where it stands in room ${number % 97}.`,
      exampleQueries: [`What of ${number}?`, `Where is matter ${number}?`],
    })
  return `#/agents/${id}/branches/${branch.id}/topics`
}

/** An agent that hands over, and how visitors reach it. */
async function writeDesk({ agents, access }: Platform, accountId: string): Promise<string> {
  const { id: agentId } = await agents.create({ accountId, name: 'Reception', greeting: 'Hello' })
  const branch = await agents.createBranch(agentId, { branchName: 'work' })
  await agents.createTopic(agentId, branch.id, {
    ...{ name: 'Speak to a person', content: 'One moment.', actions: '{{ho:reception}}' },
    exampleQueries: ['I want to speak to a person'],
  })
  await agents.merge(agentId, branch.id)
  await agents.publish(agentId, { environment: 'live' })
  const connector = { accountId, agentId, environment: 'live', hosts: ['bench.example'] } as const
  return (await access.createConnector({ ...connector, handoff: { timeoutSeconds: 3_600 } })).token
}

/** Visitors who have asked for a person. */
async function waitAtDesk(server: string, connectorToken: string): Promise<readonly Messaging[]> {
  const visitors: Messaging[] = []
  for (let number = 0; number < WAITING.count; number++) {
    const chat = createMessaging({
      server,
      getToken: fromConnector({ server, connectorToken, host: 'bench.example' }),
      openSocket: overStreams({ server }),
    })
    visitors.push(chat)
    chat.start()
    chat.send('I want to speak to a person')
  }
  return visitors
}

const go = (page: Page, place: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(place)}`)

/** The longest interaction since it was last asked, milliseconds; 16 where all were shorter. */
async function longest(page: Page): Promise<number> {
  // Entries are handed over after the frame that they are about.
  await page.waitForTimeout(300)
  return Number(
    await page.evaluate('Math.max(16, ...globalThis.interactions.splice(0).map(({ duration }) => duration))'),
  )
}

async function useTopics(page: Page, place: string): Promise<void> {
  await go(page, place)
  const find = page.getByLabel('Find a topic')
  await find.waitFor({ timeout: 60_000 })
  await find.pressSequentially('room 42 matter', { delay: 30 })
  for (let row = 0; row < 5; row++) {
    await page.locator('.rows a').nth(row).click()
    await page.getByLabel('Content').pressSequentially('More. ', { delay: 30 })
  }
  await find.fill('')
  await page.locator('.rows').click({ position: { x: 20, y: 20 } })
  for (let times = 0; times < 20; times++) await page.keyboard.press('PageDown')
}

async function useConversations(page: Page, agentId: string): Promise<void> {
  await go(page, `#/conversations/${agentId}`)
  await page.locator('tbody a').first().waitFor({ timeout: 60_000 })
  for (let times = 0; times < 5; times++) {
    const rows = await page.locator('tbody tr').count()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.locator('tbody tr').nth(rows).waitFor({ timeout: 60_000 })
  }
  const find = page.getByLabel('Search transcripts')
  await find.pressSequentially('matter number', { delay: 60 })
  await find.fill('')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('State').selectOption('ended')
  await page.waitForTimeout(1_000)
  for (let row = 0; row < 5; row++) {
    await page.locator('tbody a').nth(row).click()
    await page.locator('.bubble').first().waitFor({ timeout: 60_000 })
    await page.goBack()
    await page.locator('tbody a').nth(row).waitFor({ timeout: 60_000 })
  }
}

async function useDesk(page: Page): Promise<void> {
  await go(page, '#/desk')
  await page
    .locator('.desk-entry')
    .nth(WAITING.count - 1)
    .waitFor({ timeout: 60_000 })
  for (let row = 0; row < 10; row++) {
    await page
      .locator('.desk-entry')
      .nth(row * 40)
      .click()
    await page.locator('.bubble').first().waitFor({ timeout: 60_000 })
  }
  for (let times = 0; times < 3; times++) {
    await page.keyboard.press('F2')
    const composer = page.locator('.composer textarea')
    await composer.waitFor({ timeout: 60_000 })
    await composer.pressSequentially('Good evening, how can I help?', { delay: 20 })
    await page.keyboard.press('Enter')
  }
}

/** Measures the response times of the console over large amounts of data. @throws Error without Chromium */
export async function measureConsole(options: BenchOptions): Promise<readonly Result[]> {
  const browser = await launchChromium()
  try {
    return await measureIn(browser, options)
  } finally {
    await browser.close()
  }
}

async function launchChromium(): Promise<Browser> {
  try {
    return await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  } catch (cause) {
    const how = 'On Debian it comes with: apt-get install chromium.'
    throw new Error(`This bench shows the console in Chromium, which must be at ${CHROMIUM}. ${how}`, {
      cause,
    })
  }
}

async function measureIn(
  browser: Browser,
  { rounds = 3, conversations = CONVERSATIONS.count }: BenchOptions,
): Promise<readonly Result[]> {
  const figures = { topics: [] as number[], conversations: [] as number[], waiting: [] as number[] }
  await withFolder(async folder => {
    const store = createSqliteStore({ filename: join(folder, 'console.db') })
    const platform = createPlatform({
      store,
      runtime: createRetrievalRuntime(),
      rateLimits: null,
    })
    const { accountId, agentId } = await writeConversations(platform, store, conversations)
    const place = await writeTopics(platform, accountId)
    const connectorToken = await writeDesk(platform, accountId)
    const app = express()
    const authorize = () => ({ id: 'u-bench', name: 'Bench', roles: ['operator'] as const })
    app.use('/console', createRouter(createConsole(platform, { authorize, pageFiles: bundleConsole })))
    app.use(createRouter(platform))
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const visitors = await waitAtDesk(origin, connectorToken)
    try {
      for (let round = 0; round < rounds; round++) {
        const profile = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
        const page = await profile.newPage()
        await page.addInitScript(OBSERVE)
        await page.goto(`${origin}/console/`)
        await page.getByRole('link', { name: 'Agents' }).waitFor()
        await longest(page)
        await useTopics(page, place)
        figures.topics.push(await longest(page))
        await useConversations(page, agentId)
        figures.conversations.push(await longest(page))
        await useDesk(page)
        figures.waiting.push(await longest(page))
        await profile.close()
      }
    } finally {
      for (const visitor of visitors) visitor.destroy()
      server.closeAllConnections()
      server.close()
      await platform.close()
    }
  })
  const rows = {
    ...{ topics: TOPICS.row, waiting: WAITING.row },
    conversations: consoleRow(conversations, CONVERSATIONS.of),
  }
  return (['topics', 'conversations', 'waiting'] as const).map(name =>
    resultOf({ row: rows[name], variant: 'Colloquy', unit: INTERACTION }, figures[name]),
  )
}
