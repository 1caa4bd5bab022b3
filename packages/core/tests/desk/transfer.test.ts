import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform } from '../../src/platform.ts'
import { request } from '../support/request.ts'

const SECOND = 1_000
const PEOPLE = ['ann', 'ben', 'cleo'].map(id => ({ id, name: id.toUpperCase(), avatarUrl: '' }))
const [ANN, BEN, CLEO] = PEOPLE as [Colleague, Colleague, Colleague]
type Colleague = { readonly id: string; readonly name: string; readonly avatarUrl: string }

/** What a seat says that names neither skills nor a number of visitors. */
const ROOM = { skills: [], talksAtOnce: 20, awaySince: null }

/** A person's own calls. */
const as = (platform: Platform, { id, name }: Colleague) => platform.as({ type: 'person', id, name }).desk

/** Sits down at the desk; returns what is heard there, and how to leave. */
async function sit(
  platform: Platform,
  accountId: string,
  one: Colleague,
  queues: readonly string[] | null = null,
) {
  const heard: string[] = []
  const watcher = { liveAgentId: one.id, name: one.name, avatarUrl: one.avatarUrl, queues }
  const leave = await as(platform, one).watch(
    accountId,
    event => {
      const frame = deskEventOnWire(event)
      if (frame.type === 'handoff.accepted') heard.push(`accepted ${frame.handoff.agent?.id}`)
      else if (frame.type === 'handoff.waiting') heard.push(`waiting ${frame.handoff.queue_name}`)
      else if (frame.type === 'handoff.ended') heard.push(`ended ${frame.reason}`)
    },
    watcher,
  )
  return { heard, leave }
}

/** Two processes; in the first Ann talks to a visitor, and Ben sits in the second. */
async function talking() {
  const bench = createDeskBench()
  const [platform, other] = [bench.start(), bench.start()]
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  const id = handoffOf(visitor)
  const ann = await sit(platform, accountId, ANN)
  const ben = await sit(other, accountId, BEN)
  await as(platform, ANN).accept(accountId, id, ANN)
  await bench.clock.settle()
  return { ...bench, platform, other, visitor, accountId, id, ann, ben }
}

const conflict = (words: string) => ({ code: 'HANDOFF_CONFLICT', message: expect.stringContaining(words) })

