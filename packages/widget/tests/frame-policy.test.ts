import { requireBrowser } from '@colloquy/test-support/browser'
import { startMessagingHost } from '@colloquy/test-support/messaging-host'
import { expect, test } from 'vitest'
import { framePolicy } from '../src/files.ts'

const { profile } = requireBrowser()

test('WI28 with its policy a browser shows the frame in pages of the connector’s hosts alone', async () => {
  const policies: Readonly<Record<string, string>> = {
    '/for-localhost': framePolicy(['localhost']),
    '/for-others': framePolicy(['hotel.example', '127.0.0.1']),
    '/for-nobody': framePolicy([]),
  }
  const { url } = await startMessagingHost({
    runtime: { async *respond() {} },
    pages(request, response) {
      const { [request.url ?? '']: policy } = policies
      response.writeHead(200, {
        'content-type': 'text/html',
        ...(policy !== undefined && { 'content-security-policy': policy }),
      })
      const frames = Object.keys(policies).map(path => `<iframe src="${path}"></iframe>`)
      response.end(policy === undefined ? frames.join('') : 'the chat')
    },
  })
  const page = await (await profile()).newPage()
  await page.goto(url)
  const shown = await Promise.all(
    page
      .frames()
      .slice(1)
      .map(frame => frame.evaluate(() => document.body.textContent === 'the chat').catch(() => false)),
  )
  expect(shown).toEqual([true, false, false])
  expect(framePolicy(['[::1]'])).toBe('frame-ancestors [::1]:*')
})
