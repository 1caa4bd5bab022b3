import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import type { DeskService } from '../../src/domain/conversation/desk-service.ts'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform, PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { request } from '../support/request.ts'

const SECOND = 1_000
const person = (id: string) => ({ id, name: id.toUpperCase(), avatarUrl: '' })
const [ANN, BEN, CLEO] = [person('ann'), person('ben'), person('cleo')]

/** A person's own calls. */
const as = (platform: Platform, { id, name }: typeof ANN) => platform.as({ type: 'person', id, name }).desk

/** Two processes over one store. The visitors' agent hands off when it is asked for a person. */
async function desk(options: Partial<PlatformOptions> = {}) {
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      yield { type: 'text', text: 'Certainly.' }
      if (input.type === 'message') yield { type: 'handoff', destination: 'reception', reason: 'asked' }
    },
  }
  const bench = createDeskBench()
  const [platform, other] = [bench.start({ runtime, ...options }), bench.start({ runtime, ...options })]
  const first = await bench.waiting(platform)
  const { accountId } = first
  /** Sits down at the desk; returns what is heard of offers there, and how to leave. */
  const sit = async (process: Platform, one: typeof ANN, service: DeskService = {}) => {
    const heard: string[] = []
    const leave = await as(process, one).watch(
      accountId,
      event => {
        const frame = deskEventOnWire(event)
        if (frame.type === 'handoff.offered') heard.push(frame.offered_to?.id ?? 'anyone')
        if (frame.type === 'handoff.waiting')
          heard.push(`waiting ${frame.handoff.offered_to?.id ?? 'anyone'}`)
        if (frame.type === 'handoff.accepted') heard.push(`accepted ${frame.handoff.agent?.id}`)
      },
      { liveAgentId: one.id, name: one.name, ...service },
    )
    await bench.clock.settle()
    return { heard, leave }
  }
  const offered = async (process = platform) =>
    (await process.desk.handoffs(accountId, 'waiting')).map(one => one.offered?.liveAgent.id ?? 'anyone')
  return { ...bench, platform, other, first, accountId, id: handoffOf(first), sit, offered }
}

const conflict = (words: string) => ({ code: 'HANDOFF_CONFLICT', message: expect.stringContaining(words) })