describe('a transfer', () => {
  test('DK41 to a colleague in another process: they have the visitor at once, and all see it', async () => {
    const { accountId, ann, ben, clock, id, other, platform, visitor } = await talking()
    const given = await as(platform, ANN).transfer(accountId, id, {
      liveAgentId: 'ben',
      reason: 'Speaks Dutch',
    })
    await clock.settle()
    expect(given).toMatchObject({ handoffId: id, status: 'active', agent: BEN })
    expect(ann.heard).toEqual(['waiting reception', 'accepted ann', 'accepted ben'])
    expect(ben.heard).toEqual(ann.heard)
    expect(visitor.received.at(-1)).toMatchObject({
      type: 'EVENT_TYPE_LIVE_AGENT_JOINED',
      payload: { agent: { id: 'ben', name: 'BEN', avatar_url: '' } },
    })
    const read = await other.desk.handoff(accountId, id)
    expect(read.transferred).toEqual({ from: { id: 'ann', name: 'ANN' }, reason: 'Speaks Dutch' })
    expect(JSON.stringify(visitor.received)).not.toContain('Speaks Dutch')
    await as(other, BEN).send(accountId, id, { text: 'Hallo' })
    await expect(as(platform, ANN).send(accountId, id, { text: 'Still me' })).rejects.toMatchObject({
      code: 'USER_ACCESS_FORBIDDEN',
    })
    const { entries } = await platform.audit.list({ limit: 1 })
    expect(entries[0]).toMatchObject({
      action: 'handoff.transferred',
      actor: { type: 'person', id: 'ann' },
      details: { liveAgent: { id: 'ann' }, to: { liveAgent: 'ben' }, reason: 'Speaks Dutch' },
    })
  })

  test('DK41 into a queue: the visitor waits there as another handoff, which a colleague takes', async () => {
    const { accountId, ann, ben, clock, id, other, platform, visitor } = await talking()
    await visitor.say('I want a quote')
    const given = await as(platform, ANN).transfer(accountId, id, { queueName: 'sales', reason: 'A quote' })
    await clock.settle()
    const next = handoffOf(visitor, 2)
    expect(given).toMatchObject({ handoffId: next, status: 'waiting', queueName: 'sales', agent: null })
    expect(ann.heard.slice(2)).toEqual(['ended transferred', 'waiting sales'])
    expect(ben.heard).toEqual(ann.heard)
    expect(visitor.types().slice(-4)).toEqual([
      ...['LIVE_AGENT_LEFT', 'SESSION_START', 'HANDOFF_ACCEPTED', 'HANDOFF_QUEUE_STATUS'],
    ])
    expect(visitor.received.at(-1)?.payload).toMatchObject({ queue_name: 'sales', position_in_queue: 1 })
    const [waiting] = await other.desk.handoffs(accountId, 'waiting')
    expect(waiting?.transferred).toEqual({ from: { id: 'ann', name: 'ANN' }, reason: 'A quote' })
    const taken = await as(other, BEN).accept(accountId, next, BEN)
    expect(taken.transcript.map(({ text }) => text)).toContain('I want a quote')
    await expect(as(platform, ANN).leave(accountId, id)).rejects.toMatchObject(conflict('is over'))
  })

  test('DK41 to oneself, to who has gone, and into a queue that no one else serves is refused in words', async () => {
    const { accountId, ben, clock, id, platform, visitor } = await talking()
    const transfer = (target: object) => as(platform, ANN).transfer(accountId, id, target)
    const before = visitor.received.length
    await expect(transfer({ liveAgentId: 'ann' })).rejects.toMatchObject(conflict('is with ANN already'))
    await expect(transfer({ liveAgentId: 'cleo' })).rejects.toMatchObject(
      conflict('"cleo" is not at the desk. Allowed: ben'),
    )
    ben.leave()
    await clock.settle()
    await expect(transfer({ liveAgentId: 'ben' })).rejects.toMatchObject(conflict('No one else is'))
    await expect(transfer({ queueName: 'sales' })).rejects.toMatchObject(conflict('No other live agent'))
    const cleo = await sit(platform, accountId, CLEO, ['billing'])
    await clock.settle()
    await expect(transfer({ queueName: 'sales' })).rejects.toMatchObject(conflict('Allowed: billing'))
    for (const wrong of [{}, { liveAgentId: 'cleo', queueName: 'billing' }, { queueName: '' }])
      await expect(transfer(wrong)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    expect(visitor.received).toHaveLength(before)
    expect((await transfer({ queueName: 'billing' })).queueName).toBe('billing')
    cleo.leave()
  })

  test('DK41 and CM20 of transfers, a leave and a return over two processes at once, one is carried out', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { accountId, clock, id, other, platform, visitor } = await talking()
      await sit(other, accountId, CLEO)
      await clock.settle()
      const desks = [as(platform, ANN), as(other, ANN)] as const
      const acts = [
        () => desks[0].transfer(accountId, id, { liveAgentId: 'ben' }),
        () => desks[1].transfer(accountId, id, { liveAgentId: 'cleo' }),
        () => desks[1].transfer(accountId, id, { queueName: 'sales' }),
        () => desks[0].return(accountId, id),
        () => desks[1].leave(accountId, id),
      ]
      const order = acts.map((_, at) => acts[(at + turn) % acts.length] ?? (() => Promise.resolve()))
      const outcomes = await Promise.allSettled(order.map(act => act()))
      await clock.settle()
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const joins = visitor.types().filter(type => type === 'LIVE_AGENT_JOINED').length - 1
      const lefts = visitor.types().filter(type => type === 'LIVE_AGENT_LEFT').length
      expect(joins + lefts).toBe(1)
      // Both processes tell the same.
      expect(await platform.desk.handoffs(accountId, 'active')).toEqual(
        await other.desk.handoffs(accountId, 'active'),
      )
    }
  })
})

