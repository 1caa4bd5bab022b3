import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import type { Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import type { HandoffId } from '../../src/domain/ids.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { LiveAgentCallbacks } from '../../src/ports/live-agent-callbacks.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'a1', name: 'Ada', avatar_url: 'https://example.com/ada.png' }

/** A desk over HTTP, with a key of the visitors' account and one of another. */
async function serve(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const platform = bench.start(options)
  const visitor = await bench.waiting(platform)
  const dispatcher = createDispatcher(platform, routes)
  const other = await platform.access.createAccount({ slug: 'other', name: 'Other' })
  const secretOf = async (accountId: string) =>
    (await platform.access.createApiKey({ kind: 'desk', accountId })).secret
  const [own, foreign] = [await secretOf(visitor.accountId), await secretOf(other.id)]
  const callAs = async (key: string, line: string, body?: unknown) => {
    const headers = {
      'x-api-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await dispatcher.handle(request(line, { headers, body }))
    await bench.clock.settle()
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  const call = (line: string, body?: unknown) => callAs(own, line, body)
  return {
    ...bench,
    ...{ platform, visitor, call, callAs, foreign },
    /** `POST /desk/v1/handoffs/<the visitor's>/<action>` */
    act: (action: string, body?: unknown, of: Visitor = visitor) =>
      call(`POST /desk/v1/handoffs/${handoffOf(of)}/${action}`, body),
    read: (of: Visitor = visitor) => call(`GET /desk/v1/handoffs/${handoffOf(of)}`),
  }
}

const events = (visitor: Visitor, type: string) =>
  visitor.received.filter(event => event.type === `EVENT_TYPE_${type}`).map(({ payload }) => payload)

describe('reading the desk', () => {
  test('DK19 the list holds what waits or is active, oldest first, with places', async () => {
    const { call, act, clock, waiting, platform, visitor } = await serve()
    await clock.advance(1_000)
    const second = await waiting(platform)
    const shown = (of: Visitor, since: string) => ({
      handoff_id: handoffOf(of),
      session_id: of.id,
      queue_name: 'reception',
      reason: 'asked',
      destination: 'reception',
      waiting_since: since,
      can_return: true,
    })
    const said = (at: string) => ({ last_line: { text: 'person', at } })
    const [first, later] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z']
    const waitingOnes = {
      handoffs: [
        { ...shown(visitor, first), ...said(first), status: 'waiting', position_in_queue: 1 },
        { ...shown(second, later), ...said(later), status: 'waiting', position_in_queue: 2 },
      ],
    }
    expect(await call('GET /desk/v1/handoffs')).toEqual({ status: 200, json: waitingOnes })
    expect(await call('GET /desk/v1/handoffs?status=waiting')).toEqual({ status: 200, json: waitingOnes })
    expect((await call('GET /desk/v1/handoffs?status=active')).json).toEqual({ handoffs: [] })
    await act('accept', { agent: ADA })
    expect((await call('GET /desk/v1/handoffs?status=active')).json).toEqual({
      handoffs: [{ ...shown(visitor, first), status: 'active', position_in_queue: null, agent: ADA }],
    })
    expect((await call('GET /desk/v1/handoffs')).json).toEqual({
      handoffs: [{ ...shown(second, later), ...said(later), status: 'waiting', position_in_queue: 1 }],
    })
  })

  test.each(['over', '', 'Waiting', 'waiting&status=active'])('DK19 status=%s is 400', async status => {
    const { call } = await serve()
    const { status: code, json } = await call(`GET /desk/v1/handoffs?status=${status}`)
    expect([code, json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    expect(json.error_message).toContain('"status"')
  })

  test('DK19 one handoff is read with everything that was said, and so it is when accepted', async () => {
    const { visitor, act, read } = await serve()
    await visitor.say('It is urgent')
    const at = '2026-01-01T00:00:00.000Z'
    const transcript = [
      { from: 'ai_agent', text: 'Welcome.', at },
      { from: 'visitor', text: 'person', at },
      { from: 'ai_agent', text: 'One moment.', at },
      { from: 'visitor', text: 'It is urgent', at },
    ]
    expect((await read()).json).toMatchObject({ status: 'waiting', position_in_queue: 1, transcript })
    const accepted = await act('accept', { agent: ADA })
    expect(accepted).toMatchObject({ status: 200, json: { status: 'active', agent: ADA, transcript } })
    await act('messages', { text: 'Ada here' })
    const later = await read()
    expect(later.json.transcript.slice(4)).toEqual([
      { from: 'live_agent', text: 'Ada here', at, agent: { id: 'a1', name: 'Ada' } },
    ])
    await act('leave')
    expect((await read()).json).toMatchObject({ status: 'over', position_in_queue: null, agent: ADA })
  })

  test.each(['nonsense', 'x.1', '.1', '.', '%20'])('DK19 there is no handoff %s', async id => {
    const { call } = await serve()
    for (const line of [`GET /desk/v1/handoffs/${id}`, `POST /desk/v1/handoffs/${id}/leave`]) {
      const { status, json } = await call(line)
      expect([status, json.error_code]).toEqual([404, 'HANDOFF_NOT_FOUND'])
    }
  })

  test("DK19 another account's handoff, and one that a conversation has not had, are not there", async () => {
    const { callAs, call, foreign, visitor } = await serve()
    const path = `/desk/v1/handoffs/${handoffOf(visitor)}`
    const actions = [
      ['accept', { agent: ADA }],
      ['typing', { state: 'started' }],
      ['messages', { text: 'Hello' }],
      ['leave', undefined],
      ['return', undefined],
      ['reject', {}],
    ] as const
    for (const [action, body] of actions) {
      expect((await callAs(foreign, `POST ${path}/${action}`, body)).status).toBe(404)
      const future = `/desk/v1/handoffs/${handoffOf(visitor, 2)}`
      expect((await call(`POST ${future}/${action}`, body)).status).toBe(404)
    }
    expect((await callAs(foreign, `GET ${path}`)).json.error_code).toBe('HANDOFF_NOT_FOUND')
    expect((await callAs(foreign, 'GET /desk/v1/handoffs')).json).toEqual({ handoffs: [] })
    expect(visitor.types().at(-1)).toBe('HANDOFF_QUEUE_STATUS')
  })
})

describe('taking a visitor', () => {
  test('DK19 of many who accept at once over two processes, one wins', async () => {
    const { start, platform, visitor } = await serve()
    const platforms = [platform, start()]
    const attempts = Array.from({ length: 20 }, (_, index) =>
      platforms[index % 2]?.desk.accept(visitor.accountId, handoffOf(visitor), {
        id: `a${index}`,
        name: `Agent ${index}`,
        avatarUrl: '',
      }),
    )
    const results = await Promise.allSettled(attempts)
    const winners = results.filter(({ status }) => status === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'HANDOFF_CONFLICT' })
    expect(events(visitor, 'LIVE_AGENT_JOINED')).toHaveLength(1)
  })

  test("DK19 the winner's own repetition is 409 too, and who has the visitor can be read", async () => {
    const { act, read } = await serve()
    expect((await act('accept', { agent: ADA })).status).toBe(200)
    const again = await act('accept', { agent: ADA })
    expect([again.status, again.json.error_code]).toEqual([409, 'HANDOFF_CONFLICT'])
    expect(again.json.error_message).toContain('accepted by Ada')
    expect((await read()).json.agent).toEqual(ADA)
  })

  test.each([
    [{}, '"agent" is required'],
    [{ agent: { id: 'a1' } }, '"agent.name" is required'],
    [{ agent: { id: '', name: 'Ada' } }, '"agent.id"'],
    [{ agent: { id: 'a'.repeat(201), name: 'Ada' } }, '"agent.id"'],
    [{ agent: { id: 1, name: 'Ada' } }, '"agent.id"'],
  ])('DK19 accept refuses %j with 400', async (body, named) => {
    const { act, read } = await serve()
    const { status, json } = await act('accept', body)
    expect(status).toBe(400)
    expect(json.error_message).toContain(named)
    expect((await read()).json.status).toBe('waiting')
  })

  test('DK19 what a handoff does not allow now is 409 and says what it does allow', async () => {
    const { act, visitor } = await serve()
    const refused = async (action: string, body: unknown, words: string) => {
      const { status, json } = await act(action, body)
      expect([status, json.error_code]).toEqual([409, 'HANDOFF_CONFLICT'])
      expect(json.error_message).toContain(words)
    }
    await refused('messages', { text: 'Hello' }, 'The handoff waits: accept it before')
    await refused('typing', { state: 'started' }, 'The handoff waits')
    await refused('leave', undefined, 'The handoff waits')
    await refused('return', undefined, 'The handoff waits')
    await act('accept', { agent: ADA })
    await refused('reject', {}, 'It can no longer be accepted or rejected')
    await act('leave')
    await refused('leave', undefined, 'The handoff is over')
    await refused('return', undefined, 'The handoff is over')
    await refused('accept', { agent: ADA }, 'The handoff is over')
    expect(visitor.types().slice(-2)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_END'])
  })

  test('DK19 an earlier handoff of a conversation is over, also when another one waits', async () => {
    const { act, visitor, call } = await serve()
    await act('reject', { reason: 'closed' })
    await visitor.say('hello')
    await visitor.say('person')
    const { status, json } = await act('accept', { agent: ADA })
    expect([status, json.error_message]).toEqual([409, 'The handoff is over.'])
    const second = `POST /desk/v1/handoffs/${handoffOf(visitor, 2)}/accept`
    expect((await call(second, { agent: ADA })).status).toBe(200)
  })
})

describe('talking to a visitor', () => {
  test('DK21 a message reaches the visitor whole, with its attachments', async () => {
    const { act, visitor } = await serve()
    await act('accept', { agent: ADA })
    const attachments = [
      { title: 'Map', content_url: 'https://example.com/map', call_to_action_text: 'Open' },
      {
        content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE',
        content_url: 'http://example.com/a.png',
        preview_image_url: 'https://example.com/a-small.png',
      },
    ]
    const actions = {
      chat_call_actions: [{ title: 'Call us', contact_number: '+44 20 7946 0018' }],
      response_suggestions: [{ message_text: 'Book', payload: 'book' }, { message_text: 'Later' }],
    }
    const sent = await act('messages', { text: 'Grüß dich 👋', attachments, ...actions })
    expect(sent).toEqual({ status: 201, json: { message_id: expect.any(String) } })
    expect(events(visitor, 'LIVE_AGENT_MESSAGE')).toEqual([
      {
        message_id: sent.json.message_id,
        text: 'Grüß dich 👋',
        agent_id: 'a1',
        agent_name: 'Ada',
        avatar_url: ADA.avatar_url,
        ...actions,
        attachments: [
          {
            title: 'Map',
            content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
            content_url: 'https://example.com/map',
            preview_image_url: '',
            call_to_action_text: 'Open',
          },
          {
            title: '',
            content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE',
            content_url: 'http://example.com/a.png',
            preview_image_url: 'https://example.com/a-small.png',
            call_to_action_text: '',
          },
        ],
      },
    ])
    expect((await act('messages', { attachments: attachments.slice(0, 1) })).status).toBe(201)
  })

  const link = { content_url: 'https://example.com' }
  test.each([
    [{}, 'expected a text, attachments, call actions, files, or several of them'],
    [{ text: '' }, 'expected a text, attachments, call actions, files, or several of them'],
    [{ chat_call_actions: [{ title: 'Call us' }] }, '"chat_call_actions.0.contact_number"'],
    [
      { text: 'x', response_suggestions: [{ message_text: 'x', payload: 5 }] },
      '"response_suggestions.0.payload"',
    ],
    [{ text: 5 }, '"text"'],
    [{ text: 'x'.repeat(101) }, '"text"'],
    [{ text: 'x', attachments: 'y' }, '"attachments"'],
    [{ text: 'x', attachments: Array(21).fill(link) }, '"attachments"'],
    [{ text: 'x', attachments: [{}] }, '"attachments.0.content_url" is required'],
    [{ text: 'x', attachments: [{ content_url: 'javascript:alert(1)' }] }, 'begins with https:// or http://'],
    [{ text: 'x', attachments: [{ content_url: '/map' }] }, 'begins with https:// or http://'],
    [{ text: 'x', attachments: [{ ...link, content_type: 'PDF' }] }, '"attachments.0.content_type"'],
    [{ text: 'x', message_id: '' }, '"message_id"'],
    [{ text: 'x', message_id: 'a b' }, '"message_id"'],
    [{ text: 'x', message_id: 'a'.repeat(129) }, '"message_id"'],
  ])('DK21 messages refuses %j with 400, and nothing is said', async (body, named) => {
    const { act, visitor } = await serve({ limits: { replyLength: 100 } })
    await act('accept', { agent: ADA })
    const { status, json } = await act('messages', body)
    expect([status, json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    expect(json.error_message).toContain(named)
    expect(events(visitor, 'LIVE_AGENT_MESSAGE')).toEqual([])
    expect((await act('messages', { text: 'x'.repeat(100) })).status).toBe(201)
  })

  test('DK19 a message with an id of its own is said once, however often it is sent', async () => {
    const { act, visitor, start } = await serve()
    await act('accept', { agent: ADA })
    const message = { text: 'Once', message_id: 'ada:1' }
    for (let count = 0; count < 3; count++)
      expect(await act('messages', message)).toEqual({ status: 201, json: { message_id: 'ada:1' } })
    const other = start()
    const say = (text: string) =>
      other.desk.send(visitor.accountId, handoffOf(visitor), { text, messageId: 'ada:1' })
    expect(await say('Once')).toEqual({ messageId: 'ada:1' })
    await expect(say('Another text')).rejects.toMatchObject({ code: 'HANDOFF_CONFLICT' })
    await visitor.heartbeat()
    expect(events(visitor, 'LIVE_AGENT_MESSAGE').map(({ message_id, text }) => [message_id, text])).toEqual([
      ['ada:1', 'Once'],
    ])
    expect((await act('messages', { text: 'Twice', message_id: 'ada:2' })).status).toBe(201)
    expect(visitor.texts('LIVE_AGENT_MESSAGE')).toEqual(['Once', 'Twice'])
  })

  test('DK19 many repetitions at once are one message', async () => {
    const { act, visitor, start, platform } = await serve()
    await act('accept', { agent: ADA })
    const desks = [platform.desk, start().desk]
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        desks[index % 2]?.send(visitor.accountId, handoffOf(visitor), { text: 'Once', messageId: 'm' }),
      ),
    )
    expect(new Set(sent.map(one => one?.messageId))).toEqual(new Set(['m']))
    await visitor.heartbeat()
    expect(visitor.texts('LIVE_AGENT_MESSAGE')).toEqual(['Once'])
  })

  test('DK19 the repetition is answered alike when the handoff is over meanwhile; a new message is not', async () => {
    const { act, visitor } = await serve()
    await act('accept', { agent: ADA })
    await act('messages', { text: 'Bye', message_id: 'last' })
    await visitor.end()
    expect(await act('messages', { text: 'Bye', message_id: 'last' })).toEqual({
      status: 201,
      json: { message_id: 'last' },
    })
    expect((await act('messages', { text: 'Late', message_id: 'later' })).status).toBe(409)
    expect((await act('messages', { text: 'Late' })).status).toBe(409)
    expect(visitor.texts('LIVE_AGENT_MESSAGE')).toEqual(['Bye'])
  })

  test("DK19 an id that looks like one of the visitor's client is another one", async () => {
    const { act, visitor, platform } = await serve()
    await act('accept', { agent: ADA })
    await visitor.say('Hello', 'live:1')
    expect((await act('messages', { text: 'Answer', message_id: '1' })).status).toBe(201)
    const message = { messageId: '1', text: 'Answer' }
    expect(await platform.liveAgents.message(handoffOf(visitor), message)).toBe(true)
    expect(visitor.texts('LIVE_AGENT_MESSAGE')).toEqual(['Answer'])
  })

  const UNFIT_REPORTS: readonly [
    string,
    (callbacks: LiveAgentCallbacks, id: HandoffId) => Promise<boolean>,
  ][] = [
    ['expected a text', (callbacks, id) => callbacks.message(id, { messageId: '1', text: '' })],
    ['"messageId"', (callbacks, id) => callbacks.message(id, { messageId: '', text: 'Hi' })],
    ['"text"', (callbacks, id) => callbacks.message(id, { messageId: '1', text: 'x'.repeat(101) })],
    [
      '"attachments.0.content_url"',
      (callbacks, id) =>
        callbacks.message(id, { messageId: '1', text: 'Hi', attachments: [{ title: 'Map' }] }),
    ],
    ['"id"', (callbacks, id) => callbacks.joined(id, { id: '', name: 'Ada', avatarUrl: '' })],
    [
      '"position"',
      (callbacks, id) => callbacks.queueStatus(id, { position: 1.5, estimatedWaitSeconds: null }),
    ],
    [
      '"estimatedWaitSeconds"',
      (callbacks, id) => callbacks.queueStatus(id, { position: 1, estimatedWaitSeconds: Number.NaN }),
    ],
  ]
  test.each(UNFIT_REPORTS)(
    'DK21 a report whose %s does not fit is rejected, and changes nothing',
    async (named, report) => {
      const { act, visitor, platform } = await serve({ limits: { replyLength: 100 } })
      if (!/position|estimated|"id"/.test(named)) await act('accept', { agent: ADA })
      const before = visitor.types()
      await expect(report(platform.liveAgents, handoffOf(visitor))).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
        message: expect.stringContaining(named),
      })
      await visitor.heartbeat()
      expect(visitor.types().slice(before.length)).toEqual(['HEARTBEAT'])
    },
  )

  const UNFIT_PICTURES = [
    'ada.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    'file:///etc/passwd',
    ' ',
    'https://',
    `https://example.com/${'a'.repeat(2_029)}`,
  ]
  test.each(UNFIT_PICTURES)(
    'DK21 the picture %s is refused from the desk and from another system, and nobody has joined',
    async picture => {
      const { act, visitor, platform } = await serve()
      const refused = await act('accept', { agent: { ...ADA, avatar_url: picture } })
      expect([refused.status, refused.json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
      expect(refused.json.error_message).toContain('avatar_url')
      const joined = platform.liveAgents.joined(handoffOf(visitor), {
        id: 'a1',
        name: 'Ada',
        avatarUrl: picture,
      })
      await expect(joined).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
        message: expect.stringContaining('avatarUrl'),
      })
      expect(visitor.types()).not.toContain('LIVE_AGENT_JOINED')
    },
  )

  test.each(['', 'http://example.com/a.png', `https://example.com/${'a'.repeat(2_028)}`])(
    'DK21 the picture %s reaches the visitor as it is',
    async picture => {
      const { act, visitor } = await serve()
      expect((await act('accept', { agent: { ...ADA, avatar_url: picture } })).status).toBe(200)
      expect(events(visitor, 'LIVE_AGENT_JOINED')).toEqual([{ agent: { ...ADA, avatar_url: picture } }])
    },
  )

  test('DK21 typing reaches the visitor in both spellings, and is not kept', async () => {
    const { act, visitor, platform } = await serve()
    await act('accept', { agent: ADA })
    for (const state of ['started', 'TYPING_STATE_STOPPED'])
      expect((await act('typing', { state })).status).toBe(204)
    expect(events(visitor, 'LIVE_AGENT_TYPING')).toEqual([
      { state: 'TYPING_STATE_STARTED', agent_id: 'a1' },
      { state: 'TYPING_STATE_STOPPED', agent_id: 'a1' },
    ])
    const again = await visitor.reconnect(platform)
    expect(events(again, 'LIVE_AGENT_TYPING')).toEqual([])
    for (const body of [{}, { state: 'paused' }]) expect((await act('typing', body)).status).toBe(400)
  })

  test('DK21 leaving ends the session', async () => {
    const { act, visitor } = await serve()
    await act('accept', { agent: ADA })
    expect((await act('leave')).status).toBe(204)
    expect(visitor.received.slice(-2).map(({ type, payload }) => [type, payload])).toEqual([
      ['EVENT_TYPE_LIVE_AGENT_LEFT', {}],
      ['EVENT_TYPE_SESSION_END', { reason: 'REASON_NATURAL_END' }],
    ])
  })

  test('DK21 rejecting fails the handoff with the reason, and the agent goes on', async () => {
    const { act, visitor, waiting, platform } = await serve()
    expect((await act('reject', { reason: 'Closed today' })).status).toBe(204)
    expect(events(visitor, 'HANDOFF_FAILED')).toEqual([{ reason: 'Closed today' }])
    await visitor.say('hello')
    expect(visitor.texts('AI_AGENT_MESSAGE').at(-1)).toBe('Certainly.')
    const second = await waiting(platform)
    expect((await act('reject', undefined, second)).status).toBe(204)
    expect(events(second, 'HANDOFF_FAILED')).toEqual([{}])
    const third = await waiting(platform)
    expect((await act('reject', { reason: 'x'.repeat(501) }, third)).status).toBe(400)
  })
})
