import { EventSchemas } from '@ag-ui/core/schemas'
import { describe, expect, test } from 'vitest'
import { createAgUiHandler } from '../../src/ag-ui/index.ts'
import { openServer, say } from './support.ts'

/** The events of a stream, each checked by the published schemas. */
function eventsOf(body: string) {
  return body
    .split('\n\n')
    .filter(text => text.startsWith('data: '))
    .map(text => EventSchemas.parse(JSON.parse(text.slice('data: '.length))))
}

const input = (more: object = {}) => ({
  ...{ threadId: 't', runId: 'r', tools: [], context: [], state: {}, forwardedProps: {} },
  messages: [{ id: 'm1', role: 'user', content: 'When is breakfast?' }],
  ...more,
})

describe('runs', () => {
  test('UI1, UI2 and UI3 the published client holds a conversation', async () => {
    const { open } = await openServer()
    const agent = open('one')
    expect((await say(agent, null)).texts).toEqual(['Welcome!'])
    const { texts, custom } = await say(agent, 'When is breakfast?')
    expect(texts).toEqual(['From 7 to 10.'])
    expect(custom).toEqual([
      {
        name: 'colloquy.message',
        value: expect.objectContaining({ suggestions: [{ message_text: 'And dinner?' }] }),
      },
    ])
    expect((await say(agent, 'Thanks')).texts).toEqual(['You said: Thanks'])
    expect(agent.messages.map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  test('UI1 every event is one of AG-UI, and text comes as it is written', async () => {
    // No wait passes in which a piece that has come would be cut in two: one for each piece, on a slow machine too.
    const { ask, errors } = await openServer({ platform: { chunkFlush: 600_000 } })
    const answer = await ask(input())
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = eventsOf(await answer.text())
    expect(events.map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
      ...['CUSTOM', 'STATE_SNAPSHOT', 'RUN_FINISHED'],
    ])
    expect(errors).toEqual([])
  })

  test('UI2 a run that is repeated, with the same message, says nothing twice', async () => {
    const { ask, runtime, restart } = await openServer()
    const first = eventsOf(await (await ask(input())).text())
    const state = first.flatMap(event => (event.type === 'STATE_SNAPSHOT' ? [event.snapshot] : []))[0]
    const texts = (events: typeof first) =>
      events.flatMap(event => (event.type === 'TEXT_MESSAGE_CONTENT' ? [event.delta] : [])).join('')
    expect(texts(first)).toBe('Welcome!From 7 to 10.')
    expect(texts(eventsOf(await (await ask(input({ runId: 'r2' }))).text()))).toBe('Welcome!From 7 to 10.')
    restart()
    expect(texts(eventsOf(await (await ask(input({ runId: 'r3', state }))).text()))).toBe(
      'Welcome!From 7 to 10.',
    )
    expect(runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message'])
  })

  test('UI2 a page that gives messages ids of its own, and joins several to one, is told each once', async () => {
    const { ask, restart } = await openServer()
    const first = eventsOf(await (await ask(input())).text())
    const state = first.flatMap(event => (event.type === 'STATE_SNAPSHOT' ? [event.snapshot] : [])).at(-1)
    const messages = [
      ...input().messages,
      { id: 'own', role: 'assistant', content: 'Welcome!From 7 to 10.' },
      { id: 'm2', role: 'user', content: 'And tea?' },
    ]
    restart()
    const second = eventsOf(await (await ask(input({ runId: 'r2', state, messages }))).text())
    const texts = second.flatMap(event => (event.type === 'TEXT_MESSAGE_CONTENT' ? [event.delta] : []))
    expect(texts.join('')).toBe('You said: And tea?')
    // What it says of another session counts for nothing: this thread begins one.
    const other = await ask(input({ threadId: 'other', runId: 'r3', state }))
    expect(await other.text()).toContain('Welcome!')
  })

  test('UI2 a log that was set back, to a backup, is told from where it ends now', async () => {
    const { ask } = await openServer()
    const first = eventsOf(await (await ask(input())).text())
    const state = first.flatMap(event => (event.type === 'STATE_SNAPSHOT' ? [event.snapshot] : [])).at(-1)
    const ahead = { ...state, colloquy: { ...state.colloquy, told: 1_000 } }
    const messages = [...input().messages, { id: 'm2', role: 'user', content: 'And tea?' }]
    const second = await ask(input({ runId: 'r2', state: ahead, messages }))
    expect(await second.text()).toContain('And tea?')
  })

  test('UI2 two runs at once, and one that is broken off, double nothing', async () => {
    const { ask, runtime } = await openServer()
    const gone = new AbortController()
    await Promise.all(
      [ask(input({ runId: 'a' })), ask(input({ runId: 'b' }))].map(async one => (await one).text()),
    )
    const broken = await ask(input({ runId: 'c' }))
    await broken.body?.cancel()
    gone.abort()
    await (await ask(input({ runId: 'd' }))).text()
    expect(runtime.turns.filter(({ input: { type } }) => type === 'message')).toHaveLength(1)
  })

  test('UI2 a turn that fails is an error of the run, and the next message is answered', async () => {
    const { ask } = await openServer()
    const messages = [{ id: 'x', role: 'user', content: 'broken' }]
    const events = eventsOf(await (await ask(input({ messages }))).text())
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.any(String) })
    expect(eventsOf(await (await ask(input({ runId: 'r2' }))).text()).at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
    })
  })

  test('UI2 a run has an end, whatever the agent does', async () => {
    const { ask } = await openServer({
      options: { runTimeout: 100 },
      platform: {
        turnDeadline: 500,
        runtime: {
          async *respond(_, signal) {
            await new Promise(resolve => signal.addEventListener('abort', resolve))
          },
        },
      },
    })
    const events = eventsOf(await (await ask(input())).text())
    expect(events.at(-1)).toEqual({
      type: 'RUN_ERROR',
      code: 'TIMEOUT',
      message: 'The run took longer than 0.1 s.',
    })
  })
})

