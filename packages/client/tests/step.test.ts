import { expect, test } from 'vitest'
import { createEventNames, EVENT_TYPES } from '../../core/src/protocol/event-names.ts'
import { READERS } from '../src/messaging/events.ts'
import { readFrame, wireName } from '../src/messaging/frames.ts'
import { browserStorage, memoryStorage } from '../src/messaging/index.ts'
import { show } from '../src/messaging/show.ts'
import type { Effect, Input, Inputs, InputType, State } from '../src/messaging/state.ts'
import { initialState, step } from '../src/messaging/step.ts'
import { createKeeper, findStored } from '../src/messaging/storage.ts'

const HOUR = 3_600_000
const TOKEN = { value: 't', issuedAt: 0, expiresAt: 24 * HOUR }

/** A client that is led by hand. */
function lead(
  online = true,
  session: { readonly id: string; readonly token: typeof TOKEN } | null = null,
  verifies = false,
  streams = false,
) {
  let state: State = initialState({ brand: 'AI', joins: true, maxAttempts: 5, verifies, streams }, online)
  let effects: readonly Effect[] = []
  const lead = {
    now: 0,
    get state(): State {
      return state
    },
    feed<Type extends InputType>(type: Type, input: Omit<Inputs[Type], 'attempt'>): readonly Effect[] {
      const { attempt } = state
      const stepped = step(state, { type, now: lead.now, attempt, ...input } as unknown as Input)
      state = stepped.state
      effects = stepped.effects
      return effects
    },
    frame: (type: string, payload: object = {}, sequence: number | null = null, id = '') =>
      lead.feed('frame', {
        json: JSON.stringify({
          type: `EVENT_TYPE_${type}`,
          sequence,
          payload,
          metadata: { custom: { client_event_id: id } },
        }),
      }),
    /** To the first batch, in which the agent has joined. */
    open() {
      lead.feed('start', { session, pending: [] })
      if (session === null) {
        lead.feed('token', { token: TOKEN })
        lead.feed('session', { id: 's' })
      }
      lead.frame('EVENT_BATCH', {
        events: [
          { type: 'EVENT_TYPE_SESSION_START', sequence: 1, payload: {} },
          { type: 'EVENT_TYPE_AI_AGENT_JOINED', sequence: 2, payload: {} },
        ],
      })
      expect(state.phase).toBe('ready')
    },
    close: (code: number) => lead.feed('closed', { code, refusal: null }),
    wait: () => effects.flatMap(one => (one.type === 'set timer' && one.name === 'retry' ? [one] : []))[0],
    types: () => effects.map(({ type }) => type),
    frames: () => effects.flatMap(one => (one.type === 'transmit' ? [JSON.parse(one.frame)] : [])),
  }
  return lead
}

test('VC5 pauses double, and honour codes and Retry-After; after five failures the client says so, and tries on', () => {
  const client = lead()
  client.open()
  const pauses = [1006, 1006, 1006, 1006].map(code => {
    client.close(code)
    const wait = client.wait()
    client.feed('timer', { name: 'retry' })
    if (client.state.phase === 'asking') client.feed('found', {})
    return [wait?.min, wait?.max]
  })
  expect(pauses.slice(0, 3)).toEqual([
    [250, 500],
    [500, 1_000],
    [1_000, 2_000],
  ])
  client.close(1006)
  client.feed('timer', { name: 'retry' })
  client.feed('found', {})
  for (let more = 0; more < 20; more++) {
    client.close(1006)
    expect(show(client.state).status).toBe('lost')
    expect(client.wait()?.max).toBeLessThanOrEqual(30_000)
    client.feed('timer', { name: 'retry' })
    expect(show(client.state).status).toBe('lost')
    client.feed('found', {})
  }
  client.close(1006)
  client.feed('say', { id: 'm', text: 'Are you there?' })
  expect(client.types()).toContain('ask session')

  const away = lead()
  away.open()
  away.close(1001)
  expect(away.wait()).toMatchObject({ min: 250, max: 2_000 })
  const slow = lead()
  slow.open()
  slow.close(1013)
  expect(slow.wait()?.min).toBe(2_000)
})

