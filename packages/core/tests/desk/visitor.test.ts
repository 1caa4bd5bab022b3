import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform } from '../../src/platform.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const JANE = { id: 'u-1', name: 'Jane', language: 'en-GB' }
const SESSION = {
  visitor: JANE,
  integrationAttributes: { tier: 'gold' },
  page: { url: 'https://hotel.example/rooms?token=secret#top', title: 'Rooms' },
  userAgent: FIREFOX,
}

/** Watches the desk; returns the last lines that frames of waiting visitors show. */
async function hear(platform: Platform, accountId: string) {
  const heard: unknown[] = []
  await platform.desk.watch(accountId, event => {
    const frame = deskEventOnWire(event)
    if (frame.type === 'handoff.waiting' || frame.type === 'handoff.accepted')
      heard.push([frame.type, frame.handoff.last_line?.text])
  })
  return heard
}

describe('who a visitor is', () => {
  test('DK640 DK640 name, language, page without its query, device, attributes and rating', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const visitor = await waiting(platform, SESSION)
    const { accountId } = visitor
    const id = handoffOf(visitor)
    const known = {
      visitor: JANE,
      language: 'en-GB',
      page: { url: 'https://hotel.example/rooms', title: 'Rooms' },
      device: { kind: 'desktop', system: 'Windows', browser: 'Firefox' },
      rating: null,
      attributes: { tier: 'gold' },
      verified: null,
      earlier: [],
    }
    expect(await platform.desk.visitor(accountId, id)).toEqual(known)
    const refused = await platform.messaging.rateSession({
      sessionId: visitor.id,
      accessToken: visitor.accessToken,
      read: async () => ({ score: 2, comment: 'Slow' }),
    })
    expect(refused).toBeNull()
    await clock.settle()
    const rating = { score: 2, comment: 'Slow' }
    expect(await platform.desk.visitor(accountId, id)).toEqual({ ...known, rating })
    await expect(platform.desk.visitor('ws-other', id)).rejects.toMatchObject({ code: 'HANDOFF_NOT_FOUND' })
  })

  test('DK640 nothing of page and device is kept where the host does not want it, or nobody said it', async () => {
    const { start, store, waiting } = createDeskBench()
    const platform = start({ visitorDetails: false })
    const visitor = await waiting(platform, SESSION)
    expect(await platform.desk.visitor(visitor.accountId, handoffOf(visitor))).toMatchObject({
      visitor: JANE,
      page: null,
      device: null,
    })
    expect(JSON.stringify(await store.conversations.load(visitor.id))).not.toMatch(/hotel\.example|Firefox/)
    const unknown = await waiting(start())
    expect(await platform.desk.visitor(unknown.accountId, handoffOf(unknown))).toMatchObject({
      ...{ visitor: null, page: null, device: null, attributes: {}, earlier: [] },
    })
  })

  test('DK640 at most 10 earlier conversations of the same visitor, newest first, with ratings, in any process', async () => {
    const { clock, start, waiting } = createDeskBench()
    const [platform, other] = [start(), start()]
    const before: string[] = []
    for (let at = 0; at < 12; at++) {
      await clock.advance(1_000)
      const visitor = await openVisitor(platform, clock, false, { visitor: { id: 'u-1' } })
      await visitor.join()
      before.unshift(visitor.id)
    }
    await openVisitor(platform, clock, false, { visitor: { id: 'u-10' } })
    await clock.advance(1_000)
    const now = await waiting(other, SESSION)
    await clock.advance(1_000)
    const later = await openVisitor(platform, clock, false, { visitor: { id: 'u-1' } })
    await platform.messaging.rateSession({
      sessionId: later.id,
      accessToken: later.accessToken,
      read: async () => ({ score: 4, comment: '' }),
    })
    await clock.settle()
    const { earlier } = await other.desk.visitor(now.accountId, handoffOf(now))
    expect(earlier.map(({ conversationId }) => conversationId)).toEqual([later.id, ...before.slice(0, 9)])
    expect(earlier[0]).toMatchObject({ agentId: now.agentId, channel: 'CHAT', endedAt: null, score: 4 })
    expect(earlier[1]?.score).toBeNull()
  })

  test('DK640 whoever waits is listed with the last line, cut, and watchers see it too', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const early = await waiting(platform)
    const { accountId } = early
    const heard = await hear(platform, accountId)
    expect(heard).toEqual([['handoff.waiting', 'person']])
    await early.say(`Still\nhere ${'x'.repeat(300)}`)
    const late = await waiting(platform)
    await clock.settle()
    expect(heard.slice(1)).toEqual([['handoff.waiting', 'person']])
    const cut = `Still here ${'x'.repeat(188)}…`
    expect(cut).toHaveLength(200)
    expect(await hear(platform, accountId)).toEqual([
      ['handoff.waiting', cut],
      ['handoff.waiting', 'person'],
    ])
    const listed = await platform.desk.handoffs(accountId, 'waiting')
    expect(listed.map(({ lastLine }) => lastLine?.text)).toEqual([cut, 'person'])
    await platform.desk.accept(accountId, handoffOf(late), ADA)
    await clock.settle()
    expect(heard.at(-1)).toEqual(['handoff.accepted', undefined])
    expect((await platform.desk.handoffs(accountId, 'active'))[0]?.lastLine).toBeNull()
  })

  test('DK640 DK640 over HTTP: the page and the browser of a session, read with a key of the desk', async () => {
    const { clock, start, store, waiting } = createDeskBench()
    const platform = start()
    const { accessToken } = await openVisitor(platform, clock)
    const dispatcher = createDispatcher(platform, routes)
    const headers = {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'user-agent': FIREFOX,
    }
    const begin = async (page: unknown) => {
      const answer = await dispatcher.handle(
        request('POST /api/v1/sessions', { headers, body: { page, platform: 'web' } }),
      )
      return { status: answer.status, id: JSON.parse(answer.body ?? '{}').session_id }
    }
    expect((await begin(7)).status).toBe(400)
    const device = { kind: 'desktop', system: 'Windows', browser: 'Firefox' }
    const arrivalOf = async (page: unknown) =>
      (await store.conversations.load((await begin(page)).id))?.state.arrival
    expect(await arrivalOf({ url: 'about:srcdoc' })).toEqual({ page: null, device })
    const page = { url: 'https://hotel.example/', title: 'Home' }
    expect(await arrivalOf({ url: 'https://hotel.example/?q=1', title: 'Home' })).toEqual({ page, device })
    const visitor = await waiting(platform, SESSION)
    const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId: visitor.accountId })
    const read = await dispatcher.handle(
      request(`GET /desk/v1/handoffs/${handoffOf(visitor)}/visitor`, { headers: { 'x-api-key': secret } }),
    )
    expect(read.status).toBe(200)
    expect(JSON.parse(read.body ?? '')).toMatchObject({ visitor: JANE, device, attributes: { tier: 'gold' } })
  })
})
