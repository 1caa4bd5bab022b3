import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../src/domain/access/person.ts'
import { admitToDesk } from '../../src/http/desk-socket.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { createPeopleDispatcher } from '../../src/http/people-dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { LiveAgentCallbacks } from '../../src/ports/live-agent-callbacks.ts'
import { request } from '../support/request.ts'

const ANN: Person = { id: 'ann', name: 'Ann', roles: ['desk'], avatarUrl: 'https://example.com/ann.png' }
const BOB: Person = { id: 'bob', name: 'Bob', roles: ['desk'] }
const OLA: Person = { id: 'ola', name: 'Ola', roles: ['operator'] }

/** A desk with a visitor, people and keys. */
async function serve(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const platform = bench.start(options)
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  let signedIn: Person | null = null
  const forPeople = createPeopleDispatcher(platform, { authorize: () => signedIn, version: '1' })
  const forKeys = createDispatcher(platform, routes)
  const path = (action: string) => `POST /desk/v1/handoffs/${handoffOf(visitor)}/${action}`
  const answerOf = async (answer: Promise<{ readonly status: number; readonly body?: string | null }>) => {
    const { status, body } = await answer
    await bench.clock.settle()
    return { status, message: String(JSON.parse(body ?? '{}')?.error_message ?? '') }
  }
  const keyOf = async (permissions?: readonly string[]) =>
    (
      await platform.access.createApiKey({
        ...{ kind: 'desk', accountId },
        ...(permissions === undefined ? {} : { permissions }),
      })
    ).secret
  return {
    ...{ ...bench, platform, visitor, accountId, keyOf },
    id: handoffOf(visitor),
    async as(person: Person, action: string, body?: object) {
      signedIn = person
      const headers = { 'x-console': '1', 'x-account': accountId }
      return answerOf(forPeople.handle(request(path(action), { headers, body })))
    },
    watch(person: Person, agentId: string) {
      signedIn = person
      const headers = { 'x-console': '1', 'x-account': accountId }
      return answerOf(forPeople.handle(request(`HEAD /desk/v1/events?agent_id=${agentId}`, { headers })))
    },
    withKey: (key: string, action: string, body?: object) =>
      answerOf(forKeys.handle(request(path(action), { headers: { 'x-api-key': key }, body }))),
    said: () => visitor.texts('LIVE_AGENT_MESSAGE'),
    joined: () =>
      visitor.received
        .filter(({ type }) => type === 'EVENT_TYPE_LIVE_AGENT_JOINED')
        .map(({ payload }) => payload),
    audited: async () =>
      (await platform.audit.list({ limit: 100 })).entries
        .filter(({ action }) => action.startsWith('handoff.'))
        .map(({ action, actor, resource, details }) => [action, actor.type, actor.id, resource.id, details])
        .reverse(),
  }
}

const hello = { text: 'Hello' }

describe('a person', () => {
  test('DK40 is the live agent, without a word in the body or with the own one', async () => {
    const { as, audited, id, joined } = await serve()
    expect((await as(ANN, 'accept')).status).toBe(200)
    expect(joined()).toEqual([
      { agent: { id: 'ann', name: 'Ann', avatar_url: 'https://example.com/ann.png' } },
    ])
    expect(await audited()).toEqual([
      ['handoff.accepted', 'person', 'ann', id, { liveAgent: { id: 'ann', name: 'Ann' } }],
    ])
  })

  test.each([
    ['agent.id', { id: 'ann', name: 'Bob' }],
    ['agent.name', { id: 'bob', name: 'Bank security' }],
    ['agent.avatar_url', { id: 'bob', name: 'Bob', avatar_url: 'https://evil.example/logo.png' }],
  ])('DK40 with another %s is refused in words, and nobody has joined', async (field, agent) => {
    const { as, audited, joined } = await serve()
    const answer = await as(BOB, 'accept', { agent })
    expect(answer.status).toBe(403)
    expect(answer.message).toContain(field)
    expect([joined(), await audited()]).toEqual([[], []])
    expect((await as(BOB, 'accept', { agent: { id: 'bob', name: 'Bob' } })).status).toBe(200)
  })

  test('DK40 watches as nobody else: another person’s handoffs do not count as attended', async () => {
    const { watch } = await serve()
    expect((await watch(BOB, 'bob')).status).toBe(200)
    expect((await watch(BOB, 'ann')).status).toBe(403)
  })

  test('DK40 whom the library names as the caller is bound alike; without a name the id is shown', async () => {
    const { accountId, id, platform } = await serve()
    const bob = platform.as({ type: 'person', id: 'bob' }).desk
    const agent = { id: 'ann', name: 'Ann', avatarUrl: '' }
    await expect(bob.accept(accountId, id, agent)).rejects.toMatchObject({ code: 'USER_ACCESS_FORBIDDEN' })
    const free = bob.accept(accountId, id, agent, { liveAgentIds: null })
    await expect(free).rejects.toMatchObject({ code: 'USER_ACCESS_FORBIDDEN' })
    const own = await bob.accept(accountId, id, { ...agent, id: 'bob', name: 'bob' })
    expect(own.agent).toMatchObject({ id: 'bob', name: 'bob' })
  })
})

