import { mkdirSync, readFileSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS

test.each([
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
] as const)('CO24 who talks now is in the plot, the table and the export: %s', async (way, options) => {
  const { open, visit } = await startSite()
  await visit('When is check-in?')
  await visit('Is there a bar?')
  const page = await open(pages, 'ben', options)
  await goTo(page, '#/concurrency')
  await page.locator('.plot canvas').waitFor()
  await expect.poll(() => page.locator('tbody tr').first().locator('td').nth(1).textContent()).toBe('2')
  await page.getByText('Of all 2 conversations that began then.').waitFor()
  await page.getByText('Answer time, 95th percentile').waitFor()
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/console-concurrency-${way}-${colorScheme}.png` })
    findings.push(...(await findingsOf(page)))
  }
  // The figures of a moment, by the keyboard and by what points.
  const value = page.locator('output')
  await value.getByText('All conversations: 2').waitFor()
  const moment = page.getByLabel('Moment of the figures')
  await moment.press('Home')
  await value.getByText('All conversations: 0').waitFor()
  await expect.poll(() => moment.getAttribute('aria-valuetext')).toBe(await value.textContent())
  const canvas = await page.locator('.plot .u-over').boundingBox()
  if (canvas === null) throw new Error('It is there.')
  await page.mouse.move(canvas.x + canvas.width - 1, canvas.y + 20)
  await value.getByText('All conversations: 2').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines.at(-1)).toMatch(/Z,2,,,$/)
  expect(lines.length).toBeGreaterThan(288)

  await page.getByLabel('Range').selectOption('year')
  await page.getByLabel('Divided by').selectOption('Variant')
  await page.locator('.plot canvas').waitFor()
  expect(await page.evaluate('location.hash')).toContain('range=year&by=variant')
  await page.locator('tbody tr').nth(300).waitFor()
  await page.getByLabel('Divided by').selectOption('Deployment')
  await page
    .getByLabel('Peak')
    .getByText(/^Version 2, \d+ \w+/)
    .waitFor()
  const quality = page.locator('section[aria-labelledby=quality]')
  await quality.getByRole('combobox').selectOption('version')
  await quality
    .locator('.legend')
    .getByText(/Version 2, \d+ \w+/)
    .waitFor()
  await quality.getByRole('link', { name: /^Version 2, \d+ \w+/ }).waitFor()
  await quality.scrollIntoViewIfNeeded()
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/console-quality-version-${way}.png` })
  const deployment = page.getByRole('combobox', { name: 'Deployment', exact: true })
  await deployment.selectOption('Version 2, in Live')
  await expect.poll(() => page.evaluate('location.hash')).toMatch(/version=DEPLOYMENT-/)
  // An id that no list has is shown as it is.
  await goTo(page, '#/concurrency?version=DEPLOYMENT-none')
  await page.getByText('No conversations in this range').waitFor()
  expect(await deployment.locator('option:checked').textContent()).toBe('DEPLOYMENT-none')
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test.each([
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
] as const)(
  'CO629 ratings and containment are shown over time, with their table: %s',
  async (way, options) => {
    const { open, platform } = await startSite()
    const isGerman = way === 'german'
    await platform.agents.create({ accountId: DEMO_ACCOUNT_ID, name: 'Bar', greeting: 'Hello' })
    const noon = new Date().setHours(12, 0, 0, 0)
    for (let at = 0; at < 24; at++) {
      const startedAt = noon - Math.floor(at / 4 + 1) * 86_400_000 + at * 1_000
      const of = { agentId: DEMO_AGENT_ID, conversationId: `C-${at}` }
      const known = { accountId: DEMO_ACCOUNT_ID, environment: 'live', channel: 'phone' } as const
      await platform.conversations.start({ ...known, ...of, startedAt })
      await platform.conversations.recordTurn({
        ...{ ...of, turnId: '1', userInput: 'Hello', userInputAt: startedAt, agentResponse: 'Yes.' },
        citedTopic: at % 2 === 0 ? 'Parking' : 'Breakfast',
      })
      await platform.conversations.finish({
        ...{ ...of, finishedAt: startedAt + 60_000, metrics: { visitor_rating: String((at % 5) + 1) } },
        ...(at % 4 === 0 ? { handoff: { destination: 'sales', reason: 'asked' } } : {}),
      })
    }
    const page = await open(pages, 'ben', options)
    await goTo(page, '#/concurrency?range=week')
    const section = page.locator('section[aria-labelledby=quality]')
    await section.locator('svg').nth(1).waitFor()
    const cells = section.locator('tbody tr').first().locator('td')
    const shown = async () => (await cells.allTextContents()).map(text => text.replace(/\s/g, ' ')).slice(1)
    await expect.poll(shown).toEqual(['4', isGerman ? '75 %' : '75%', isGerman ? '2,5' : '2.5'])
    expect(await section.locator('tbody tr').count()).toBe(6)
    const day = new Intl.DateTimeFormat(isGerman ? 'de-AT' : 'en-GB', { day: 'numeric', month: 'short' })
    const named = await section.locator('.days').first().locator('span').allTextContents()
    expect([named[0], named.at(-1)]).toEqual([noon - 7 * 86_400_000, noon].map(at => day.format(at)))
    await section.scrollIntoViewIfNeeded()
    const findings: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/console-quality-${way}-${colorScheme}.png` })
      if ((await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) !== true)
        findings.push('wider than its window')
      findings.push(...(await findingsOf(page)))
    }
    await section.getByRole('combobox').selectOption('queue')
    await section.locator('.legend').getByText('sales').waitFor()
    expect(page.url()).toContain('group=queue')
    await expect.poll(shown).toEqual(['sales', '1', isGerman ? '25 %' : '25%', isGerman ? '1,0' : '1.0'])
    await section.getByRole('combobox').selectOption('topic')
    await expect.poll(shown).toEqual(['Parking', '2', isGerman ? '50 %' : '50%', isGerman ? '2,0' : '2.0'])
    await page.getByLabel('Agent', { exact: true }).selectOption(isGerman ? 'Alle Agenten' : 'All agents')
    await section.getByRole('combobox').selectOption('agent')
    await expect.poll(async () => (await shown())[1]).toBe('4')
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/console-quality-all-${way}.png` })
    await section.getByRole('combobox').selectOption('topic')
    await section.getByRole('link', { name: 'Parking' }).first().click()
    await page.locator('tbody tr').nth(1).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(2)
    expect(page.url()).toMatch(/#\/conversations\/.*topic=Parking/)
    await page.goBack()
    await section.locator('tbody tr').first().waitFor()
    await page.getByLabel(isGerman ? 'Umgebung' : 'Environment').selectOption('sandbox')
    await section.getByText(isGerman ? /gibt es nichts zu zeigen/ : /nothing to show/).waitFor()
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)