test('VC5 a server that says 429 for ever is asked as it says', () => {
  const client = lead()
  client.feed('start', { session: null, pending: [] })
  for (let asked = 0; asked < 20; asked++) {
    client.feed('refused', { refusal: { status: 429, message: 'Slow down.', retryAfter: 60_000 } })
    expect(client.wait()?.min).toBe(60_000)
    client.feed('timer', { name: 'retry' })
  }
  expect(show(client.state).status).toBe('lost')
  expect(show(client.state).problem).toEqual({ status: 429, message: 'Slow down.' })
  const far = lead()
  far.feed('start', { session: null, pending: [] })
  far.feed('refused', { refusal: { status: 429, message: '', retryAfter: 1e15 } })
  expect(far.wait()?.min).toBe(HOUR)
})

test('VC5 a device that says it has no network is believed in words alone: it is tried on', () => {
  const client = lead(false)
  client.open()
  expect(show(client.state).status).toBe('open')
  client.close(1006)
  expect(show(client.state).status).toBe('offline')
  expect(client.wait()?.max).toBeLessThanOrEqual(500)
  client.feed('wake', {})
  expect(client.wait()?.min).toBe(0)
  client.feed('network', { online: true })
  expect(show(client.state).status).toBe('reconnecting')
  expect(client.wait()?.min).toBe(0)
})

const refusedWith = (status: number) => ({ refusal: { status, message: '', retryAfter: null } })

/** A client that takes up a session of which nothing, or its beginning, was shown. */
function resumed(unseen: boolean, streams = false) {
  const session = { id: 'old', token: TOKEN }
  const client = lead(true, session, false, streams)
  if (unseen) client.feed('start', { session, pending: [] })
  else client.open()
  return client
}

test.each([
  { code: 1000, refusal: null },
  { code: 4001, refusal: null },
  ...[400, 401, 403, 404].map(status => ({ code: 1006, ...refusedWith(status) })),
])('VC1 after a close with %o the server is asked, and its 401 or 404 alone ends a session', closed => {
  for (const unseen of [true, false])
    for (const status of [401, 404]) {
      const client = resumed(unseen)
      client.feed('closed', closed)
      client.feed('timer', { name: 'retry' })
      expect(client.types()).toContain('ask session')
      for (const answer of [0, 400, 403, 429, 500, 502]) {
        client.feed('refused', refusedWith(answer))
        expect(client.state).toMatchObject({ phase: 'waiting', session: { id: 'old' } })
        client.feed('timer', { name: 'retry' })
        expect(client.types()).toContain('ask session')
      }
      client.feed('refused', refusedWith(status))
      if (unseen) expect(client.types()).toEqual(expect.arrayContaining(['forget session', 'get token']))
      else expect(show(client.state)).toMatchObject({ status: 'ended', endReason: 'gone' })
    }
})

test('VC1 handshakes that fail say nothing of the session: the server is asked, and it is tried on', () => {
  const client = resumed(true)
  const phases = Array.from({ length: 5 }, () => {
    client.close(1006)
    client.feed('timer', { name: 'retry' })
    const { phase } = client.state
    client.feed('found', {})
    return phase
  })
  expect(phases).toEqual(['connecting', 'asking', 'asking', 'asking', 'asking'])
  expect(client.state).toMatchObject({ phase: 'connecting', session: { id: 'old' } })
})

test('VC29 what the device holds of somebody else is dropped, and nothing of it goes out', () => {
  const session = { id: 'hers', token: TOKEN }
  const pending = [
    { id: 'a', kind: 'message', text: 'Her card', problem: null, session: null },
    { id: 'b', kind: 'message', text: 'Her address', problem: null, session: 'hers' },
  ] as const
  const client = lead()
  client.feed('start', { session, pending, identity: 'ann' })
  expect(client.types()).toEqual(expect.arrayContaining(['forget session', 'store identity', 'get token']))
  expect(client.state).toMatchObject({ session: null, outbox: [], identity: null })
})

