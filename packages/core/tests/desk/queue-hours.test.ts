import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime, RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }
const HOUR = 3_600_000
/** The bench's clock begins on Thursday, 2026-01-01, at midnight UTC. */
const FROM_NINE = { timeZone: 'UTC', weekly: [{ day: 4, from: '09:00', to: '17:00' }] }
const NINE = Date.parse('2026-01-01T09:00:00Z')

/** Two processes whose agent hands off to the reception when it is asked for a person. */
async function visited(options: Partial<PlatformOptions> = {}) {
  const told: RuntimeTurn['closedQueue'][] = []
  const runtime: AgentRuntime = {
    async *respond({ closedQueue, input }) {
      told.push(closedQueue)
      yield { type: 'text', text: 'Certainly.' }
      const isAsked = input.type === 'message' && input.text === 'person'
      if (isAsked) yield { type: 'handoff', destination: 'reception', reason: 'asked' }
    },
  }
  const bench = createDeskBench()
  const [platform, other] = [bench.start({ runtime, ...options }), bench.start({ runtime, ...options })]
  const first = await bench.waiting(platform)
  const { accountId } = first
  return { ...bench, platform, other, first, accountId, told, id: handoffOf(first) }
}

describe('hours of a queue', () => {
  test('DK559 a handoff to a closed queue fails at once, and the agent knows when it opens', async () => {
    const { accountId, clock, first, other, platform, told } = await visited()
    await other.desk.queues.setHours(accountId, 'reception', FROM_NINE)
    const visitor = first
    expect(visitor.types().at(-1)).toBe('HANDOFF_QUEUE_STATUS')
    await platform.desk.accept(accountId, handoffOf(visitor), ADA)
    await platform.desk.return(accountId, handoffOf(visitor))
    await clock.settle()
    await visitor.say('person')
    expect(visitor.received.at(-1)).toMatchObject({
      type: 'EVENT_TYPE_HANDOFF_FAILED',
      payload: { reason: 'closed until 2026-01-01T09:00:00.000Z' },
    })
    expect(await platform.desk.handoffs(accountId, 'waiting')).toEqual([])
    expect(told.filter(one => one !== null)).toEqual([])
    await visitor.say('And when?')
    expect(told.at(-1)).toEqual({ opensAt: NINE, timeZone: 'UTC', takesMessages: false })
    expect(visitor.texts('AI_AGENT_MESSAGE').at(-1)).toBe('Certainly.')
  })

  test('DK559 the agent is told of a closed queue by its own clock, and no more once it is open', async () => {
    const { accountId, clock, platform, told, waiting } = await visited()
    const weekly = [{ day: 4, from: '01:02', to: '17:00' }]
    await platform.desk.queues.setHours(accountId, 'reception', { timeZone: 'Europe/Berlin', weekly })
    const visitor = await waiting(platform)
    await visitor.say('When?')
    const opensAt = Date.parse('2026-01-01T00:02:00Z')
    expect(told.at(-1)).toEqual({ opensAt, timeZone: 'Europe/Berlin', takesMessages: false })
    await clock.advance(opensAt - clock.now())
    await visitor.say('Now?')
    expect(told.at(-1)).toBeNull()
  })

  test('DK559 within the hours, after them, and without hours; who waits stays when the queue closes', async () => {
    const { accountId, clock, first, platform, told, waiting } = await visited({ messageWhenClosed: true })
    const weekly = [{ day: 4, from: '00:00', to: '00:01' }]
    await platform.desk.queues.setHours(accountId, 'reception', { timeZone: 'UTC', weekly })
    const second = await waiting(platform)
    expect(second.types().at(-1)).toBe('HANDOFF_QUEUE_STATUS')
    await clock.advance(61_000)
    const third = await waiting(platform)
    expect(third.types()).toContain('HANDOFF_FAILED')
    await third.say('Hello?')
    expect(told.at(-1)).toEqual({
      ...{ opensAt: Date.parse('2026-01-08T00:00:00Z'), timeZone: 'UTC', takesMessages: true },
    })
    const ids = (await platform.desk.handoffs(accountId, 'waiting')).map(({ sessionId }) => sessionId)
    expect(ids).toEqual([first.id, second.id])
    await platform.desk.accept(accountId, handoffOf(second), ADA)
    await platform.desk.queues.removeHours(accountId, 'reception')
    await third.say('person')
    expect(third.types().at(-1)).toBe('HANDOFF_QUEUE_STATUS')
    await platform.desk.accept(accountId, handoffOf(third, 2), ADA)
    await platform.desk.return(accountId, handoffOf(third, 2))
    await third.say('Thanks')
    expect(told.at(-1)).toBeNull()
  })

  test('DK559 a runtime asks before it says that somebody comes; only the desk of the platform has hours', async () => {
    const answers: unknown[] = []
    const runtime: AgentRuntime = {
      async *respond({ closedFor, input }) {
        const text = input.type === 'message' ? input.text : ''
        if (text !== '') answers.push(await closedFor?.(text))
        yield { type: 'text', text: 'Well.' }
        if (text === 'person') yield { type: 'handoff', destination: 'reception', reason: 'asked' }
      },
    }
    const { accountId, clock, platform, waiting } = await visited({ runtime, messageWhenClosed: true })
    const weekly = [{ day: 4, from: '00:02', to: '17:00' }]
    const opensAt = Date.parse('2026-01-01T00:02:00Z')
    await platform.desk.queues.setHours(accountId, 'reception', { timeZone: 'UTC', weekly })
    const visitor = await waiting(platform)
    // The connector leads all destinations into one queue.
    await visitor.say('sales')
    await clock.advance(opensAt - clock.now())
    await waiting(platform)
    const closed = { opensAt, timeZone: 'UTC', takesMessages: true }
    expect(answers).toEqual([null, closed, closed, null])
    const other = createDeskBench()
    const system = { request: async () => {}, forward: async () => {} }
    const liveAgents = () => ({ ...system, visitorTyping: async () => {}, cancel: async () => {} })
    const hosts = other.start({ runtime, liveAgents })
    const guest = await other.waiting(hosts)
    await hosts.desk.queues.setHours(guest.accountId, 'reception', FROM_NINE)
    const later = await openVisitor(hosts, other.clock)
    await later.join()
    await later.say('reception')
    expect(answers.at(-1)).toBeNull()
  })

  test('DK559 hours add no read and no write to what a visitor says to the agent', async () => {
    const { accountId, first, id, platform, store } = await visited()
    await platform.desk.queues.setHours(accountId, 'reception', FROM_NINE)
    await platform.desk.accept(accountId, id, ADA)
    await platform.desk.return(accountId, id)
    let asked = 0
    const { find } = store.access.deskQueues
    Object.assign(store.access.deskQueues, {
      find: (...input: Parameters<typeof find>) => {
        asked++
        return find(...input)
      },
    })
    await first.say('Hello?')
    expect(asked).toBe(0)
    await first.say('person')
    expect(asked).toBe(1)
  })

  test('DK559 a transfer into a closed queue is refused, and says when it opens', async () => {
    const { accountId, clock, id, platform } = await visited()
    await platform.desk.queues.setHours(accountId, 'sales', FROM_NINE)
    await platform.desk.accept(accountId, id, ADA)
    const leave = await platform.desk.watch(accountId, () => {}, { liveAgentId: 'ben' })
    await expect(platform.desk.transfer(accountId, id, { queueName: 'sales' })).rejects.toMatchObject({
      code: 'HANDOFF_CONFLICT',
      message:
        'The queue "sales" is closed until 2026-01-01T09:00:00.000Z. Allowed: a colleague, or a queue that is open.',
    })
    await clock.advance(0)
    await platform.desk.queues.setHours(accountId, 'sales', {
      ...{ ...FROM_NINE, weekly: [{ day: 4, from: '00:00', to: '24:00' }] },
    })
    const given = await platform.desk.transfer(accountId, id, { queueName: 'sales' })
    expect(given).toMatchObject({ status: 'waiting', queueName: 'sales' })
    leave()
  })

  test('DK557 hours are checked, listed with what they mean now, bounded, and in the audit log', async () => {
    const { accountId, clock, other, platform } = await visited({ deskQueues: 1 })
    const { queues } = platform.desk
    for (const wrong of [
      { timeZone: '+01:00' },
      { timeZone: 'Europe/Nowhere' },
      { weekly: [{ day: 8, from: '09:00', to: '17:00' }] },
      { weekly: [{ day: 1, from: '9:00', to: '17:00' }] },
      { weekly: [{ day: 1, from: '17:00', to: '17:00' }] },
      { weekly: [{ day: 1, from: '17:00', to: '24:01' }] },
      { holidays: ['2026-02-30'] },
      { holidays: ['25.12.2026'] },
    ])
      await expect(queues.setHours(accountId, 'reception', { ...FROM_NINE, ...wrong })).rejects.toMatchObject(
        { code: 'SCHEMA_VALIDATION_FAILED' },
      )
    const set = await queues.setHours(accountId, 'reception', FROM_NINE)
    expect(set).toEqual({
      ...{ ...FROM_NINE, queueName: 'reception', holidays: [], isOpen: false, opensAt: NINE },
    })
    expect(await other.desk.queues.list(accountId)).toEqual([set])
    await clock.advance(10 * HOUR)
    expect(await queues.list(accountId)).toMatchObject([{ isOpen: true, opensAt: null }])
    await expect(queues.setHours(accountId, 'sales', FROM_NINE)).rejects.toMatchObject({
      code: 'QUEUES_LIMIT',
    })
    await queues.setHours(accountId, 'reception', FROM_NINE)
    await queues.setHours(accountId, 'reception', { ...FROM_NINE, holidays: ['2026-01-01'] })
    expect(await queues.list(accountId)).toMatchObject([
      { isOpen: false, opensAt: Date.parse('2026-01-08T09:00:00Z') },
    ])
    const { entries } = await platform.audit.list({ limit: 3 })
    expect(entries.filter(({ action }) => action === 'queue.hours_changed')).toHaveLength(2)
    expect(entries[0]?.details).toEqual({ changes: { holidays: { from: [], to: ['2026-01-01'] } } })
    await queues.removeHours(accountId, 'reception')
    await expect(queues.removeHours(accountId, 'reception')).rejects.toMatchObject({
      code: 'QUEUE_NOT_FOUND',
    })
  })

  test('DK557 over HTTP: set, listed and removed by a desk key', async () => {
    const { accountId, platform } = await visited()
    const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId })
    const dispatcher = createDispatcher(platform, routes)
    const ask = async (line: string, body?: unknown) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await dispatcher.handle(
        request(line, { headers: { 'x-api-key': secret, ...type }, body }),
      )
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    const given = { time_zone: 'UTC', weekly: FROM_NINE.weekly, holidays: ['2026-01-01'] }
    const set = await ask('PUT /desk/v1/queues/front%20desk/hours', given)
    const queue = {
      ...{ queue_name: 'front desk', ...given, is_open: false, opens_at: '2026-01-08T09:00:00.000Z' },
    }
    expect(set).toEqual({ status: 200, json: queue })
    expect((await ask('GET /desk/v1/queues')).json).toEqual({ queues: [queue] })
    expect((await ask('PUT /desk/v1/queues/x/hours', { ...given, zone: 'x' })).status).toBe(400)
    expect((await ask('DELETE /desk/v1/queues/front%20desk/hours')).status).toBe(204)
    const again = await ask('DELETE /desk/v1/queues/front%20desk/hours')
    expect(again).toMatchObject({ status: 404, json: { error_code: 'QUEUE_NOT_FOUND' } })
  })
})
