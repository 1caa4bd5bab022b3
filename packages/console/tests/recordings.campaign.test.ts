import { createMemoryFiles } from '@colloquy/core/testing'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 900 }, locale: 'de-AT' }],
]

/** Twenty seconds: the visitor hums low, the agent high. */
function soundOf(seconds: number): Uint8Array {
  const bytes = new Uint8Array(seconds * 64_000)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < seconds * 16_000; at++) {
    view.setInt16(at * 4, 6_000 * Math.sin(at / 20), true)
    view.setInt16(at * 4 + 2, 6_000 * Math.sin(at / 8), true)
  }
  return bytes
}

async function recordedConversation(parts: readonly number[] = [15, 5]) {
  const keep = createMemoryFiles()
  const site = await startSite({ recordings: { keep } })
  const visitor = await site.visit('When is breakfast?')
  const query = new URL(visitor.socketAddress('/ws') ?? '').searchParams
  const [sessionId, accessToken] = [query.get('session_id'), query.get('access_token')]
  const handshake = await site.platform.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const call = handshake.openCall({ send: () => {}, close: () => {}, drained: async () => {} })
  onTestFinished(() => call.closed())
  if (call.recorder === null) throw new Error('Nothing is recorded.')
  // The call has begun some seconds before the question.
  const at = Date.now() - 10_000
  const consent = { by: 'visitor', how: 'button', at } as const
  const kept = await call.recorder.begin({ call: '0-call', at, consent })
  for (const seconds of parts) await kept?.keep(soundOf(seconds))
  await kept?.end('full')
  const { id, text } = visitor.current.messages.at(-1) ?? { id: '', text: '' }
  const heard = text.slice(0, text.indexOf(' ', 10))
  const payload = { text: 'Thank you, that is enough' }
  const custom = {
    ...{ voice: 'call', client_event_id: 'spoken', voice_latency: '500 40' },
    voice_heard: `${id}:${heard.length}`,
  }
  call.receive(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload, metadata: { custom } }))
  await vi.waitFor(() =>
    expect(visitor.current.messages.filter(({ from }) => from === 'agent')).toHaveLength(3),
  )
  return { ...site, call, keep }
}

test.each(WAYS)(
  'CO690 the recording is listened to beside its transcript, from each message on: %s',
  async (way, options) => {
    const { call, keep, open, platform } = await recordedConversation()
    const page = await open(pages, 'ben', options)
    await goTo(page, '#/conversations')
    await page.locator('tbody a').click()
    const isGerman = way === 'german'
    const card = page.getByRole('region', { name: isGerman ? 'Aufnahme' : 'Recording' })
    await card.getByText(isGerman ? 'Der Besucher hat eingewilligt' : 'The visitor consented').waitFor()
    await card.getByText(isGerman ? 'kein Platz mehr' : 'no room left').waitFor()
    const audio = card.locator('audio')
    expect(await audio.count()).toBe(0)
    const places = page
      .getByRole('log')
      .getByRole('button', { name: isGerman ? /^Ab .* anhören/ : /^Listen from/ })
    expect(await places.count()).toBeGreaterThanOrEqual(2)
    // As for a browser that does not say which page asks, as over plain http: the page itself reads it.
    if (way === 'phone')
      await page.route('**/audio', route =>
        route.request().headers()['x-console'] === '1' ? route.continue() : route.fulfill({ status: 403 }),
      )
    // The first press loads it, and goes there.
    await places.last().click()
    await audio.waitFor()
    const [, seconds] = /:(\d\d)/.exec(await places.last().innerText()) ?? []
    const wanted = Number(seconds)
    await vi.waitFor(async () => {
      const at: unknown = await audio.evaluate(node => Reflect.get(node, 'currentTime'))
      expect(at).toBeGreaterThanOrEqual(wanted)
    })
    expect(await audio.evaluate(node => Math.round(Number(Reflect.get(node, 'duration'))))).toBe(20)
    // It plays what it asks for itself, and goes anywhere without the rest.
    expect(await audio.getAttribute('src')).toMatch(way === 'phone' ? /^blob:/ : /^http.*\/audio$/)
    await audio.evaluate(node => Reflect.set(node, 'currentTime', 17))
    await vi.waitFor(async () =>
      expect(await audio.evaluate(node => Reflect.get(node, 'currentTime'))).toBeGreaterThan(17),
    )
    const { entries } = await platform.audit.list({ action: 'conversation.listened' })
    expect(entries.map(({ actor }) => [actor.type, actor.name])).toEqual([['person', 'Ben']])
    expect(await page.locator('.unheard').count()).toBe(1)
    await audio.evaluate(node => Reflect.get(node, 'pause').call(node))
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await audio.scrollIntoViewIfNeeded()
    expect(await lookAt(page, `recording-${way}`)).toEqual([])
    // Withdrawn while somebody reads: the page says so, and plays it no more.
    await call.recorder?.withdraw()
    expect(keep.stored.size).toBe(0)
    await card.getByText(isGerman ? 'widerrufen' : 'withdrawn').waitFor()
    await expect.poll(() => places.count()).toBe(0)
    await expect.poll(() => audio.count()).toBe(0)
  },
)

test('CO690 whoever goes to the end of a long recording gets that, and not what is between', async () => {
  // Ten minutes, of which a browser buffers a part.
  const { keep, open } = await recordedConversation(Array.from({ length: 40 }, () => 15))
  const read = new Set<string>()
  const { get } = keep
  keep.get = file => {
    read.add(file.id.slice(file.id.lastIndexOf('-r') + 2))
    return get(file)
  }
  const page = await open(pages, 'ben')
  await goTo(page, '#/conversations')
  await page.locator('tbody a').click()
  const card = page.getByRole('region', { name: 'Recording' })
  await card.getByRole('button').first().click()
  const audio = card.locator('audio')
  await vi.waitFor(async () =>
    expect(await audio.evaluate(node => Math.round(Number(Reflect.get(node, 'duration'))))).toBe(600),
  )
  await audio.evaluate(node => {
    Reflect.set(node, 'currentTime', 590)
    return Reflect.get(node, 'play').call(node)
  })
  await vi.waitFor(async () =>
    expect(await audio.evaluate(node => Reflect.get(node, 'currentTime'))).toBeGreaterThan(590),
  )
  expect(read).toContain('40')
  expect(read.size).toBeLessThan(40)
})
