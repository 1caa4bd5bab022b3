import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { linesOf, openChat, openPage, say, startSite } from './support/site.ts'

const { profile } = requireBrowser()

const GREETING = 'theirs: Welcome to the Harbour Hotel. How can I help you?'

test('WI1, WI3 and WI4 nothing is asked before the chat is opened; a reload in a reply, and a second tab, go on with it', async () => {
  const agent = createConcierge()
  const { url } = await startSite({ runtime: agent.runtime })
  const context = await profile()
  const page = await openPage(context, url)
  await page.getByRole('button', { name: 'Chat' }).waitFor()
  expect(page.requests.map(address => new URL(address).pathname)).toEqual(['/', '/widget/colloquy-widget.js'])

  await openChat(page)
  await page.getByText('How can I help').waitFor()
  expect(page.requests.some(address => address.startsWith('ws:'))).toBe(true)
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  await say(page, 'hold two')
  await page.getByText('One moment,').waitFor()

  await page.reload()
  await page.getByText('One moment,').waitFor()
  const focused = await page.evaluate(() => document.activeElement === document.body)
  expect(focused, 'the focus is where the page has it').toBe(true)
  const other = await openPage(context, url)
  await openChat(other)
  await other.getByText('One moment,').waitFor()
  agent.release()
  await Promise.all([page, other].map(one => one.getByText('now I know.').waitFor()))
  await say(other, 'three')
  await Promise.all([page, other].map(one => one.getByText('You said three.').waitFor()))
  const said = ['mine: one', 'theirs: You said one.', 'mine: hold two', 'theirs: One moment, now I know.']
  const lines = [GREETING, ...said, 'mine: three', 'theirs: You said three.']
  expect(await linesOf(page)).toEqual(lines)
  expect(await linesOf(other)).toEqual(lines)
  expect(agent.asked).toEqual(['greeting', 'one', 'hold two', 'three'])
  expect(await findingsOf(page)).toEqual([])
  expect([...page.complaints, ...other.complaints]).toEqual([])
  // What nobody could read would be found.
  await page.locator('colloquy-chat').evaluate(chat => chat.style.setProperty('--colloquy-text', '#bbbbbb'))
  expect((await findingsOf(page)).join()).toContain('color-contrast')
})

test('WI16 all of it is done by the keyboard, and the focus goes where it is looked for', async () => {
  const agent = createConcierge()
  const { url } = await startSite({ runtime: agent.runtime })
  const page = await openPage(await profile(), url)
  const focused = () =>
    page.evaluate(() => {
      const inside = document.activeElement?.shadowRoot?.activeElement
      return inside?.getAttribute('aria-label') ?? inside?.textContent ?? document.activeElement?.tagName
    })
  const launcher = page.getByRole('button', { name: 'Chat' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Chat')
  expect(await launcher.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('Enter')
  await page.getByText('How can I help').waitFor()
  expect(await launcher.getAttribute('aria-expanded')).toBe('true')
  expect(await focused()).toBe('Write a message')

  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Enter')
  await page.getByText('You said one').waitFor()
  expect((await linesOf(page))[1]).toBe('mine: one\ntwo')
  expect(await focused()).toBe('Write a message')

  // What was written is there when the chat is opened again.
  await page.keyboard.type('not sent')
  await page.keyboard.press('Escape')
  expect(await focused()).toBe('Chat')
  expect(await launcher.getAttribute('aria-expanded')).toBe('false')
  expect(await page.locator('.panel').isVisible()).toBe(false)
  await page.keyboard.press('Enter')
  expect(await page.locator('textarea').inputValue()).toBe('not sent')

  // From the launcher on: the menu, the button that closes, the conversation, where to write.
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await page.getByText('Download transcript').waitFor()
  expect(await page.getByRole('button', { name: 'More' }).getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Escape')
  expect(await page.locator('.choices').count()).toBe(0)
  expect(await focused()).toBe('Write a message')
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Conversation')
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Close')
  await page.keyboard.press('Enter')
  expect(await focused()).toBe('Chat')

  // From the launcher it is closed as well.
  await openChat(page)
  await launcher.focus()
  await page.keyboard.press('Escape')
  expect(await page.locator('.panel').isVisible()).toBe(false)

  // Every target is 24 by 24 pixels at least.
  await openChat(page)
  const targets = await page
    .locator('colloquy-chat button')
    .evaluateAll(all =>
      all.map(one => one.getBoundingClientRect()).map(({ height, width }) => [width, height]),
    )
  expect(targets.length).toBeGreaterThan(3)
  for (const [width = 0, height = 0] of targets) expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
  expect(page.complaints).toEqual([])
})