test('VC29 another visitor begins anew: the session ends, what waits is dropped, the token too', () => {
  const client = lead()
  client.open()
  client.feed('say', { id: 'm', text: 'mine' })
  expect(client.feed('identify', { identity: null })).toEqual([])
  client.feed('identify', { identity: 'bob' })
  expect(client.frames()).toMatchObject([{ type: 'EVENT_TYPE_USER_END_SESSION' }])
  expect(client.types()).toEqual(
    expect.arrayContaining(['forget session', 'forget pending', 'store identity', 'get token']),
  )
  expect(client.state).toMatchObject({ outbox: [], identity: 'bob', session: null })
  client.feed('token', { token: TOKEN })
  expect(client.types()).toContain('create session')
  client.feed('forget', {})
  expect(client.state).toMatchObject({ phase: 'idle', identity: null, token: null })
  expect(show(client.state)).toMatchObject({ status: 'idle', messages: [] })
})

test('VC21 where HTTP answers and three sockets failed, streams take over, and are kept to', () => {
  const client = resumed(false, true)
  const ways = Array.from({ length: 4 }, () => {
    client.close(1006)
    client.feed('timer', { name: 'retry' })
    if (client.state.phase === 'asking') client.feed('found', {})
    return client.types().includes('keep to streams') ? 'kept' : client.state.streams
  })
  expect(ways).toEqual([false, false, 'kept', true])
  const again = lead(true, null, false, true)
  again.feed('start', { session: { id: 'old', token: TOKEN }, pending: [], streams: true })
  expect(again.state.streams).toBe(true)
  const own = lead(true, null, false, false)
  own.feed('start', { session: { id: 'old', token: TOKEN }, pending: [], streams: true })
  expect(own.state.streams).toBe(false)
})

test('VC7 a token that lasts is used again, one that ends soon is not', () => {
  for (const [at, effect] of [
    [22 * HOUR, 'create session'],
    [23.5 * HOUR, 'get token'],
  ] as const) {
    const client = lead()
    client.open()
    client.frame('SESSION_END', {}, 3)
    client.now = at
    client.feed('renew', {})
    expect(client.types()).toContain(effect)
  }
  const late = lead()
  late.open()
  late.now = 25 * HOUR
  late.close(1006)
  late.feed('timer', { name: 'retry' })
  // This side's clock may be wrong.
  expect(late.types()).toContain('ask session')
  late.feed('found', {})
  expect(late.types()).toContain('connect')
})

test('VC8 a silent server counts as gone: after two heartbeats, a check, or an event without an answer', () => {
  const client = lead()
  client.open()
  for (let beats = 0; beats < 2; beats++) {
    client.feed('timer', { name: 'beat' })
    expect(client.frames()).toMatchObject([{ type: 'EVENT_TYPE_HEARTBEAT' }])
  }
  client.frame('HEARTBEAT')
  client.feed('timer', { name: 'beat' })
  client.feed('timer', { name: 'beat' })
  expect(client.state.phase).toBe('ready')
  client.feed('timer', { name: 'beat' })
  expect(client.state.phase).toBe('waiting')
  for (const [name, act] of [
    ['pong', (one: typeof client) => one.feed('wake', {})],
    ['answer', (one: typeof client) => one.feed('say', { id: 'm', text: 'hello' })],
  ] as const) {
    const checked = lead()
    checked.open()
    act(checked)
    checked.feed('timer', { name })
    expect(checked.state.phase).toBe('waiting')
  }
  const warned = lead()
  warned.open()
  warned.frame('SESSION_IDLE_WARNING')
  expect(warned.frames()).toMatchObject([{ type: 'EVENT_TYPE_HEARTBEAT' }])
})

