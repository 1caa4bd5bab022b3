import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform } from '../../src/platform.ts'
import { request } from '../support/request.ts'

const ANN = { id: 'ann', name: 'Ann', avatarUrl: '' }
const BEN = { id: 'ben', name: 'Ben', avatarUrl: '' }

const as = (platform: Platform, { id, name }: typeof ANN) => platform.as({ type: 'person', id, name }).desk

const full = (most: number, name = 'Ann') => ({
  code: 'TALKS_LIMIT',
  message: expect.stringContaining(`${name} may talk to ${most} visitors at once`),
})

/** Two processes, and visitors who wait. */
async function waiting(count: number, talksAtOnce = 2) {
  const bench = createDeskBench()
  const [platform, other] = [bench.start({ talksAtOnce }), bench.start({ talksAtOnce })]
  const ids: string[] = []
  let accountId = ''
  for (let at = 0; at < count; at++) {
    const visitor = await bench.waiting(platform)
    accountId = visitor.accountId
    ids.push(handoffOf(visitor))
  }
  const sit = (platform: Platform, one: typeof ANN, talksAtOnce?: number) =>
    as(platform, one).watch(accountId, () => {}, {
      ...{ liveAgentId: one.id, name: one.name },
      ...(talksAtOnce === undefined ? {} : { talksAtOnce }),
    })
  return { ...bench, platform, other, accountId, ids, sit }
}

describe('visitors whom a live agent talks to at once', () => {
  test('DK604 one more than the setting is refused in words, and accepted once a talk has ended', async () => {
    const { accountId, ids, platform } = await waiting(4)
    const [a = '', b = '', c = '', d = ''] = ids
    const ann = as(platform, ANN)
    for (const id of [a, b]) await ann.accept(accountId, id, ANN)
    await expect(ann.accept(accountId, c, ANN)).rejects.toMatchObject(full(2))
    // The visitor still waits, for everyone else.
    expect((await platform.desk.handoff(accountId, c)).status).toBe('waiting')
    await as(platform, BEN).accept(accountId, c, BEN)
    await expect(ann.accept(accountId, c, ANN, { takeOver: true })).rejects.toMatchObject(full(2))
    await ann.leave(accountId, a)
    expect((await ann.accept(accountId, c, ANN, { takeOver: true })).agent?.id).toBe('ann')
    await expect(ann.accept(accountId, d, ANN)).rejects.toMatchObject(full(2))
  })

  test('DK604 of accepts of one person at once, in two processes, as many win as there is room', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { accountId, clock, ids, other, platform } = await waiting(6)
      const outcomes = await Promise.allSettled(
        ids.map((id, at) => as(at % 2 === turn % 2 ? platform : other, ANN).accept(accountId, id, ANN)),
      )
      await clock.settle()
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(full(2))
      for (const process of [platform, other]) {
        expect(await process.desk.handoffs(accountId, 'active')).toHaveLength(2)
        expect(await process.desk.handoffs(accountId, 'waiting')).toHaveLength(4)
      }
    }
  })

  test('DK604 a transfer to a colleague who has no room is refused, also of two at once', async () => {
    const { accountId, clock, ids, other, platform, sit } = await waiting(3)
    await sit(other, BEN, 1)
    await clock.settle()
    const [a = '', b = '', c = ''] = ids
    for (const id of [a, b]) await as(platform, ANN).accept(accountId, id, ANN)
    const transfer = (id: string) => as(platform, ANN).transfer(accountId, id, { liveAgentId: 'ben' })
    const outcomes = await Promise.allSettled([transfer(a), transfer(b)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject(full(1, 'Ben'))
    await expect(as(other, BEN).accept(accountId, c, BEN)).rejects.toMatchObject(full(1, 'Ben'))
    expect((await platform.desk.colleagues(accountId))[0]).toMatchObject({
      id: 'ben',
      talks: 1,
      talksAtOnce: 1,
    })
  })

  test('DK604 a seat says another number, by the library and by the query of the socket; wrong ones are refused', async () => {
    const { accountId, clock, ids, platform, sit } = await waiting(3, 1)
    await sit(platform, ANN, 3)
    await clock.settle()
    for (const id of ids) await as(platform, ANN).accept(accountId, id, ANN)
    const dispatcher = createDispatcher(platform, routes)
    const key = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
    const answer = await dispatcher.handle(
      request('GET /desk/v1/colleagues', { headers: { 'x-api-key': key } }),
    )
    expect(JSON.parse(answer.body ?? 'null')).toMatchObject({
      colleagues: [{ id: 'ann', talks: 3, talks_at_once: 3, skills: [] }],
    })
    for (const talksAtOnce of [0, 1_001, 1.5])
      await expect(sit(platform, BEN, talksAtOnce)).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
      })
  })

  test('DK604 a live agent without a seat is held to the setting, and another system to none', async () => {
    const { accountId, ids, platform } = await waiting(2, 1)
    const [a = '', b = ''] = ids
    await platform.desk.accept(accountId, a, ANN)
    await expect(platform.desk.accept(accountId, b, ANN)).rejects.toMatchObject(full(1))
    expect(await platform.liveAgents.joined(b as `${string}.${number}`, ANN)).toBe(true)
  })
})