describe('who is at the desk', () => {
  test('DK15 each live agent stands there once, in every process, while one of their sockets is open', async () => {
    const { accountId, ann, clock, other, platform } = await talking()
    const again = await sit(other, accountId, ANN, ['sales'])
    await clock.settle()
    const expected = [
      { ...ANN, queues: null, talks: 1, ...ROOM },
      { ...BEN, queues: null, talks: 0, ...ROOM },
    ]
    expect(await platform.desk.colleagues(accountId)).toEqual(expected)
    expect(await other.desk.colleagues(accountId)).toEqual(expected)
    ann.leave()
    await clock.settle()
    expect(await platform.desk.colleagues(accountId)).toEqual([
      { ...ANN, queues: ['sales'], talks: 1, ...ROOM },
      expected[1],
    ])
    again.leave()
    await clock.settle()
    expect((await platform.desk.colleagues(accountId)).map(({ id }) => id)).toEqual(['ben'])
    expect(await platform.desk.colleagues('ws-other')).toEqual([])
  })

  test('DK15 a seat lasts as long as its socket, and one of a process that died ends by itself', async () => {
    const bench = createDeskBench()
    const [platform, doomed] = [bench.start(), bench.start()]
    const { accountId } = await bench.waiting(platform)
    await sit(platform, accountId, BEN)
    await sit(doomed, accountId, CLEO)
    await bench.clock.advance(10 * 60 * SECOND)
    const ids = async () => (await platform.desk.colleagues(accountId)).map(({ id }) => id)
    expect(await ids()).toEqual(['ben', 'cleo'])
    await doomed.close()
    await bench.clock.settle()
    expect(await ids()).toEqual(['ben'])
    // As a process leaves it that was killed.
    const { deskSeats } = bench.store.access
    const until = bench.clock.now() + 80 * SECOND
    const acceptor = { type: 'person', id: 'cleo' } as const
    await deskSeats.keep({ id: 'S', accountId, liveAgent: CLEO, acceptor, queues: null, until }, 0)
    expect(await ids()).toEqual(['ben', 'cleo'])
    await bench.clock.advance(80 * SECOND)
    expect(await ids()).toEqual(['ben'])
  })

  test('DK15 a colleague whose process died before the transfer counts as absent', async () => {
    const { accountId, clock, id, platform, store, visitor } = await talking()
    const acceptor = { type: 'person', id: 'cleo' } as const
    const until = clock.now() + 30 * SECOND
    await store.access.deskSeats.keep(
      { id: 'S', accountId, liveAgent: CLEO, acceptor, queues: null, until },
      0,
    )
    await as(platform, ANN).transfer(accountId, id, { liveAgentId: 'cleo' })
    await clock.advance(59 * SECOND)
    expect(visitor.types().at(-1)).toBe('LIVE_AGENT_JOINED')
    await clock.advance(2 * SECOND)
    expect(visitor.received.at(-2)?.payload).toEqual({ reason: 'live agent absent' })
  })

  test('DK41 and DK15 over HTTP: the list, a transfer with a key, and what is refused', async () => {
    const { accountId, clock, id, platform } = await talking()
    const key = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
    const dispatcher = createDispatcher(platform, routes)
    const call = async (line: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const answer = await dispatcher.handle(request(line, { headers, body }))
      await clock.settle()
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    expect(await call('GET /desk/v1/colleagues')).toEqual({
      status: 200,
      json: {
        colleagues: [
          {
            id: 'ann',
            name: 'ANN',
            avatar_url: '',
            queues: null,
            talks: 1,
            skills: [],
            talks_at_once: 20,
            away_since: null,
          },
          {
            id: 'ben',
            name: 'BEN',
            avatar_url: '',
            queues: null,
            talks: 0,
            skills: [],
            talks_at_once: 20,
            away_since: null,
          },
        ],
      },
    })
    const path = `POST /desk/v1/handoffs/${id}/transfer`
    // What a person has accepted no key continues.
    expect((await call(path, { agent_id: 'ben' })).status).toBe(403)
    await call(`POST /desk/v1/handoffs/${id}/accept`, { agent: { id: 'x', name: 'X' }, take_over: true })
    const gone = await call(path, { agent_id: 'nobody' })
    expect([gone.status, gone.json.error_code]).toEqual([409, 'HANDOFF_CONFLICT'])
    for (const body of [{}, { agent_id: 'ben', queue_name: 'sales' }, { agent_id: '' }])
      expect((await call(path, body)).status).toBe(400)
    const given = await call(path, { agent_id: 'ben', reason: 'Knows it' })
    expect(given).toMatchObject({
      status: 200,
      json: {
        ...{ handoff_id: id, status: 'active', agent: { id: 'ben', name: 'BEN', avatar_url: '' } },
        transferred: { from: { id: 'x', name: 'X' }, reason: 'Knows it' },
      },
    })
  })
})
