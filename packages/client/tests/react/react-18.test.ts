import { TEST_BRAND } from '@colloquy/test-support/brand'
import { requireBrowser } from '@colloquy/test-support/browser'
import { hesitantReply } from '@colloquy/test-support/messaging-host'
import { startPageHost } from '@colloquy/test-support/page-host'
import { expect, test } from 'vitest'

const { open, profile } = requireBrowser()

// React 18 has no actions of forms.
const SCRIPT_18 = {
  folder: new URL('.', import.meta.url),
  react: 18,
  source: `
    import { browserStorage, fromConnector } from '@colloquy/client/messaging'
    import { useConversation } from '@colloquy/client/react'
    import { StrictMode, version } from 'react'
    import { createRoot } from 'react-dom/client'
    const server = location.origin
    const options = {
      server,
      getToken: fromConnector({ server, connectorToken: location.hash.slice(1) }),
      storage: browserStorage(),
      brand: '${TEST_BRAND.events}',
    }
    function Chat() {
      const { chat, messages } = useConversation(options)
      return (
        <form onSubmit={event => { event.preventDefault(); chat.send(event.target.text.value) }}>
          <h1>{version}</h1>
          <ol>{messages.map(({ id, text }) => <li key={id}>{text}</li>)}</ol>
          <input name="text" aria-label="Message" />
        </form>
      )
    }
    const root = createRoot(document.querySelector('main'))
    root.render(<StrictMode><Chat /></StrictMode>)
    window.leave = () => root.unmount()
  `,
} as const

const reply = (text: string): string => hesitantReply(text).join('')

test('UC1 and UC2 with React 18, and the words of the host’s brand, a chat talks in Chromium, in strict mode, and lets go when it is unmounted', async () => {
  const { allow, asked, page: url } = await startPageHost(SCRIPT_18)
  allow(4)
  const page = await open(await profile(), url)
  await page.getByText(reply('nothing')).waitFor()
  expect(await page.getByRole('heading').innerText()).toMatch(/^18\./)
  await page.getByLabel('Message').fill('one')
  await page.getByLabel('Message').press('Enter')
  await page.getByText(reply('one')).waitFor()
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([reply('nothing'), 'one', reply('one')])
  expect(asked).toEqual(['nothing', 'one'])
  await page.evaluate(() => Reflect.get(globalThis, 'leave')())
  expect(await page.locator('main').innerText()).toBe('')
  expect(page.complaints).toEqual([])
})
