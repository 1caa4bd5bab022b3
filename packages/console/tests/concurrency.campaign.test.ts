import { mkdirSync, readFileSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
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
  expect(lines.at(-1)).toMatch(/Z,2,,$/)
  expect(lines.length).toBeGreaterThan(288)

  await page.getByLabel('Range').selectOption('year')
  await page.getByLabel('By variant').check()
  await page.locator('.plot canvas').waitFor()
  expect(await page.evaluate('location.hash')).toContain('range=year&by=variant')
  await page.locator('tbody tr').nth(300).waitFor()
  await page.getByLabel('Environment').selectOption('sandbox')
  await page.getByText('No conversations in this range').waitFor()
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