describe('a key', () => {
  test('DK40 that names live agents acts as these alone, also where it watches', async () => {
    const { audited, joined, keyOf, platform, withKey } = await serve()
    const key = await keyOf(['live-agent:ann', 'live-agent:cleo'])
    const refused = await withKey(key, 'accept', { agent: { id: 'bob', name: 'Bob' } })
    expect(refused.status).toBe(403)
    expect(refused.message).toContain('Allowed: ann, cleo')
    const watch = (agent_id: string) =>
      admitToDesk(platform, {
        ...{ apiKey: key, host: undefined, remoteAddress: '127.0.0.1', watching: { agent_id } },
      })
    await expect(watch('bob')).rejects.toMatchObject({ code: 'USER_ACCESS_FORBIDDEN' })
    expect((await watch('cleo')).watcher.liveAgentId).toBe('cleo')
    expect(joined()).toEqual([])
    expect((await withKey(key, 'accept', { agent: { id: 'cleo', name: 'Cleo' } })).status).toBe(200)
    expect((await withKey(await keyOf(['live-agent:ann']), 'messages', hello)).status).toBe(403)
    expect((await withKey(key, 'messages', hello)).status).toBe(201)
    const [[action, type, actor, , details] = []] = await audited()
    expect([action, type, details]).toEqual([
      'handoff.accepted',
      'api_key',
      { liveAgent: { id: 'cleo', name: 'Cleo' } },
    ])
    expect(actor).toMatch(/^KEY-/)
  })

  test('DK40 that names none acts as any, and must name one', async () => {
    const { keyOf, withKey } = await serve()
    for (const body of [{}, undefined, { agent: { id: '', name: 'A' } }])
      expect((await withKey(await keyOf(), 'accept', body)).status).toBe(400)
    const accepted = await withKey(await keyOf(['desk']), 'accept', { agent: { id: 'x', name: 'X' } })
    expect(accepted.status).toBe(200)
    expect((await withKey(await keyOf(), 'messages', hello)).status).toBe(201)
  })

  test.each([['live-agent:'], ['live-agent'], [`live-agent:${'x'.repeat(201)}`], ['agents'], ['']])(
    'DK40 is not issued for %j',
    async permission => {
      const { keyOf } = await serve()
      await expect(keyOf([permission])).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    },
  )

  test('DK40 of another kind names no live agents', async () => {
    const { accountId, platform } = await serve()
    const issue = platform.access.createApiKey({
      kind: 'project',
      accountId,
      permissions: ['live-agent:ann'],
    })
    await expect(issue).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  })
})

