import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform } from '../../src/platform.ts'
import { request } from '../support/request.ts'

const SECOND = 1_000
const ANN = { id: 'ann', name: 'Ann', avatarUrl: '' }
const BEN = { id: 'ben', name: 'Ben', avatarUrl: '' }

const as = (platform: Platform, { id, name }: typeof ANN) => platform.as({ type: 'person', id, name }).desk

/** A day at the desk, in two processes, with a visitor for each way in which a wait ends. */
async function day() {
  const bench = createDeskBench()
  const [platform, other] = [bench.start(), bench.start()]
  const from = bench.clock.now()
  const { clock } = bench
  // Answered after 10 s by Ann, who gives the visitor to Ben after 60 s; Ben leaves after 30 s.
  const first = await bench.waiting(platform)
  const { accountId } = first
  await as(other, BEN).watch(accountId, () => {}, { liveAgentId: 'ben', name: 'Ben' })
  await clock.advance(10 * SECOND)
  await as(platform, ANN).accept(accountId, handoffOf(first), ANN)
  await clock.advance(60 * SECOND)
  await as(platform, ANN).transfer(accountId, handoffOf(first), { liveAgentId: 'ben' })
  await clock.advance(30 * SECOND)
  await as(other, BEN).leave(accountId, handoffOf(first))
  // Leaves after 20 s without an answer.
  const second = await bench.waiting(other)
  await clock.advance(20 * SECOND)
  await second.end()
  // Rejected after 5 s.
  const third = await bench.waiting(other)
  await clock.advance(5 * SECOND)
  await platform.desk.reject(accountId, handoffOf(third), 'busy')
  // Answered after 90 s by Ann, and returned at once into the queue sales, where Ben answers after 40 s.
  const fourth = await bench.waiting(platform)
  await clock.advance(90 * SECOND)
  await as(platform, ANN).accept(accountId, handoffOf(fourth), ANN)
  await clock.advance(20 * SECOND)
  await as(platform, ANN).transfer(accountId, handoffOf(fourth), { queueName: 'sales' })
  await clock.advance(40 * SECOND)
  await as(other, BEN).accept(accountId, handoffOf(fourth, 2), BEN)
  await clock.settle()
  return { ...bench, platform, other, accountId, from, first, fourth }
}

const NOBODY = { answered: 0, abandoned: 0, unanswered: 0, handled: 0 }

