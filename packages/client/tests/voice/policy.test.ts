import { requireBrowser } from '@colloquy/test-support/browser'
import { startPageHost } from '@colloquy/test-support/page-host'
import { expect, test } from 'vitest'

const { open, profile } = requireBrowser(
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
)

const source = `
  import { createMessaging, fromConnector } from '../../src/messaging/index.ts'
  import { createVoice } from '../../src/voice/index.ts'
  const server = location.origin
  const chat = createMessaging({ server, getToken: fromConnector({ server, connectorToken: location.hash.slice(1) }) })
  const voice = createVoice({ chat })
  const show = () => {
    const { problem, status } = voice.current
    document.querySelector('main').innerText = [status, problem?.code, problem?.message].join(' ')
  }
  voice.subscribe(show)
  document.querySelector('main').onclick = voice.start
  show()
`

test.each([
  ['blob:', /^connecting/],
  [undefined, /^off WORKLET_REFUSED .*`script-src blob:`, or the option `worklet`/],
] as const)('VG53 a page that also allows scripts from %s', async (scripts, wanted) => {
  const { page: url } = await startPageHost({
    folder: new URL('.', import.meta.url),
    source,
    ...(scripts && { scripts }),
  })
  const page = await open(await profile(), url)
  await page.locator('main').getByText('off').click()
  await expect.poll(() => page.locator('main').innerText()).toMatch(wanted)
})
