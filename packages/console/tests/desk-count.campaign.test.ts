import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

test('what a visitor says while nobody looks is counted beside the desk', async () => {
  const { open, visit } = await startSite()
  const visitor = await visit('let me speak with a manager')
  const page = await open(pages, 'dora')
  await goTo(page, '#/desk')
  const nav = page.getByRole('link', { name: 'Desk' })
  await nav.getByText('1', { exact: true }).waitFor()
  await page.locator('.desk-entry').click()
  await page.getByRole('button', { name: 'Take', exact: true }).click()
  await page.locator('.composer textarea').waitFor()
  await goTo(page, '#/desk')
  await page.getByText('Choose a visitor').waitFor()
  await expect.poll(() => page.locator('.desk-entry[aria-current]').count()).toBe(0)
  visitor.send('Are you there?')
  await nav.getByText('1', { exact: true }).waitFor()
})
