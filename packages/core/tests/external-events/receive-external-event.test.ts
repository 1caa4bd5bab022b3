import { part } from '@colloquy/test-support/library-calls'
import { describe, expect, test } from 'vitest'
import { LIBRARY } from '../../src/domain/audit/audit.ts'
import type { Command } from '../../src/domain/conversation/command.ts'
import { externalEventRoutes } from '../../src/http/routes/external-events.ts'
import type { Platform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { ConversationStore } from '../../src/ports/store/conversations.ts'
import type { ExternalEventStore } from '../../src/ports/store/external-events.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import type { Context } from '../../src/usecases/context.ts'
import type { Engine, Outcome } from '../../src/usecases/conversation/engine/engine.ts'
import { ACCOUNT, AGENT, callBase, partOf, queryValues, request } from '../support/reading-fakes.ts'

const REFUSED = (refusal: 'ended' | 'not_awaited'): Outcome => ({
  status: 'refused',
  refusal,
  state: partOf({}),
})

/** A platform whose store knows the event id E1, and what reached the store, the engine and the host, in order. */
function setUp(outcome: Outcome | Error = REFUSED('not_awaited')) {
  const seen: unknown[] = []
  const kept = new Set<string>()
  const conversations = partOf<ConversationStore>({
    externalEvents: partOf<ExternalEventStore>({
      async accept(event) {
        if (event.eventId !== 'E1' || event.agentId !== AGENT.id || event.accountId !== ACCOUNT.id) {
          return { status: 'unknown' }
        }
        const status = kept.has(event.eventId) ? 'duplicate' : 'accepted'
        kept.add(event.eventId)
        seen.push({
          status,
          body: new TextDecoder().decode(event.body),
          at: event.receivedAt,
          type: event.contentType,
        })
        return { status, conversationId: 'C1' }
      },
    }),
  })
  const engine: Pick<Engine, 'execute'> = {
    async execute(id: string, command: Command) {
      seen.push([id, command])
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
  const settings = partOf<Context['settings']>({
    limits: partOf<Context['settings']['limits']>({
      bodyBytes: resolveSettings({}, silentLog).limits.bodyBytes,
    }),
    onError: error => seen.push(error),
  })
  const context = partOf<Context>({
    store: partOf<Context['store']>({ conversations }),
    clock: { now: () => 77, monotonic: () => 77, schedule: () => () => {} },
    settings,
  })
  const platform = partOf<Platform>({
    closing: new AbortController().signal,
    settings,
    externalEvents: part('externalEvents', { ...context, engine })(LIBRARY),
  })
  const [route] = externalEventRoutes
  const post = (query: string, headers: Record<string, string>, body: string) =>
    route.handle({
      ...callBase,
      platform,
      params: {},
      query: route.query.parse(queryValues(query)),
      body: undefined,
      request: request(query, headers, body),
    })
  return { seen, post, route }
}

const SCOPE = 'account_id=ws-1&project_id=PROJECT-1'
const IN_HEADER = `event_id_location=headers&event_id_path=X-Event&${SCOPE}`
const TEXT = { 'content-type': 'text/plain', 'x-event': 'E1' }
const receipt = (status: string) => ({
  status: 201,
  json: { external_event_id: 'E1', conversation_id: 'C1', status },
})

describe('external events', () => {
  test('EX10 an event is stored byte for byte before its conversation hears of it, then answered', async () => {
    const { post, seen } = setUp()
    expect(await post(IN_HEADER, TEXT, 'paid=yes')).toEqual(receipt('accepted'))
    expect(seen).toEqual([
      { status: 'accepted', body: 'paid=yes', at: 77, type: 'text/plain' },
      ['C1', { type: 'external_event', eventId: 'E1' }],
    ])
  })

  test('EX10 the first event of an id stands; a second one is a duplicate and reaches nobody', async () => {
    const { post, seen } = setUp()
    await post(IN_HEADER, TEXT, 'one')
    expect(await post(IN_HEADER, TEXT, 'two')).toEqual(receipt('duplicate'))
    expect(seen).toHaveLength(3)
  })

  test('EX10 an event for a conversation that has ended is kept and says so', async () => {
    expect(await setUp(REFUSED('ended')).post(IN_HEADER, TEXT, '')).toEqual(receipt('conversation_ended'))
    expect(await setUp({ status: 'missing' }).post(IN_HEADER, TEXT, '')).toEqual(
      receipt('conversation_ended'),
    )
  })

  test('EX10 a failure after the event is stored is told to the host, not to the sender', async () => {
    const error = new Error('locked')
    const { post, seen } = setUp(error)
    expect(await post(IN_HEADER, TEXT, '')).toEqual(receipt('accepted'))
    expect(seen).toContain(error)
  })

  test('EX10 an id that is not there, or not known to this project, is refused', async () => {
    const { post, seen } = setUp()
    await expect(post(IN_HEADER, { 'content-type': 'text/plain' }, '')).rejects.toMatchObject({
      code: 'EXTERNAL_EVENT_ID_NOT_FOUND',
      message: 'External event id not found in request',
    })
    await expect(post(IN_HEADER, { ...TEXT, 'x-event': 'E2' }, '')).rejects.toMatchObject({
      code: 'EXTERNAL_EVENT_ID_INVALID',
      message: 'External event id is not valid',
    })
    expect(seen).toEqual([])
  })

  test('EX10 another content type and a body over the limit are refused', async () => {
    const { post } = setUp()
    for (const type of ['text/xml', 'application/octet-stream', '']) {
      await expect(post(IN_HEADER, { ...TEXT, 'content-type': type }, '')).rejects.toMatchObject({
        code: 'UNSUPPORTED_CONTENT_TYPE',
      })
    }
    await expect(post(IN_HEADER, TEXT, 'x'.repeat(1_048_577))).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
    })
    expect(await post(IN_HEADER, TEXT, 'x'.repeat(1_048_576))).toEqual(receipt('accepted'))
  })

  test('EX10 all four query parameters are required, the location is one of three', () => {
    const { query, scope } = setUp().route
    for (const name of ['event_id_location', 'event_id_path', 'account_id', 'project_id']) {
      const values = queryValues(IN_HEADER)
      delete values[name]
      expect(query.safeParse(values).success, name).toBe(false)
      expect(query.safeParse({ ...values, [name]: '' }).success, name).toBe(false)
    }
    expect(query.safeParse({ ...queryValues(IN_HEADER), event_id_location: 'body' }).success).toBe(false)
    expect(scope?.({ params: {}, readQuery: () => query.parse(queryValues(IN_HEADER)) })).toEqual({
      account: 'ws-1',
      agent: 'PROJECT-1',
    })
  })
})
