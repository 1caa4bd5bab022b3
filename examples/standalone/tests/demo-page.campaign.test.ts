import { join } from 'node:path'
import { silentLog } from '@colloquy/core'
import { requireBrowser } from '@colloquy/test-support/browser'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

const pages = requireBrowser()

const QUESTION = 'What time is check-in?'

test('a guest asks, reads the answer, and goes on after a reload and after a restart of the server', async () => {
  const COLLOQUY_DATABASE = await freshDatabase()
  const start = (PORT: string) =>
    startServer(readSettings({ PORT, COLLOQUY_DATABASE }), { log: silentLog, show: () => {} })
  const first = await start('0')
  const page = await pages.open(await pages.profile(), `${first.url}/demo`)
  await page.getByRole('button', { name: /^Chat/ }).click()
  await page.getByText('Welcome to Harbour Hotel').waitFor()
  const box = page.locator('textarea')
  await box.fill(QUESTION)
  await box.press('Enter')
  await page.getByText('Check-in starts at 3 pm').waitFor()
  const { COLLOQUY_SHOTS } = process.env
  if (COLLOQUY_SHOTS !== undefined) await page.screenshot({ path: join(COLLOQUY_SHOTS, 'demo.png') })
  expect(page.complaints).toEqual([])

  await page.reload()
  await page.getByText('Check-in starts at 3 pm').waitFor()
  await first.close()
  const second = await start(new URL(first.url).port)
  onTestFinished(() => second.close())
  await page.reload()
  await page.getByText('Check-in starts at 3 pm').waitFor()
  await expect.poll(() => page.getByText(QUESTION, { exact: true }).count()).toBe(1)
})
