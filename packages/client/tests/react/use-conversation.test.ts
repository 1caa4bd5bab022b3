import { readFileSync } from 'node:fs'
import { requireBrowser } from '@colloquy/test-support/browser'
import { hesitantReply } from '@colloquy/test-support/messaging-host'
import { startPageHost } from '@colloquy/test-support/page-host'
import { expect, test } from 'vitest'

const { open, profile } = requireBrowser()

const SCRIPT = {
  folder: new URL('.', import.meta.url),
  source: `
    import { StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Chat } from './support/chat.tsx'
    const root = createRoot(document.querySelector('main'))
    root.render(<StrictMode><Chat server={location.origin} connectorToken={location.hash.slice(1)} /></StrictMode>)
    window.leave = () => root.unmount()
  `,
}

const reply = (text: string): string => hesitantReply(text).join('')

test('UC1, UC2 the chat of the readme talks in Chromium, in strict mode, and lets go when it is unmounted', async () => {
  const { allow, asked, page: url } = await startPageHost(SCRIPT)
  allow(4)
  const page = await open(await profile(), url)
  await page.getByText(reply('nothing')).waitFor()
  await page.getByText('Front desk').waitFor()
  await page.getByLabel('Message').fill('one')
  await page.getByLabel('Message').press('Enter')
  await page.getByText(reply('one')).waitFor()
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([reply('nothing'), 'one', reply('one')])
  await page.getByLabel('Message').fill('person')
  await page.getByLabel('Message').press('Enter')
  await page.getByText('Your place in the queue: 1').waitFor()
  expect(asked).toEqual(['nothing', 'one', 'person'])
  const closed = page.evaluate(() => Reflect.get(globalThis, 'leave')())
  await closed
  expect(await page.locator('main').innerText()).toBe('')
  expect(page.complaints).toEqual([])
})

test('the chat in the readme is the one that is run, letter by letter, in at most thirty lines', () => {
  const chat = readFileSync(new URL('support/chat.tsx', import.meta.url), 'utf8')
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(
    `\`\`\`tsx\n${chat}\`\`\`\n`,
  )
  expect(chat.split('\n').length).toBeLessThanOrEqual(31)
})
