import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { readStream } from '@colloquy/test-support/event-stream'
import { expect, test } from 'vitest'
import type { Person } from '../../src/domain/access/person.ts'
import { fetchHandlerOf } from '../../src/fetch/fetch-handler.ts'
import { createPeopleDispatcher } from '../../src/http/people-dispatcher.ts'

const ADA: Person = { id: 'u-ada', name: 'Ada', roles: ['desk'] }
const PING = 15_000

/** The desk for people, over streams that are read. */
async function serve() {
  const bench = createDeskBench()
  const platform = bench.start()
  const visitor = await bench.waiting(platform)
  let signedIn: Person | null = ADA
  const people = createPeopleDispatcher(platform, { authorize: () => signedIn, version: '1' })
  const handle = fetchHandlerOf<void>(people, { address: () => '203.0.113.9' })
  async function ask(path: string, init: RequestInit & { readonly account?: string } = {}) {
    const account = { 'x-console': '1', 'x-account': init.account ?? visitor.accountId }
    const headers = init.body === undefined ? account : { ...account, 'content-type': 'application/json' }
    const response = await handle(new Request(`https://app.example${path}`, { ...init, headers }))
    if (response === null) throw new Error('not answered')
    await bench.clock.settle()
    return response
  }
  const watch = async (path = '/desk/v1/events') => {
    const stream = readStream(await ask(path))
    const frames = (): readonly Record<string, unknown>[] =>
      stream.parts.filter(({ name }) => name === 'message').map(({ data }) => JSON.parse(data))
    return { ...stream, events: frames, types: () => frames().map(({ type }) => type) }
  }
  const signIn = (person: Person | null): void => {
    signedIn = person
  }
  return { ...bench, platform, visitor, ask, watch, signIn }
}

test('PE10 the stream begins with what waits and is active, and goes on with the frames of the socket', async () => {
  const { watch, ask, clock, visitor, platform } = await serve()
  const stream = await watch()
  await stream.until(() => stream.types().length === 1)
  expect(stream.events()).toMatchObject([
    { type: 'handoff.waiting', handoff: { handoff_id: handoffOf(visitor), queue_name: 'reception' } },
  ])
  const body = JSON.stringify({ agent: { id: 'u-ada', name: 'Ada' } })
  const init = { method: 'POST', body }
  expect((await ask(`/desk/v1/handoffs/${handoffOf(visitor)}/accept`, init)).status).toBe(200)
  await stream.until(() => stream.types().length === 2)
  await visitor.say('Hello?')
  await clock.settle()
  await stream.until(() => stream.types().length === 3)
  expect(stream.types()).toEqual(['handoff.waiting', 'handoff.accepted', 'handoff.visitor_message'])
  const second = await watch()
  await second.until(() => second.types().length === 1)
  expect(second.types()).toEqual(['handoff.accepted'])
  await platform.messaging.endStreams()
  await stream.gone
  expect(stream.closedBy()).toMatchObject({ code: 1001 })
  expect((await ask('/desk/v1/events')).status).toBe(503)
})

test('PE10 the stream of another account tells of its own visitors alone', async () => {
  const { ask, platform, waiting, clock } = await serve()
  await platform.access.createAccount({ slug: 'other', name: 'Other' })
  const stream = readStream(await ask('/desk/v1/events', { account: 'other' }))
  await waiting(platform)
  await clock.advance(PING)
  await stream.until(() => stream.comments.length > 0)
  expect(stream.parts.map(({ name }) => name)).toEqual(['open'])
})

test.each([
  ['is signed out', null],
  ['is no live agent any more', { ...ADA, roles: ['reader'] } satisfies Person],
  ['may no longer use the account', { ...ADA, accounts: ['ws-elsewhere'] } satisfies Person],
])('PE10 it ends with 1008 soon after its reader %s', async (_, person) => {
  const { watch, clock, signIn } = await serve()
  const stream = await watch()
  await stream.until(() => stream.types().length === 1)
  await clock.advance(PING)
  await stream.until(() => stream.comments.length > 0)
  expect(stream.isOver()).toBe(false)
  signIn(person)
  await clock.advance(PING)
  await stream.gone
  expect(stream.closedBy()).toEqual({ code: 1008, reason: 'signed out' })
})

test('PE10 with agent_id the handoffs of that live agent count as attended while it lasts', async () => {
  const { watch, ask, clock, visitor, platform } = await serve()
  const body = JSON.stringify({ agent: { id: 'u-ada', name: 'Ada' } })
  const stream = await watch('/desk/v1/events?agent_id=u-ada')
  await ask(`/desk/v1/handoffs/${handoffOf(visitor)}/accept`, { method: 'POST', body })
  await stream.until(() => stream.types().includes('handoff.accepted'))
  for (let minutes = 0; minutes < 5; minutes++) {
    await clock.advance(60_000)
    await visitor.heartbeat()
  }
  expect(await platform.desk.handoffs(visitor.accountId, 'active')).toHaveLength(1)
  await stream.cancel()
  for (let seconds = 0; seconds < 120; seconds += 30) {
    await clock.advance(30_000)
    await visitor.heartbeat()
  }
  expect(await platform.desk.handoffs(visitor.accountId, 'active')).toHaveLength(0)
})

test('PE10 a wrong id of a live agent is 400, and a HEAD opens nothing', async () => {
  const { ask } = await serve()
  expect((await ask(`/desk/v1/events?agent_id=${'x'.repeat(1_000)}`)).status).toBe(400)
  const head = await ask('/desk/v1/events', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), head.body]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    null,
  ])
})