describe('people', () => {
  test('UI3 a handoff and what a person says are told, and end with what comes next', async () => {
    const { open, platform, account } = await openServer({ options: { liveWait: 5_000 } })
    const agent = open('one')
    const { texts, custom } = await say(agent, 'A person, please')
    expect(texts).toEqual(['Welcome!', 'One moment.'])
    expect(custom).toContainEqual({ name: 'colloquy.handoff', value: { event: 'requested' } })
    const waiting = () => platform.desk.handoffs(account.id, 'waiting')
    await expect.poll(async () => (await waiting()).length).toBe(1)
    const [handoff] = await waiting()
    const id = handoff?.handoffId ?? ''
    await platform.desk.accept(account.id, id, { id: 'grace', name: 'Grace', avatarUrl: '' })
    // No reply is due: the run ends when the message is in the log.
    expect((await say(agent, 'Hello?')).texts).toEqual([])
    const next = say(agent, null)
    await platform.desk.send(account.id, id, { text: 'Grace here.' })
    const told = await next
    expect(told.texts).toEqual(['Grace here.'])
    expect(told.custom).toContainEqual({
      name: 'colloquy.live_agent',
      value: { messageId: expect.any(String), name: 'Grace' },
    })
    // Returned to the agent, the thread goes on.
    await platform.desk.return(account.id, id)
    const again = await say(agent, 'Thanks')
    expect(again.texts).toEqual(['You said: Thanks'])
    expect(again.custom.map(({ name }) => name)).not.toContain('colloquy.ended')
  })

  test('UI2 a conversation that has ended is told, and the thread goes on in a new one', async () => {
    const { open } = await openServer()
    const agent = open('one')
    const { texts, custom } = await say(agent, 'Good bye')
    expect(texts).toEqual(['Welcome!', 'Good bye!'])
    expect(custom.map(({ name }) => name)).toContain('colloquy.ended')
    expect((await say(agent, 'Thanks')).texts).toEqual(['Welcome!', 'You said: Thanks'])
  })
})

