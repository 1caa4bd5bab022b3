import { PassThrough } from 'node:stream'
import { CLOSE_CODES } from '@colloquy/core/transport'
import { expect, test } from 'vitest'
import { type Link, type LinkEvents, type LinkTarget, openLink } from '../src/link.ts'
import { createListener, createSlowOutput, ofType, openSession } from './support.ts'

type Opened = Awaited<ReturnType<typeof openSession>>

async function mustOpen(
  { platform, session }: Opened,
  output: NodeJS.WritableStream & Parameters<typeof openLink>[2],
  events: LinkEvents,
  cursor = 0,
): Promise<Link> {
  const target: LinkTarget = { ...session, cursor }
  const link = await openLink(platform.messaging, target, output, events)
  if ('status' in link) throw new Error(link.message)
  return link
}

/** Until the platform has nothing to do any more. */
async function quiet({ platform, clock }: Opened, link: Link): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await clock.settle()
    await platform.idle()
    await link.settled()
  }
}

const drain = (): PassThrough => new PassThrough().resume()

test('TT1 a refused handshake says why and opens nothing', async () => {
  const { platform, session } = await openSession({})
  const { on, frames } = createListener(drain())
  const unknown = { ...session, sessionId: crypto.randomUUID(), cursor: 0 }
  const refused = await openLink(platform.messaging, unknown, drain(), on)
  expect(refused).toEqual({ status: 404, message: 'session not found' })
  expect(frames).toEqual([])
})

test('TT3 a long history waits for its reader', async () => {
  const opened = await openSession({ otherwise: 'x'.repeat(90_000) })
  const first = createListener(drain())
  const link = await mustOpen(opened, drain(), first.on)
  await link.send(first.client.compose('EVENT_TYPE_REQUEST_AI_AGENT_JOIN'))
  for (let count = 0; count < 12; count++)
    await link.send(first.client.compose('EVENT_TYPE_USER_MESSAGE', { text: `${count}` }))
  await quiet(opened, link)
  expect(ofType(first.events, 'AI_AGENT_MESSAGE_CHUNK').length).toBeGreaterThanOrEqual(13)

  const slow = createSlowOutput()
  const second = createListener(slow.output)
  const replayed = await mustOpen(opened, slow.output, second.on)
  await opened.clock.settle()
  expect(second.frames).toHaveLength(1)
  slow.read()
  await replayed.settled()
  expect(second.closed).toEqual([])
  expect(second.client.cursor).toBe(first.client.cursor)
})

test('TT3 a terminal that nobody reads is closed with 1013 when too much waits', async () => {
  const opened = await openSession({ otherwise: 'Yes.' })
  const slow = createSlowOutput()
  const { client, closed, frames, on } = createListener(slow.output)
  const link = await mustOpen(opened, slow.output, on)
  await quiet(opened, link)
  slow.output.write('x'.repeat(1_100_000))
  const before = frames.length
  await link.send(client.compose('EVENT_TYPE_REQUEST_AI_AGENT_JOIN'))
  await quiet(opened, link)
  expect(closed).toEqual([CLOSE_CODES.too_slow])
  expect(frames).toHaveLength(before)
})

test('TT3 who sends faster than frames are handled is made to wait', async () => {
  const opened = await openSession({})
  const { frames, on } = createListener(drain())
  const link = await mustOpen(opened, drain(), on)
  await link.settled()
  const before = frames.length
  const heartbeat = '{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}'
  const sent = Array.from({ length: 100 }, () => link.send(heartbeat))
  await sent[0]
  expect(frames.length - before).toBeLessThan(100)
  await sent[70]
  expect(frames.length - before).toBe(100)
})

test('MS92 frames are counted before they are read, by their bytes, and who goes on is closed with 1008', async () => {
  const sessionBytes = { perSecond: 1_000, burst: 10_000 }
  const opened = await openSession({}, { session: { perSecond: 1, burst: 100 }, sessionBytes })
  const { closed, on } = createListener(drain())
  const link = await mustOpen(opened, drain(), on)
  const frame = JSON.stringify({ type: 'EVENT_TYPE_USER_TYPING', payload: { more: 'y'.repeat(3_000) } })
  await Promise.all(Array.from({ length: 50 }, () => link.send(frame).catch(() => undefined)))
  await quiet(opened, link)
  expect(closed).toEqual([CLOSE_CODES.flooding])
})

test('TT2 what was sent just before the connection went takes effect once, and its echo comes over the next one', async () => {
  const opened = await openSession({ otherwise: 'Yes.' })
  const { client, events, on } = createListener(drain())
  const first = await mustOpen(opened, drain(), on)
  await first.send(client.compose('EVENT_TYPE_REQUEST_AI_AGENT_JOIN'))
  await quiet(opened, first)
  await first.send(client.compose('EVENT_TYPE_USER_MESSAGE', { text: 'Is it open?' }))
  first.drop()
  const { unconfirmed } = client
  expect(unconfirmed).toHaveLength(1)
  await quiet(opened, first)
  const second = await mustOpen(opened, drain(), on, client.cursor)
  for (const frame of unconfirmed) await second.send(frame)
  await quiet(opened, second)
  expect(client.unconfirmed).toEqual([])
  expect(ofType(events, 'USER_MESSAGE')).toHaveLength(1)
  const logged = events.filter(({ payload }) => payload.is_complete !== false)
  expect(logged.flatMap(({ sequence }) => sequence ?? [])).toEqual(
    Array.from({ length: client.cursor }, (_, index) => index + 1),
  )
  const replies = ofType(events, 'AI_AGENT_MESSAGE_CHUNK').filter(({ payload }) => payload.is_complete)
  expect(replies.map(({ payload }) => payload.text)).toEqual(['Welcome.', 'Yes.'])
})

test('TT2 a dropped connection gives its place back', async () => {
  const opened = await openSession({})
  const { limits } = opened.platform.settings
  for (let count = 0; count <= limits.connectionsPerSession; count++) {
    const { on } = createListener(drain())
    const link = await mustOpen(opened, drain(), on)
    link.drop()
    await quiet(opened, link)
  }
})

test('TT2 nothing goes through a connection that was dropped', async () => {
  const opened = await openSession({ otherwise: 'Yes.' })
  const { client, closed, frames, on } = createListener(drain())
  const link = await mustOpen(opened, drain(), on)
  await link.settled()
  link.drop()
  const before = frames.length
  await link.send(client.compose('EVENT_TYPE_REQUEST_AI_AGENT_JOIN'))
  await quiet(opened, link)
  expect(frames).toHaveLength(before)
  expect(closed).toEqual([])
})