describe('figures of the desk', () => {
  test('DK620 waits, answers, those who left and talks, by queue and live agent, the same in every process', async () => {
    const { accountId, clock, from, other, platform } = await day()
    const span = { from, to: clock.now() + 1 }
    const report = await platform.desk.figures(accountId, span)
    expect(report.all).toEqual({
      ...{ answered: 3, answeredWithin: 2, abandoned: 1, unanswered: 1 },
      ...{ medianWait: 40 * SECOND, longestWait: 90 * SECOND },
      ...{ handled: 3, medianHandling: 30 * SECOND, totalHandling: 110 * SECOND, declined: 0 },
    })
    expect(report.queues).toMatchObject([
      { queueName: 'reception', answered: 2, answeredWithin: 1, abandoned: 1, unanswered: 1, handled: 3 },
      { queueName: 'sales', answered: 1, answeredWithin: 1, medianWait: 40 * SECOND, handled: 0 },
    ])
    expect(report.liveAgents).toMatchObject([
      { liveAgent: { id: 'ann', name: 'Ann' }, answered: 2, handled: 2, totalHandling: 80 * SECOND },
      { liveAgent: { id: 'ben', name: 'Ben' }, answered: 1, handled: 1, medianHandling: 30 * SECOND },
    ])
    expect(report.times).toMatchObject([
      { ...NOBODY, answered: 3, abandoned: 1, unanswered: 1, handled: 3, from },
    ])
    expect(await other.desk.figures(accountId, span)).toEqual(report)
    const quick = await platform.desk.figures(accountId, { ...span, answeredWithin: 10 })
    expect(quick.all.answeredWithin).toBe(1)
  })

  test('DK620 the span is half open, of its own account, and at most 92 days; figures go with their conversation', async () => {
    const { accountId, clock, first, from, platform } = await day()
    const all = async (span: object) =>
      (await platform.desk.figures(accountId, { from, to: clock.now() + 1, ...span })).all
    const answeredAt = from + 10 * SECOND
    expect((await all({ to: answeredAt })).answered).toBe(0)
    expect((await all({ to: answeredAt + 1 })).answered).toBe(1)
    expect((await all({ from: answeredAt + 1 })).answered).toBe(2)
    const { id } = await platform.access.createAccount({ slug: 'other', name: 'Other' })
    expect((await platform.desk.figures(id, { from, to: clock.now() + 1 })).all).toMatchObject(NOBODY)
    for (const wrong of [{ to: from }, { to: from + 93 * 86_400_000 }, { answeredWithin: 0 }, { from: -1 }])
      await expect(all(wrong)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    // The first visitor's session has ended; it is removed once nothing of it is left to do.
    await clock.advance(60 * SECOND)
    await platform.conversations.remove(accountId, first.agentId, first.id)
    expect(await all({})).toMatchObject({ answered: 2, handled: 1 })
  })

  test('DK620 of more outcomes than the setting the newest count, and the report says from when', async () => {
    const { accountId, clock, from, start } = await day()
    const few = start({ deskFigures: 3 })
    const report = await few.desk.figures(accountId, { from, to: clock.now() + 1 })
    expect(report.from).toBeGreaterThan(from)
    expect(
      report.all.answered + report.all.abandoned + report.all.unanswered + report.all.handled,
    ).toBeLessThanOrEqual(3)
    expect(report.all).toMatchObject({ answered: 1, handled: 1 })
  })

  test('RO10 the figures of a side are of visitors whose newest turn it gave; the sides make up all', async () => {
    const bench = await day()
    const { accountId, clock, first, from, platform } = bench
    const { live: base } = await platform.agents.activeDeployments(first.agentId)
    const branch = await platform.agents.createBranch(first.agentId, { branchName: 'Other' })
    await platform.agents.updateBehavior(first.agentId, branch.id, 'Be brief.')
    const { deployment } = await platform.agents.merge(first.agentId, branch.id)
    const live = await platform.agents.promote(first.agentId, deployment.id, { targetEnvironment: 'live' })
    const fifth = await bench.waiting(platform)
    await clock.advance(3 * SECOND)
    await as(platform, ANN).accept(accountId, handoffOf(fifth), ANN)
    await clock.settle()
    const key = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
    const [since, until] = [from, clock.now() + 1].map(at => new Date(at).toISOString())
    const of = async (deployment?: string) => {
      const side = deployment === undefined ? '' : `&deployment_id=${deployment}`
      const line = `GET /desk/v1/figures?from=${since}&to=${until}${side}`
      const answer = await createDispatcher(platform, routes).handle(
        request(line, { headers: { 'x-api-key': key } }),
      )
      return JSON.parse(answer.body ?? 'null').all
    }
    expect(await of()).toMatchObject({ answered: 4, abandoned: 1, unanswered: 1, handled: 3 })
    expect(await of(base?.id)).toMatchObject({ answered: 3, abandoned: 1, unanswered: 1, handled: 3 })
    expect(await of(live.id)).toMatchObject({ ...NOBODY, answered: 1, longest_wait_seconds: 3 })
    expect(await of('DEPLOYMENT-NONE')).toMatchObject(NOBODY)
  })

  test('DK620 over HTTP: seconds and times, and a query that is refused', async () => {
    const { accountId, clock, from, platform } = await day()
    const key = (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
    const dispatcher = createDispatcher(platform, routes)
    const iso = (at: number) => new Date(at).toISOString()
    const get = async (query: string) => {
      const answer = await dispatcher.handle(
        request(`GET /desk/v1/figures?${query}`, { headers: { 'x-api-key': key } }),
      )
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    const { json, status } = await get(`from=${iso(from)}&to=${iso(clock.now() + 1)}&answered_within=30`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      from: iso(from),
      all: {
        ...{ answered: 3, answered_within: 1, abandoned: 1, unanswered: 1, handled: 3 },
        ...{ median_wait_seconds: 40, longest_wait_seconds: 90 },
        ...{ median_handling_seconds: 30, total_handling_seconds: 110 },
      },
      live_agents: [{ id: 'ann' }, { id: 'ben' }],
      queues: [{ queue_name: 'reception' }, { queue_name: 'sales' }],
    })
    for (const query of ['', 'from=2026-01-01', 'from=x&to=y', `from=${iso(from)}&to=${iso(from)}`])
      expect((await get(query)).status).toBe(400)
  })
})