test('VC3 a warning delays a message, a refusal shows it as failed; it can be sent again, or taken away', () => {
  const client = lead()
  client.open()
  client.feed('say', { id: 'm1', text: 'one' })
  client.feed('say', { id: 'm2', text: 'two' })
  expect(client.frames()).toEqual([])
  client.frame('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: 'Slow down.' }, null, 'm1')
  expect([client.frames(), show(client.state).notice]).toEqual([[], null])
  client.feed('timer', { name: 'unthrottle' })
  expect(client.frames()).toMatchObject([{ payload: { text: 'one' } }])
  client.frame('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'No.' }, null, 'm1')
  expect(client.frames()).toMatchObject([{ payload: { text: 'two' } }])
  expect(show(client.state).messages[0]).toMatchObject({ id: 'm1', state: 'failed', problem: 'No.' })
  client.frame('USER_MESSAGE', { message_id: 'x', text: 'two' }, 3, 'm2')
  client.feed('resend', { id: 'm1' })
  expect(client.frames()).toMatchObject([{ metadata: { custom: { client_event_id: 'm1' } } }])
  client.close(1009)
  expect(show(client.state).messages.at(-1)).toMatchObject({ id: 'm1', state: 'failed' })
  client.feed('discard', { id: 'm1' })
  expect(show(client.state).messages.map(({ id }) => id)).toEqual(['m2'])
  client.feed('say', { id: 'm3', text: 'x'.repeat(200_000) })
  expect(show(client.state).messages.at(-1)).toMatchObject({ state: 'failed', problem: 'Message too large' })
})

test('VC3 what was sent to a session that is over fails, what was sent to none goes to the next one', () => {
  const client = lead()
  const one = { kind: 'message', text: 'x', problem: null } as const
  client.feed('start', {
    session: { id: 'now', token: TOKEN },
    pending: [
      { ...one, id: 'a', session: 'before' },
      { ...one, id: 'b', session: 'now' },
      { ...one, id: 'c', session: null },
    ],
  })
  client.close(4001)
  client.feed('timer', { name: 'retry' })
  client.feed('refused', refusedWith(404))
  expect(show(client.state).messages.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'a failed',
    'b failed',
    'c sending',
  ])
})

test('a megabyte in one frame, and a reply in ten thousand chunks, are taken', () => {
  const client = lead()
  client.open()
  const text = 'x'.repeat(2 ** 20)
  client.frame('AI_AGENT_MESSAGE', { message_id: 'big', text }, 3)
  expect(show(client.state).messages[0]?.text).toHaveLength(2 ** 20)
  for (let index = 1; index <= 10_000; index++)
    client.frame('AI_AGENT_MESSAGE_CHUNK', { message_id: 'r', text: 'word ', chunk_index: index }, 3)
  client.frame(
    'AI_AGENT_MESSAGE_CHUNK',
    { message_id: 'r', text: '!', chunk_index: 10_001, is_complete: true },
    4,
  )
  expect(show(client.state).messages[1]?.text).toHaveLength(50_001)
})

test('VC11 a storage that fails, or holds what is not the client’s, is as if it were empty', () => {
  const found = (entries: Record<string, string>) => findStored(entries)
  for (const json of ['', '{', 'null', '[]', '{"id":"s"}', '{"id":"s","token":{"value":"t"}}'])
    expect(found({ session: json, 'pending.x': json, other: json })).toEqual({
      session: null,
      pending: [],
      streamsUntil: 0,
      identity: null,
    })
  const broken = () => {
    throw new Error('denied')
  }
  for (const storage of [
    { read: broken, write: broken, remove: broken },
    { read: () => Promise.reject(new Error('x')), write: async () => broken(), remove: async () => broken() },
    browserStorage(),
  ]) {
    const keeper = createKeeper(storage)
    keeper.storeSession({ id: 's', token: TOKEN }, null, broken)
    keeper.storePending({ id: 'p', kind: 'message', text: 'x', problem: null, session: null }, 0)
    keeper.forgetPending('p')
    keeper.forgetSession('s')
  }
})

test('VC11 of two clients that make a session at once the later takes up the other’s', () => {
  const storage = memoryStorage()
  const taken: string[] = []
  for (const id of ['one', 'two'])
    createKeeper(storage).storeSession(
      { id, token: TOKEN },
      null,
      other => void taken.push(`${id} takes up ${other.id}`),
    )
  expect(taken).toEqual(['two takes up one'])
  // Another tab, whose visitor has signed out meanwhile: nothing is stored, and nothing taken up.
  createKeeper(storage).storeSession({ id: 'three', token: TOKEN }, 'ann', () => void taken.push('three'))
  expect(taken).toHaveLength(1)
  expect(findStored(storage.read() as Record<string, string>).session?.id).toBe('one')
  const client = lead()
  client.open()
  client.feed('adopt', { session: { id: 'other', token: TOKEN } })
  expect(client.state).toMatchObject({ phase: 'connecting', session: { id: 'other' } })
})

test('VC13 typing is told while a live agent serves, and ends by itself', () => {
  const client = lead()
  client.open()
  client.feed('type', { typing: true })
  expect(client.frames()).toEqual([])
  client.frame('LIVE_AGENT_JOINED', { agent: { id: 'a', name: 'Ada' } }, 3)
  client.feed('type', { typing: true })
  expect(client.frames()).toMatchObject([{ payload: { state: 'TYPING_STATE_STARTED' } }])
  client.feed('type', { typing: true })
  expect(client.frames()).toEqual([])
  client.feed('timer', { name: 'typing' })
  expect(client.frames()).toMatchObject([{ payload: { state: 'TYPING_STATE_STOPPED' } }])
  client.frame('LIVE_AGENT_TYPING', { state: 'TYPING_STATE_STARTED' })
  expect(show(client.state).typing).toBe(true)
  client.feed('timer', { name: 'typed' })
  expect(show(client.state).typing).toBe(false)
})

test('VC13 who goes on typing is told of again every 5 s', () => {
  const client = lead()
  client.open()
  client.frame('LIVE_AGENT_JOINED', { agent: { id: 'a', name: 'Ada' } }, 3)
  const typed = (): number => {
    client.feed('type', { typing: true })
    return client.frames().filter(({ payload }) => Object(payload).state === 'TYPING_STATE_STARTED').length
  }
  expect(typed()).toBe(1)
  client.now += 4_000
  expect(typed()).toBe(0)
  client.now += 1_000
  expect(typed()).toBe(1)
  client.now += 1_000
  expect(typed()).toBe(0)
})

test('it knows the events of the protocol, under whatever brand, and passes on others', () => {
  const {
    EVENT_BATCH: _,
    USER_TYPING: __,
    USER_PRESENCE: ___,
    SET_CONTEXT: ____,
    LINK_TO_WEBRTC_CONVERSATION: _______,
    DESK_NOTE: _____,
    DESK_SUMMARY: ______,
    ...own
  } = Object.fromEntries(EVENT_TYPES.map(type => [type, 0]))
  expect(Object.keys(READERS).sort()).toEqual([...Object.keys(own), 'OTHER'].sort())
  for (const brand of ['AI', 'ACME']) {
    const names = createEventNames(brand)
    for (const name of Object.keys(own) as (keyof typeof READERS)[]) {
      if (name === 'OTHER') continue
      expect(wireName(name, brand)).toBe(names.wire(name))
      expect(readFrame(JSON.stringify({ type: names.wire(name) }), brand)?.events[0]?.name).toBe(name)
    }
  }
  const later = readFrame('{"type":"EVENT_TYPE_LATER","sequence":3,"payload":{"a":1}}', 'AI')
  expect(later?.events).toMatchObject([{ name: 'OTHER', type: 'EVENT_TYPE_LATER', payload: { a: 1 } }])
})

test('VC2 a log that begins anew behind the cursor replaces what was shown, and the client goes on from there', () => {
  const client = lead()
  client.open()
  client.frame('USER_MESSAGE', { message_id: 'm1', text: 'kept' }, 3)
  client.frame('USER_MESSAGE', { message_id: 'm2', text: 'in no backup' }, 4)
  client.close(1006)
  client.feed('timer', { name: 'retry' })
  expect(client.state.phase).toBe('connecting')
  client.frame('EVENT_BATCH', {
    events: [
      { type: 'EVENT_TYPE_SESSION_START', sequence: 1, payload: {} },
      { type: 'EVENT_TYPE_AI_AGENT_JOINED', sequence: 2, payload: {} },
      { type: 'EVENT_TYPE_USER_MESSAGE', sequence: 3, payload: { message_id: 'm1', text: 'kept' } },
    ],
  })
  expect(client.state.phase).toBe('ready')
  client.frame('USER_MESSAGE', { message_id: 'm3', text: 'said since' }, 4)
  expect(show(client.state).messages.map(({ text }) => text)).toEqual(['kept', 'said since'])
})

/** The first batch of a session whose connector has a context key. */
const SIGNED = {
  events: [{ type: 'EVENT_TYPE_SESSION_START', sequence: 1, payload: { context_id: 'c-1' } }],
}

function openVerifying() {
  const client = lead(true, { id: 's', token: TOKEN }, true)
  client.feed('start', { session: { id: 's', token: TOKEN }, pending: [] })
  client.frame('EVENT_BATCH', SIGNED)
  return client
}

test('VC24 the context is asked for first, and goes out before the join and what was said', () => {
  const client = openVerifying()
  expect(client.types()).toContain('get context')
  expect(client.frames()).toEqual([])
  client.feed('say', { id: 'm-1', text: 'Hello' })
  expect(client.frames()).toEqual([])
  client.feed('context', { token: 'a.b.c' })
  expect(client.frames().map(({ type, payload }) => [type, payload])).toEqual([
    ['EVENT_TYPE_SET_CONTEXT', { token: 'a.b.c' }],
    ['EVENT_TYPE_REQUEST_AI_AGENT_JOIN', {}],
  ])
  client.feed('context', { token: 'another' })
  expect(client.frames()).toEqual([])
})

test('CM51 after a live agent who returned the visitor, the context id is still that of the start', () => {
  const client = openVerifying()
  client.frame('SESSION_START', { capabilities: {} }, 2)
  expect(client.state.log.contextId).toBe('c-1')
})

test('VC24 null clears what was said of the visitor before', () => {
  const client = openVerifying()
  client.feed('context', { token: null })
  expect(client.frames().map(({ type, payload }) => [type, payload])).toEqual([
    ['EVENT_TYPE_SET_CONTEXT', { token: null }],
    ['EVENT_TYPE_REQUEST_AI_AGENT_JOIN', {}],
  ])
})

test.each([undefined, 7, {}, 'x'.repeat(16_385)])(
  'VC24 without a token the conversation goes on: %#',
  token => {
    const client = openVerifying()
    client.feed('context', { token })
    expect(client.frames().map(({ type }) => type)).toEqual(['EVENT_TYPE_REQUEST_AI_AGENT_JOIN'])
  },
)

test('VC24 after four seconds nothing waits, and what comes late, or for a connection that is gone, is not sent', () => {
  const client = openVerifying()
  client.feed('timer', { name: 'verifying' })
  expect(client.frames().map(({ type }) => type)).toEqual(['EVENT_TYPE_REQUEST_AI_AGENT_JOIN'])
  client.feed('context', { token: 'late' })
  expect(client.frames()).toEqual([])
  client.close(1006)
  client.feed('timer', { name: 'retry' })
  client.feed('context', { token: 'early' })
  expect(client.frames()).toEqual([])
  client.frame('EVENT_BATCH', { events: [] })
  expect(client.types()).toContain('get context')
  client.feed('context', { token: 'anew' })
  expect(client.frames()[0]).toMatchObject({ type: 'EVENT_TYPE_SET_CONTEXT', payload: { token: 'anew' } })
})

test('VC24 it is not asked for where the server would take none, nor where the page has none', () => {
  const without = lead(true, { id: 's', token: TOKEN }, true)
  without.open()
  expect(without.types()).not.toContain('get context')
  const plain = lead()
  plain.open()
  plain.frame('EVENT_BATCH', SIGNED)
  expect(plain.types()).not.toContain('get context')
})