describe('who has accepted', () => {
  test('DK41 alone writes, types, leaves, returns and transfers: another person and every key are refused, and the visitor hears nothing', async () => {
    const { as, audited, keyOf, said, visitor, withKey } = await serve()
    await as(ANN, 'accept')
    const keys = [await keyOf(), await keyOf(['live-agent:ann'])]
    for (const [action, body] of [
      ['messages', hello],
      ['typing', { state: 'started' }],
      ['leave', undefined],
      ['return', undefined],
      ['transfer', { queue_name: 'reception' }],
    ] as const) {
      const refused = await as(BOB, action, body)
      expect(refused.status).toBe(403)
      expect(refused.message).toContain('accepted by Ann')
      for (const key of keys) expect((await withKey(key, action, body)).status).toBe(403)
    }
    expect([said(), visitor.types().includes('LIVE_AGENT_TYPING')]).toEqual([[], false])
    expect((await as(ANN, 'messages', hello)).status).toBe(201)
    expect((await as(ANN, 'leave')).status).toBe(204)
    expect(said()).toEqual(['Hello'])
    expect((await audited()).map(([action, , actor]) => [action, actor])).toEqual([
      ['handoff.accepted', 'ann'],
      ['handoff.left', 'ann'],
    ])
  })

  test('DK41 an operator ends a talk, which the audit log ascribes to the operator; to write takes taking over', async () => {
    const { as, audited, said } = await serve()
    await as(ANN, 'accept')
    expect((await as(OLA, 'messages', hello)).status).toBe(403)
    expect((await as(OLA, 'leave')).status).toBe(204)
    expect(said()).toEqual([])
    const [, [action, type, actor, , details] = []] = await audited()
    expect([action, type, actor, details]).toEqual([
      'handoff.left',
      'person',
      'ola',
      { liveAgent: { id: 'ann', name: 'Ann' } },
    ])
  })

  test('DK41 DK41 an operator returns a visitor, which the audit log ascribes to the operator', async () => {
    const { as, audited, visitor } = await serve()
    await as(ANN, 'accept')
    expect((await as(OLA, 'return')).status).toBe(204)
    expect(visitor.types().slice(-3)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_START', 'AI_AGENT_JOINED'])
    const [, [action, type, actor, , details] = []] = await audited()
    expect([action, type, actor, details]).toEqual([
      'handoff.returned',
      'person',
      'ola',
      { liveAgent: { id: 'ann', name: 'Ann' } },
    ])
  })

  test('DK41 what the host’s live-agent system has accepted is its own', async () => {
    const system: { callbacks: LiveAgentCallbacks | null } = { callbacks: null }
    const { as, keyOf, id, said, withKey } = await serve({
      liveAgents(callbacks) {
        system.callbacks = callbacks
        const quiet = async () => undefined
        return { request: quiet, forward: quiet, visitorTyping: quiet, cancel: quiet }
      },
    })
    await system.callbacks?.accepted(id)
    await system.callbacks?.joined(id, { id: 'ann', name: 'Ann', avatarUrl: '' })
    expect((await as(ANN, 'messages', hello)).status).toBe(403)
    for (const action of ['leave', 'return']) expect((await as(OLA, action)).status).toBe(403)
    expect((await as(ANN, 'accept', { take_over: true })).status).toBe(403)
    expect((await withKey(await keyOf(), 'messages', hello)).status).toBe(403)
    expect(await system.callbacks?.message(id, { messageId: 'm1', text: 'From the system' })).toBe(true)
    expect(said()).toEqual(['From the system'])
  })

  test('DK41 a refused visitor is in the audit log, with who refused', async () => {
    const { as, audited, id } = await serve()
    expect((await as(BOB, 'reject', { reason: 'closed' })).status).toBe(204)
    expect(await audited()).toEqual([['handoff.rejected', 'person', 'bob', id, {}]])
  })
})

describe('taking over', () => {
  test('DK611 says so: the visitor is told who answers now, the audit log from whom, and the first one has it no more', async () => {
    const { as, audited, id, joined, said } = await serve()
    await as(ANN, 'accept')
    expect((await as(BOB, 'accept')).status).toBe(409)
    expect((await as(BOB, 'accept', { take_over: true })).status).toBe(200)
    expect(joined()).toMatchObject([{ agent: { id: 'ann' } }, { agent: { id: 'bob', name: 'Bob' } }])
    expect((await as(ANN, 'messages', hello)).status).toBe(403)
    expect((await as(BOB, 'messages', { text: 'I am Bob' })).status).toBe(201)
    expect(said()).toEqual(['I am Bob'])
    expect((await audited()).at(-1)).toEqual([
      'handoff.taken_over',
      'person',
      'bob',
      id,
      { liveAgent: { id: 'bob', name: 'Bob' }, from: { id: 'ann', name: 'Ann' } },
    ])
    expect((await as(BOB, 'accept', { take_over: true })).status).toBe(409)
  })

  test('DK611 of many at once each takes it from the one before, and one has it in the end', async () => {
    const { accountId, audited, id, platform } = await serve()
    const take = (name: string) =>
      platform
        .as({ type: 'person', id: name, name })
        .desk.accept(accountId, id, { id: name, name, avatarUrl: '' }, { takeOver: true })
    await Promise.all(['ann', 'bob', 'cleo'].map(take))
    const entries = await audited()
    expect(entries.map(([action]) => action)).toEqual([
      'handoff.accepted',
      'handoff.taken_over',
      'handoff.taken_over',
    ])
    const { agent } = await platform.desk.handoff(accountId, id)
    expect(agent?.id).toBe(entries.at(-1)?.[2])
  })

  test('DK611 the socket of the one before no longer counts as attendance', async () => {
    const { accountId, clock, id, platform, visitor } = await serve()
    const as = (name: string) => platform.as({ type: 'person', id: name, name }).desk
    const agent = (name: string) => ({ id: name, name, avatarUrl: '' })
    const stop = await platform.desk.watch(accountId, () => undefined, { liveAgentId: 'ann' })
    await as('ann').accept(accountId, id, agent('ann'))
    await clock.settle()
    await as('bob').accept(accountId, id, agent('bob'), { takeOver: true })
    await clock.settle()
    stop()
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(60_000)
      await visitor.heartbeat()
    }
    expect((await platform.desk.handoff(accountId, id)).status).toBe('active')
  })
})
