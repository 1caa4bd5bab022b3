import { requireBrowser } from '@colloquy/test-support/browser'
import { hesitantReply } from '@colloquy/test-support/messaging-host'
import { startPageHost } from '@colloquy/test-support/page-host'
import { expect, test } from 'vitest'

const { open, profile } = requireBrowser()

const scriptOver = (way: 'sockets' | 'streams') => ({
  folder: new URL('.', import.meta.url),
  source: `
    import { browserStorage, createMessaging, fromConnector } from '../src/messaging/index.ts'
    import { overStreams } from '../src/sse/index.ts'
    const server = location.origin
    const getToken = fromConnector({ server, connectorToken: location.hash.slice(1) })
    const chat = createMessaging({ server, getToken, storage: browserStorage(), maxAttempts: 20${way === 'streams' ? ', openSocket: overStreams({ server })' : ''} })
    const show = () => {
      const { messages, status } = chat.current
      document.querySelector('main').innerText = [status, ...messages.map(({ from, state, text }) => from + ' ' + state + ': ' + text)].join('\\n')
    }
    chat.subscribe(show)
    chat.start()
    show()
    window.chat = chat
  `,
})

const reply = (text: string): string => hesitantReply(text).join('')

test.each(['sockets', 'streams'] as const)(
  'VC14 and VC21 over %s in Chromium it goes on after a reload, in a second tab, and after the network was away, under a strict policy',
  async way => {
    const { allow, asked, page: url } = await startPageHost(scriptOver(way))
    allow(4)
    const context = await profile()
    const page = await open(context, url)
    const shows = (wanted: string, on = page) =>
      on.waitForFunction(
        text => Reflect.get(globalThis, 'document').querySelector('main').innerText === text,
        wanted,
      )
    const say = (text: string) => page.evaluate(words => Reflect.get(globalThis, 'chat').send(words), text)
    const lines = ['open', `agent done: ${reply('nothing')}`]
    await shows(lines.join('\n'))

    // A reload in the middle of a streamed reply, and a second tab.
    allow(2)
    await say('one')
    await shows([...lines, 'visitor done: one', 'agent streaming: You said one, '].join('\n').trimEnd())
    await page.reload()
    const other = await open(context, url)
    allow(4)
    lines.push('visitor done: one', `agent done: ${reply('one')}`)
    await Promise.all([shows(lines.join('\n')), shows(lines.join('\n'), other)])

    // What is said without a network waits for it.
    await context.setOffline(true)
    await page.evaluate(() => Reflect.get(globalThis, 'chat').send('two'))
    await context.setOffline(false)
    lines.push('visitor done: two', `agent done: ${reply('two')}`)
    await Promise.all([shows(lines.join('\n')), shows(lines.join('\n'), other)])
    expect(asked).toEqual(['nothing', 'one', 'two'])
    // A browser notes each request that it makes without a network, whatever the page does about it.
    const ofPage = other.complaints.filter(
      text => way === 'sockets' || !text.includes('net::ERR_INTERNET_DISCONNECTED'),
    )
    expect(ofPage).toEqual([])

    await page.evaluate(() => Reflect.get(globalThis, 'chat').end())
    await page.waitForFunction(() => Reflect.get(globalThis, 'chat').current.status === 'ended')
    expect(await page.evaluate(() => Reflect.get(globalThis, 'localStorage').length)).toBe(0)
  },
)