describe('the assignment of a queue', () => {
  test('DK611 each visitor is offered in turn; both processes tell it, and the next one is offered when time is over', async () => {
    const { accountId, clock, id, offered, other, platform, sit, waiting } = await desk()
    await other.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
    const [ann, ben] = [await sit(platform, ANN), await sit(other, BEN)]
    expect(await offered()).toEqual(['ann'])
    await waiting(platform)
    await clock.settle()
    expect([await offered(), await offered(other)]).toEqual([
      ['ann', 'ben'],
      ['ann', 'ben'],
    ])
    await clock.advance(29 * SECOND)
    expect(await offered()).toEqual(['ann', 'ben'])
    await clock.advance(2 * SECOND)
    expect(await offered()).toEqual(['ben', 'ann'])
    await as(other, BEN).accept(accountId, id, BEN)
    await clock.settle()
    expect(await offered(other)).toEqual(['ann'])
    await clock.advance(31 * SECOND)
    // Ben, too, was asked before; both have let the visitor pass.
    expect(await offered()).toEqual(['anyone'])
    expect(ann.heard.slice(-4)).toEqual(['ben', 'ann', 'accepted ben', 'anyone'])
    expect(ben.heard.slice(-4)).toEqual(['ben', 'ann', 'accepted ben', 'anyone'])
  })

  test('DK610 others cannot accept who is offered, except by taking over; the one who is offered can', async () => {
    const { accountId, clock, first, id, offered, other, platform, sit } = await desk()
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
    await sit(platform, ANN)
    await sit(other, BEN)
    await expect(as(other, BEN).accept(accountId, id, BEN)).rejects.toMatchObject(
      conflict('The visitor is offered to ANN until '),
    )
    expect(first.types()).not.toContain('LIVE_AGENT_JOINED')
    expect((await as(other, BEN).accept(accountId, id, BEN, { takeOver: true })).agent?.id).toBe('ben')
    await clock.settle()
    expect(await offered()).toEqual([])
  })

  test('DK610 of two live agents in two processes one wins, at each moment of an offer, and it is seen by all', async () => {
    for (const at of [0, 29_999, 30_000, 30_001, 60_001]) {
      const { accountId, clock, first, id, other, platform, sit } = await desk()
      await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
      const [ann, ben] = [await sit(platform, ANN), await sit(other, BEN)]
      const passing = clock.advance(at)
      const outcomes = await Promise.allSettled([
        as(platform, ANN).accept(accountId, id, ANN),
        as(other, BEN).accept(accountId, id, BEN),
      ])
      await passing
      await clock.settle()
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(first.types().filter(type => type === 'LIVE_AGENT_JOINED')).toHaveLength(1)
      const [winner] = await other.desk.handoffs(accountId, 'active')
      for (const { heard } of [ann, ben]) expect(heard.at(-1)).toBe(`accepted ${winner?.agent?.id}`)
    }
  })

  test('DK613 away, gone or without room: the visitor goes on at once, and back when somebody is able', async () => {
    const { accountId, clock, id, offered, other, platform, sit } = await desk({ talksAtOnce: 1 })
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'least_busy' })
    await sit(platform, ANN)
    const ben = await sit(other, BEN)
    expect(await offered()).toEqual(['ann'])
    await as(platform, ANN).setAway(accountId, 'ann', true)
    await clock.settle()
    expect(await offered()).toEqual(['ben'])
    ben.leave()
    await clock.settle()
    expect(await offered()).toEqual(['anyone'])
    await as(other, ANN).setAway(accountId, 'ann', false)
    await clock.settle()
    expect(await offered()).toEqual(['ann'])
    await as(platform, ANN).accept(accountId, id, ANN)
    await clock.settle()
    const bench = await as(platform, ANN).handoff(accountId, id)
    expect([bench.status, bench.offered]).toEqual(['active', null])
  })

  test('DK613 room that comes free is used, also by a transfer; a queue without members waits for anyone', async () => {
    const { accountId, clock, id, offered, other, platform, sit, waiting } = await desk({ talksAtOnce: 1 })
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin', skills: ['de'] })
    await sit(platform, ANN, { skills: ['de'] })
    await sit(other, BEN)
    await as(platform, ANN).accept(accountId, id, ANN)
    await waiting(other)
    await clock.settle()
    expect(await offered()).toEqual(['anyone'])
    await as(platform, ANN).transfer(accountId, id, { liveAgentId: 'ben' })
    await clock.settle()
    expect(await offered()).toEqual(['ann'])
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin', skills: ['fr'] })
    await clock.settle()
    expect(await offered()).toEqual(['anyone'])
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
    await clock.settle()
    expect(await offered()).toEqual(['ann'])
    await platform.desk.assignments.remove(accountId, 'reception')
    await clock.settle()
    expect(await offered()).toEqual(['anyone'])
  })

  test('DK613 who declines is not asked again: the visitor goes to the next one at once, and figures count it', async () => {
    const { accountId, clock, id, offered, other, platform, sit } = await desk()
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
    const from = clock.now()
    const [ann, ben] = [await sit(platform, ANN), await sit(other, BEN)]
    await clock.advance(5 * SECOND)
    await expect(as(other, BEN).decline(accountId, id, 'ben')).rejects.toMatchObject(
      conflict('The visitor is not offered to "ben" now.'),
    )
    await expect(as(other, BEN).decline(accountId, id, 'ann')).rejects.toMatchObject({
      code: 'USER_ACCESS_FORBIDDEN',
    })
    await as(other, ANN).decline(accountId, id, 'ann')
    await clock.settle()
    expect([await offered(), await offered(other)]).toEqual([['ben'], ['ben']])
    await as(platform, BEN).decline(accountId, id, 'ben')
    await clock.settle()
    expect(await offered()).toEqual(['anyone'])
    for (const { heard } of [ann, ben]) expect(heard.slice(-2)).toEqual(['ben', 'anyone'])
    const { all, liveAgents, queues } = await other.desk.figures(accountId, { from, to: clock.now() + 1 })
    expect(all).toMatchObject({ declined: 2, answered: 0, longestWait: null })
    expect(queues).toMatchObject([{ queueName: 'reception', declined: 2 }])
    expect(liveAgents.map(one => [one.liveAgent.id, one.declined])).toEqual([
      ['ann', 1],
      ['ben', 1],
    ])
    await as(platform, ANN).accept(accountId, id, ANN)
    await expect(as(platform, ANN).decline(accountId, id, 'ann')).rejects.toMatchObject(
      conflict('not offered'),
    )
  })

  test('DK613 of one who declines in two processes, and of the end of the offer, one counts', async () => {
    for (const at of [0, 29_999, 30_000, 30_001]) {
      const { accountId, clock, id, offered, other, platform, sit } = await desk()
      await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
      const from = clock.now()
      await sit(platform, ANN)
      await sit(other, BEN)
      const passing = clock.advance(at)
      const outcomes = await Promise.allSettled([
        as(platform, ANN).decline(accountId, id, 'ann'),
        as(other, ANN).decline(accountId, id, 'ann'),
      ])
      await passing
      await clock.settle()
      const won = outcomes.filter(({ status }) => status === 'fulfilled').length
      expect(won).toBeLessThanOrEqual(1)
      if (at < 29_999) expect(won).toBe(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(conflict('not offered'))
      const { all } = await other.desk.figures(accountId, { from, to: clock.now() + 1 })
      expect(all.declined).toBe(won)
      expect(at === 0 ? ['ben'] : ['ben', 'anyone']).toContain((await offered(other))[0])
    }
  })

  test('DK613 an offer whose process was closed ends in another one, on time', async () => {
    const { accountId, clock, offered, other, platform, sit } = await desk()
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
    await sit(other, CLEO)
    await sit(platform, ANN)
    expect(await offered(other)).toEqual(['cleo'])
    await platform.close()
    await clock.advance(31 * SECOND)
    expect(await offered(other)).toEqual(['anyone'])
    await sit(other, BEN)
    expect(await offered(other)).toEqual(['ben'])
  })

  test('DK611 many visitors at once in two processes: nobody has two offers, and no visitor has two', async () => {
    const { accountId, clock, offered, other, platform, sit, store, waiting } = await desk()
    await platform.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
    const people = ['ann', 'ben', 'cleo', 'dan'].map(person)
    await Promise.all(people.map((one, at) => sit(at % 2 === 0 ? platform : other, one)))
    await Promise.all([0, 1, 2, 3, 4].map(at => waiting(at % 2 === 0 ? platform : other)))
    await clock.settle()
    const roster = await store.access.deskRosters.find(accountId)
    const offers = roster?.offers ?? []
    expect(new Set(offers.map(({ handoffId }) => handoffId)).size).toBe(4)
    expect(new Set(offers.map(({ liveAgent }) => liveAgent.id)).size).toBe(4)
    expect((await offered()).filter(one => one === 'anyone')).toHaveLength(2)
  })

  test.each(['the assignment is removed', 'the live agent leaves'] as const)(
    'DK613 what changes in one process while another one writes its decision counts at once: %s',
    async what => {
      const { accountId, clock, first, offered, other, sit, start, store, waiting } = await desk()
      const { deskRosters } = store.access
      let isHeld = false
      const writes: (() => void)[] = []
      const save: typeof deskRosters.save = async (...given) => {
        if (isHeld) await new Promise<void>(resolve => writes.push(resolve))
        return deskRosters.save(...given)
      }
      const held = { ...store, access: { ...store.access, deskRosters: { ...deskRosters, save } } }
      const slow = start({ store: held })
      await first.end()
      await other.desk.assignments.set(accountId, 'reception', { mode: 'round_robin' })
      const { leave } = await sit(other, ANN)
      isHeld = true
      await waiting(slow)
      await clock.settle()
      expect([writes.length, await offered(other)]).toEqual([1, ['anyone']])
      if (what === 'the live agent leaves') leave()
      else await other.desk.assignments.remove(accountId, 'reception')
      await clock.settle()
      isHeld = false
      for (const write of writes) write()
      await clock.settle()
      expect(await offered(other)).toEqual(['anyone'])
    },
  )

  test('DK610 assignments are of their account, bounded, audited, and refused in words', async () => {
    const { accountId, clock, platform } = await desk({ deskQueues: 2 })
    const { assignments } = platform.desk
    await assignments.set(accountId, 'sales', { mode: 'least_busy', skills: ['de'] })
    await assignments.set(accountId, 'billing', { mode: 'round_robin' })
    await assignments.set(accountId, 'billing', { mode: 'round_robin' })
    expect(await assignments.list(accountId)).toEqual([
      { queueName: 'billing', mode: 'round_robin', skills: [] },
      { queueName: 'sales', mode: 'least_busy', skills: ['de'] },
    ])
    const { id: none } = await platform.access.createAccount({ slug: 'none', name: 'None' })
    expect(await assignments.list(none)).toEqual([])
    await expect(assignments.set(accountId, 'x', { mode: 'round_robin' })).rejects.toMatchObject({
      code: 'QUEUES_LIMIT',
    })
    await expect(assignments.remove(accountId, 'x')).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
    const key = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
    const dispatcher = createDispatcher(platform, routes)
    const call = async (line: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const answer = await dispatcher.handle(request(line, { headers, body }))
      await clock.settle()
      return [answer.status, JSON.parse(answer.body ?? '{}')]
    }
    for (const body of [
      {},
      { mode: 'anyone' },
      { mode: 'round_robin', skills: [''] },
      { mode: 'x', more: 1 },
    ])
      expect((await call('PUT /desk/v1/queues/sales/assignment', body))[0]).toBe(400)
    expect(await call('PUT /desk/v1/queues/sales/assignment', { mode: 'round_robin' })).toEqual([
      200,
      { queue_name: 'sales', mode: 'round_robin', skills: [] },
    ])
    expect((await call('DELETE /desk/v1/queues/billing/assignment'))[0]).toBe(204)
    expect((await call('GET /desk/v1/assignments'))[1].assignments).toHaveLength(1)
    const { entries } = await platform.audit.list({ limit: 9 })
    expect(entries.map(({ action }) => action).filter(one => one.startsWith('queue.'))).toEqual([
      'queue.assignment_removed',
      ...Array.from({ length: 3 }, () => 'queue.assignment_changed'),
    ])
  })
})
