import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { emptyRoster, withAway } from '../../src/domain/conversation/desk-roster.ts'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform } from '../../src/platform.ts'
import { request } from '../support/request.ts'

const ANN = { id: 'ann', name: 'Ann', avatarUrl: '' }
const BEN = { id: 'ben', name: 'Ben', avatarUrl: '' }

/** A person's own calls. */
const as = (platform: Platform, { id, name }: typeof ANN) => platform.as({ type: 'person', id, name }).desk

/** Sits down at the desk; returns who is heard to be away there, and how to leave. */
async function sit(platform: Platform, accountId: string, one: typeof ANN) {
  const heard: string[] = []
  const leave = await as(platform, one).watch(
    accountId,
    event => {
      const frame = deskEventOnWire(event)
      if (frame.type === 'colleague.away') heard.push(`${frame.agent_id} ${frame.away_since ?? 'back'}`)
    },
    { liveAgentId: one.id, name: one.name },
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
  const [ann, ben] = [await sit(platform, accountId, ANN), await sit(other, accountId, BEN)]
  await as(platform, ANN).accept(accountId, id, ANN)
  await bench.clock.settle()
  return { ...bench, platform, other, visitor, accountId, id, ann, ben }
}

const conflict = (words: string) => ({ code: 'HANDOFF_CONFLICT', message: expect.stringContaining(words) })

describe('a live agent who is away', () => {
  test('DK600 colleagues in every process learn it, also later ones, and it outlasts socket and process', async () => {
    const { accountId, ann, ben, clock, other, platform, start } = await talking()
    const since = new Date(clock.now()).toISOString()
    await as(other, BEN).setAway(accountId, 'ben', true)
    await clock.settle()
    expect([ann.heard, ben.heard]).toEqual([[`ben ${since}`], [`ben ${since}`]])
    await clock.advance(1_000)
    // Who is away already stays so since the first time, and nobody is told again.
    await as(other, BEN).setAway(accountId, 'ben', true)
    ben.leave()
    await clock.settle()
    await other.close()
    const again = await sit(start(), accountId, BEN)
    await clock.settle()
    expect([ann.heard, again.heard]).toEqual([[`ben ${since}`], [`ben ${since}`]])
    const colleagues = await platform.desk.colleagues(accountId)
    expect(colleagues.map(({ id, awaySince }) => [id, awaySince])).toEqual([
      ['ann', null],
      ['ben', Date.parse(since)],
    ])
    await as(platform, BEN).setAway(accountId, 'ben', false)
    await clock.settle()
    expect([ann.heard.at(-1), again.heard.at(-1)]).toEqual(['ben back', 'ben back'])
    expect((await platform.desk.colleagues(accountId)).at(-1)?.awaySince).toBeNull()
  })

  test('DK600 they are transferred nobody, neither by name nor by queue, and keep whom they have', async () => {
    const { accountId, clock, id, other, platform, visitor } = await talking()
    await as(other, BEN).setAway(accountId, 'ben', true)
    const transfer = (target: object) => as(platform, ANN).transfer(accountId, id, target)
    await expect(transfer({ liveAgentId: 'ben' })).rejects.toMatchObject(
      conflict('The live agent "ben" is away. No one else is.'),
    )
    await expect(transfer({ queueName: 'sales' })).rejects.toMatchObject(conflict('No other live agent'))
    await as(platform, ANN).setAway(accountId, 'ann', true)
    await as(platform, ANN).send(accountId, id, { text: 'One moment.' })
    await clock.advance(2 * 60_000)
    expect(visitor.texts('LIVE_AGENT_MESSAGE')).toEqual(['One moment.'])
    expect((await platform.desk.handoffs(accountId, 'active')).map(one => one.agent?.id)).toEqual(['ann'])
    await as(other, BEN).setAway(accountId, 'ben', false)
    expect((await transfer({ liveAgentId: 'ben' })).agent?.id).toBe('ben')
  })

  test('DK600 of many who set the same desk away and back at once each is heard, in two processes', async () => {
    const { accountId, clock, other, platform } = await talking()
    const ids = Array.from({ length: 8 }, (_, at) => `agent-${at}`)
    await Promise.all(
      ids.map((id, at) => (at % 2 === 0 ? platform : other).desk.setAway(accountId, id, true)),
    )
    await Promise.all(ids.slice(0, 4).map(id => other.desk.setAway(accountId, id, false)))
    const { heard } = await sit(platform, accountId, ANN)
    await clock.settle()
    expect(heard.map(one => one.split(' ')[0]).sort()).toEqual(ids.slice(4))
  })

  test('DK600 only the live agent, or an operator, sets it: over HTTP with keys', async () => {
    const { accountId, clock, platform } = await talking()
    const permissions = ['live-agent:ann']
    const bound = (await platform.access.createApiKey({ kind: 'desk', accountId, permissions })).secret
    const free = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
    const dispatcher = createDispatcher(platform, routes)
    const put = async (key: string, id: string, body: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const answer = await dispatcher.handle(request(`PATCH /desk/v1/colleagues/${id}`, { headers, body }))
      await clock.settle()
      return [answer.status, JSON.parse(answer.body ?? '{}').error_code]
    }
    expect(await put(bound, 'ben', { away: true })).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
    expect(await put(bound, 'ann', { away: true })).toEqual([204, undefined])
    expect(await put(free, 'ben', { away: true })).toEqual([204, undefined])
    for (const body of [{}, { away: 'yes' }])
      expect(await put(free, 'ben', body)).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    await expect(as(platform, ANN).setAway(accountId, 'ben', false)).rejects.toMatchObject({
      code: 'USER_ACCESS_FORBIDDEN',
    })
    await as(platform, ANN).setAway(accountId, 'ben', false, { isOperator: true })
    expect((await platform.desk.colleagues(accountId)).map(({ awaySince }) => awaySince === null)).toEqual([
      false,
      true,
    ])
  })

  test('DK600 an account remembers the newest 1,000, and an unchanged roster is the same one', () => {
    let roster = emptyRoster('ws-1')
    for (let at = 0; at < 1_003; at++) roster = withAway(roster, `a-${at}`, at)
    expect([roster.away.length, roster.away[0]?.liveAgentId]).toEqual([1_000, 'a-3'])
    expect(withAway(roster, 'a-3', 9_999)).toBe(roster)
    expect(withAway(roster, 'nobody', null)).toBe(roster)
    expect(withAway(roster, 'a-3', null).away[0]?.liveAgentId).toBe('a-4')
  })
})
