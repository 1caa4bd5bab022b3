import { requireBrowser } from '@colloquy/test-support/browser'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startSite } from './site.ts'

const pages = requireBrowser()

/** Counts what its person presses from now on: with the pointer, and keys, but for those of a text. */
async function counted(page: Page): Promise<() => Promise<{ clicks: number; keys: number }>> {
  await page.evaluate(`(() => {
    window.pressed = { clicks: 0, keys: 0 }
    addEventListener('click', ({ detail, isTrusted }) => { window.pressed.clicks += isTrusted && detail > 0 ? 1 : 0 }, true)
    addEventListener('keydown', ({ key }) => { window.pressed.keys += key.length > 1 && key !== 'Shift' ? 1 : 0 }, true)
  })()`)
  return () => page.evaluate('window.pressed')
}

test('from the first page to a changed answer that is live in the chat: 10 clicks', async () => {
  const { open, talk } = await startSite()
  const page = await open(pages, 'ada')
  const pressed = await counted(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
  await page.getByRole('link', { name: 'Hotel front desk' }).click()
  await page.getByRole('link', { name: 'Change the agent' }).click()
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type('Later check-in')
  await press('Create')
  await page.getByRole('link', { name: 'Topics' }).click()
  await page.getByRole('link', { name: 'Check-in', exact: true }).click()
  await page.getByLabel('Content').fill('Check-in starts at 5 pm.')
  await page.getByText('All changes are saved').waitFor()
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await press('Merge into main')
  await page.locator('dialog').waitFor()
  await press('Merge into main')
  await press('Promote to Live')
  await expect.poll(() => page.locator('dialog button[type=submit]').isEnabled()).toBe(true)
  await press('Promote to Live')
  await page.getByLabel('Live', { exact: true }).getByText('Version 3').waitFor()
  expect(await talk('When is check-in?')).toContain('Check-in starts at 5 pm.')
  expect((await pressed()).clicks).toBeLessThanOrEqual(10)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('from the conversation of an angry visitor to an answer that is mended and tested: 8 clicks', async () => {
  const { open, talk } = await startSite()
  await talk('When is check-in?')
  const page = await open(pages, 'ada')
  const pressed = await counted(page)
  await page.getByRole('link', { name: 'Conversations', exact: true }).click()
  await page.locator('tbody a').first().click()
  await page.getByRole('button', { name: 'Change this answer: When is check-in?' }).click()
  await page.getByRole('button', { name: 'Open the topic' }).click()
  const content = page.getByRole('region', { name: 'Check-in' }).getByLabel('Content')
  await content.fill(`Check-in before 3 pm costs 20 euros. ${await content.inputValue()}`)
  await page.getByText('All changes are saved').waitFor()
  // A click on the browser's own button, which the page does not see.
  await page.goBack()
  await page.getByRole('button', { name: 'Test this turn: When is check-in?' }).click()
  await page.getByLabel('The answer has these words').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('20 euros')
  await page.getByRole('button', { name: 'Keep as a test' }).click()
  await page.getByText('The test case is on the branch When is check-in?.').waitFor()
  await page.getByRole('button', { name: 'Run them now' }).click()
  // All but the test of a function that this host does not have.
  await page.locator('.note').getByText('5 of 6 passed').waitFor()
  expect((await pressed()).clicks + 1).toBeLessThanOrEqual(8)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('from the sign-in to a merge by the keyboard alone: 40 keys and what is written', async () => {
  const { open, platform } = await startSite()
  const page = await open(pages, 'ada')
  await page.getByRole('link', { name: 'Hotel front desk' }).waitFor()
  const pressed = await counted(page)
  /** Goes on until the focus is on what has the name. */
  const reach = async (name: string, way = 'Tab'): Promise<void> => {
    for (let steps = 0; steps < 40; steps++) {
      await page.keyboard.press(way)
      const there = await page.evaluate(`(({ ariaLabel, labels, textContent }) =>
        (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '').trim())(document.activeElement)`)
      if (there === name) return
    }
    throw new Error(`${way} does not lead to "${name}".`)
  }
  const press = async (name: string, way?: string): Promise<void> => {
    await reach(name, way)
    await page.keyboard.press('Enter')
  }
  await press('Skip to the content')
  await press('Hotel front desk')
  await page.getByRole('link', { name: 'Change the agent' }).waitFor()
  await press('Change the agent')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  await reach('Greeting')
  await page.keyboard.press('ControlOrMeta+KeyA')
  await page.keyboard.type('Good day!')
  await page.getByText('All changes are saved').waitFor()
  await press('Changes', 'Shift+Tab')
  await page.getByRole('button', { name: 'Merge into main' }).waitFor()
  await press('Merge into main')
  await page.locator('dialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Merged: version 3 is in the sandbox.' }).waitFor()
  expect((await pressed()).keys).toBeLessThanOrEqual(40)
  expect((await platform.agents.responseSettings('PROJECT-DEMO', 'main')).greeting).toBe('Good day!')
})
