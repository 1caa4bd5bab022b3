import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

const HOUR = 3_600_000

/** Noon of a day of the machine's own clock, which the browser has too. */
const noon = (daysAgo: number): number => {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 12).getTime()
}

interface Past {
  readonly daysAgo: number
  readonly said: string
  readonly rating?: string
  readonly isHandedOver?: boolean
  readonly isUnknown?: boolean
}

/** Yesterday: four conversations, one of each kind. The week before: seven, one a day, two of them handed over. */
const PAST: readonly Past[] = [
  { daysAgo: 1, said: 'Is there a pool?' },
  { daysAgo: 1, said: 'Where do I park?', rating: '5' },
  { daysAgo: 1, said: 'A person, please', isHandedOver: true },
  { daysAgo: 1, said: 'Do you sell stamps?', isUnknown: true },
  ...[2, 3, 4, 5, 6, 7, 8].map(daysAgo => ({
    ...{ daysAgo, said: `Question of day ${daysAgo}`, isHandedOver: daysAgo < 4 },
    ...(daysAgo === 5 ? { rating: '3' } : {}),
  })),
]

type Site = Awaited<ReturnType<typeof startSite>>

/** Records conversations that are over. */
async function record({ platform }: Site): Promise<void> {
  const { conversations } = platform
  for (const [at, { daysAgo, said, rating, isHandedOver = false, isUnknown = false }] of PAST.entries()) {
    const known = { agentId: DEMO_AGENT_ID, conversationId: `C-${at}` }
    const startedAt = noon(daysAgo) + at * 60_000
    const where = { accountId: DEMO_ACCOUNT_ID, environment: 'live', channel: 'CHAT' } as const
    await conversations.start({ ...known, ...where, startedAt })
    await conversations.recordTurn({
      ...{ ...known, turnId: `T-${at}`, userInput: said, userInputAt: startedAt, agentResponse: 'Yes.' },
      ...{ agentResponseAt: startedAt + 900, outOfDomain: isUnknown },
    })
    await conversations.finish({
      ...{ ...known, finishedAt: startedAt + HOUR },
      ...(rating === undefined ? {} : { metrics: { visitor_rating: rating } }),
      ...(isHandedOver ? { handoff: { destination: 'reception', reason: 'asked' } } : {}),
    })
  }
}

async function lookAt(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true })
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png` })
    }
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    if (fits !== true) findings.push(`${name}: wider than its window`)
    findings.push(...(await findingsOf(page)).map(one => `${name}, ${colorScheme}: ${one}`))
  }
  return findings
}

const tileOf = (page: Page, name: string) =>
  page.locator('.tile').filter({ has: page.locator('.tile-name', { hasText: name }) })

test('CO16 the first screen says who waits, what fires, what is in progress and what is released', async () => {
  const site = await startSite({ alerts: { evaluationInterval: 500 } })
  await site.platform.alerts.createRule(DEMO_ACCOUNT_ID, {
    ...{ name: 'Nobody calls', metric: 'call_volume', operator: '<', threshold: 100, window: '60m' },
  })
  const page = await site.open(pages, 'ada')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await tileOf(page, 'Alerts firing').getByText('Nobody calls').waitFor()
  await tileOf(page, 'Waiting at the desk').getByText('No one waits').waitFor()
  await page.getByRole('heading', { name: 'No conversations yesterday' }).waitFor()
  // It is read again while it is open.
  await site.visit('let me speak with a manager')
  await tileOf(page, 'Waiting at the desk')
    .getByText(/^Longest wait \d+:\d\d$/)
    .waitFor()
  await tileOf(page, 'Conversations in progress').getByText('1', { exact: true }).waitFor()
  const released = page.getByRole('region', { name: 'Released' }).getByRole('row').last()
  await expect.poll(async () => (await released.innerText()).match(/Version 2/g)?.length).toBe(3)
  await tileOf(page, 'Conversations in progress').click()
  await page.waitForURL(/conversations\/PROJECT-DEMO\?state=running$/)
  await goTo(page, '#/')
  await tileOf(page, 'Waiting at the desk').click()
  await page.locator('.desk-entry').waitFor()
  await goTo(page, '#/')
  await tileOf(page, 'Alerts firing').click()
  await page.getByRole('heading', { name: 'Alerts' }).waitFor()
  await goTo(page, '#/')
  await page.getByRole('link', { name: 'Hotel front desk' }).click()
  await page.locator('.lane').first().waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO16 yesterday stands against the week before, and each figure leads to its conversations', async () => {
  const site = await startSite()
  await record(site)
  const page = await site.open(pages, 'ben')
  await page.getByRole('heading', { name: 'Yesterday against the week before' }).waitFor()
  const said = page.locator('tbody .clipped')
  const figures: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'Conversations',
      ['4', '+300%', '1 a day before'],
      PAST.slice(0, 4)
        .map(one => one.said)
        .reverse(),
    ],
    [
      'Contained',
      ['75%', '+3.6 pts', '71.4% before'],
      [PAST[3], PAST[1], PAST[0]].map(one => one?.said ?? ''),
    ],
    ['Handoffs', ['1', '+250%', '0.3 a day before'], ['A person, please']],
    ['Rating', ['5.0', '+2.0', '3.0 before'], ['Where do I park?']],
    ['Unanswered', ['25%', '+25 pts', '0% before'], ['Do you sell stamps?']],
  ]
  for (const [name, words, conversations] of figures) {
    const tile = tileOf(page, name).last()
    await tile.waitFor()
    for (const word of words) await tile.getByText(word, { exact: true }).waitFor()
    await tile.click()
    await expect.poll(() => said.allTextContents()).toEqual(conversations)
    await page.goBack()
  }
  // Whoever may not go to the desk is not told of it.
  expect(await page.getByText('Waiting at the desk').count()).toBe(0)
  await page.getByRole('button', { name: 'Today' }).click()
  await page.getByRole('heading', { name: 'No conversations today' }).waitFor()
  await page.waitForURL(/day=today$/)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO16 whoever has the desk alone begins there', async () => {
  const { open } = await startSite()
  const page = await open(pages, 'dora')
  await page.getByRole('heading', { name: 'Desk' }).waitFor()
  expect(await page.getByRole('link', { name: 'Overview' }).count()).toBe(0)
})

test.each(WAYS)('CO10 the first screen has no finding of axe, light or dark: %s', async (way, options) => {
  const site = await startSite({ alerts: { evaluationInterval: 500 } })
  await record(site)
  await site.platform.alerts.createRule(DEMO_ACCOUNT_ID, {
    ...{ name: 'Nobody calls', metric: 'call_volume', operator: '<', threshold: 100, window: '60m' },
  })
  await site.visit('let me speak with a manager')
  const page = await site.open(pages, 'ada', options)
  await page.locator('.tile.bad').waitFor()
  await page.locator('.tile.warn').waitFor()
  await page.locator('.change-of').nth(4).waitFor()
  await page.locator('tbody a').waitFor()
  expect(await lookAt(page, `${way}-home`)).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