describe('who asks', () => {
  test('UI2 a thread is its visitor’s, and goes on in another process by the state of the page', async () => {
    const { open, restart, runtime } = await openServer()
    const agent = open('one')
    await say(agent, 'When is breakfast?')
    const id = runtime.turns[0]?.conversationId
    restart()
    await say(agent, 'Thanks')
    expect(runtime.turns.at(-1)?.conversationId).toBe(id)
    const other = open('one', 'eve')
    other.state = agent.state
    expect((await say(other, 'Hello')).texts).toEqual(['Welcome!', 'You said: Hello'])
    expect(runtime.turns.at(-1)?.conversationId).not.toBe(id)
    expect(runtime.turns.at(-1)?.visitor).toEqual({ id: 'eve' })
    agent.state = { colloquy: { session: 'AAAA' } }
    restart()
    expect((await say(agent, 'Again')).texts).toEqual(['Welcome!', 'You said: Again'])
  })

  test('UI2 neither the connector’s token nor an access token is in what the page gets', async () => {
    const { ask, token } = await openServer()
    const body = await (await ask(input())).text()
    expect(body).not.toContain(token)
    expect(body).not.toMatch(/eyJ[\w-]+\.[\w-]+\./)
  })

  test('UI7 what no one may, or cannot be read, is refused before anything begins', async () => {
    const { ask, url, runtime } = await openServer({ options: { bodyBytes: 2_000 } })
    expect((await ask(input(), {})).status).toBe(401)
    expect((await fetch(url)).status).toBe(405)
    expect((await ask('{')).status).toBe(400)
    expect((await ask({ threadId: 't' })).status).toBe(400)
    expect((await ask(input({ threadId: 'x'.repeat(201) }))).status).toBe(400)
    expect((await ask(input({ forwardedProps: { x: 'y'.repeat(3_000) } }))).status).toBe(413)
    expect(runtime.turns).toEqual([])
  })

  test('UI7 a history above the bound does not block a thread: its earlier messages are left out', async () => {
    const { ask, open } = await openServer({ options: { bodyBytes: 20_000 } })
    const agent = open('long')
    await say(agent, null)
    for (let count = 0; count < 5; count++) await say(agent, `${count} ${'long "text" \\ '.repeat(300)}`)
    expect(JSON.stringify(agent.messages).length).toBeGreaterThan(30_000)
    expect((await say(agent, 'When is breakfast?')).texts).toEqual(['From 7 to 10.'])
    expect((await say(agent, 'Thanks')).texts).toEqual(['You said: Thanks'])
    const state = { large: 'x'.repeat(20_000) }
    const alone = [{ id: 'm', role: 'user', content: 'y'.repeat(20_000) }]
    for (const more of [{ state }, { messages: alone }, { messages: [], state }])
      expect((await ask(input(more))).status).toBe(413)
    const history = Array.from({ length: 20 }, (_, index) => ({ ...alone[0], id: `m${index}` }))
    expect((await ask(input({ messages: history }))).status).toBe(413)
  })

  test('UI7 more messages than are read do not block a thread', async () => {
    const { ask } = await openServer({ options: { bodyBytes: 2_000_000 } })
    const history = Array.from({ length: 10_001 }, (_, index) => ({ id: `${index}`, role: 'assistant' }))
    const answer = await ask(input({ messages: [...history, { id: 'q', role: 'user', content: 'Thanks' }] }))
    expect(await answer.text()).toContain('You said: Thanks')
  })

  test.each<readonly [string, object]>([
    [
      'an activity',
      { id: 'a', role: 'activity', activityType: 'PLAN', content: { steps: [{ done: true }] } },
    ],
    ['a reasoning', { id: 'a', role: 'reasoning', content: 'Hm.' }],
    ['a tool call', { id: 'a', role: 'assistant', toolCalls: [{ id: 'c', type: 'function', function: {} }] }],
    ['a message of a future kind', { id: 'a', role: 'future', content: 42 }],
    ['a message with a long id', { id: 'a'.repeat(500), role: 'assistant', content: 'Hm.' }],
    ['a message without an id', { role: 'assistant', content: 'Hm.' }],
  ])('UI1 %s in the history does not block a thread', async (_, odd) => {
    const { ask } = await openServer()
    const answer = await ask(input({ messages: [odd, { id: 'q', role: 'user', content: 'Thanks' }] }))
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('You said: Thanks')
  })

  test.each<readonly [string, object, string]>([
    [
      'an address',
      { type: 'image', source: { type: 'url', value: 'https://a.example/b.png' } },
      '[image: https://a.example/b.png]',
    ],
    [
      'bytes',
      { type: 'document', source: { type: 'data', value: 'AAAA', mimeType: 'text/plain' } },
      '[document]',
    ],
    ['a name', { type: 'binary', mimeType: 'image/png', filename: 'b.png', data: 'AAAA' }, '[binary: b.png]'],
  ])('UI1 a message of an attachment alone, with %s, is said in words', async (_, attachment, words) => {
    const { ask } = await openServer()
    const send = async (content: object[]) =>
      (await ask(input({ messages: [{ id: crypto.randomUUID(), role: 'user', content }] }))).text()
    expect(await send([attachment])).toContain(`You said: ${words}`)
    expect(await send([attachment, { type: 'text', text: 'See this' }])).toContain('You said: See this"')
  })

  test.each(['acme-bot', 'LIVE_X', 'Poly', 'A'])('a run is answered with the brand %s', async brand => {
    const { open, errors } = await openServer({ platform: { brand } })
    const agent = open('one')
    expect((await say(agent, null)).texts).toEqual(['Welcome!'])
    expect((await say(agent, 'When is breakfast?')).texts).toEqual(['From 7 to 10.'])
    const { custom } = await say(agent, 'A person, please')
    expect(custom.map(({ name }) => name)).toContain('colloquy.handoff')
    expect(errors).toEqual([])
  })

  test('options that are not valid are refused by name', () => {
    const make = () => createAgUiHandler(JSON.parse('{}'), JSON.parse('{"connectorToken":"x","host":"h"}'))
    expect(make).toThrow('authorize must be a function')
  })
})
