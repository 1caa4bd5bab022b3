import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createLocalBus, defineFunction } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { at, listAt, textAt } from '../../examples/quickstart/src/json.ts'
import { ACCOUNT_ID, AGENT_ID, call, type Host, startHost } from './support/host.ts'

// Slow: each test starts a host, and writes its agent into a file of its own.

const CHATS = `/v1/agents/${AGENT_ID}/debug-chat`
const SANDBOX = { clientEnv: 'sandbox' } as const

const post = (host: Host, path: string, body: unknown) =>
  call(host, path, { key: host.keys.workspace, method: 'POST', body: JSON.stringify(body) })
const get = (host: Host, path: string) => call(host, path, { key: host.keys.workspace })

const start = async (host: Host, body: object = {}): Promise<string> =>
  textAt((await post(host, CHATS, { ...SANDBOX, ...body })).json, 'conversationId')
const say = (host: Host, id: string, message: string, clientEnv = 'sandbox') =>
  post(host, `${CHATS}/${id}`, { clientEnv, message })
const read = (host: Host, id: string, more = '') => get(host, `${CHATS}/${id}?clientEnv=sandbox${more}`)

/** Sends the result of the payment that the chat's newest turn waits for. */
async function pays(host: Host, eventId: string, body: string): Promise<void> {
  const query = `event_id_location=querystring&event_id_path=ref&account_id=hotel&project_id=${AGENT_ID}&ref=${eventId}`
  const answer = await call(host, `/v1/external-events/webhook?${query}`, {
    key: host.keys.events,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  })
  expect(answer).toMatchObject({ status: 201, json: { status: 'accepted' } })
}
const eventIdOf = (answer: { readonly json: unknown }) => textAt(answer.json, 'metadata.state.event_id')

describe('an agent’s own phrases', () => {
  test('RT19 and AG524 are written over HTTP, deployed, and said in the language of the conversation', async () => {
    const host = await startHost()
    const branches = `/v1/agents/${AGENT_ID}/branches`
    const write = (path: string, method: string, body: unknown) =>
      call(host, path, { key: host.keys.workspace, method, body: JSON.stringify(body) })
    const branch = textAt((await write(branches, 'POST', { branchName: 'words' })).json, 'branchId')
    const phrases = { de: { unknown: 'Da frage ich nach.', smallTalk: [{ to: ['moin'], says: 'Moin!' }] } }
    const written = await write(`${branches}/${branch}/response-settings`, 'PATCH', { phrases })
    expect(written).toMatchObject({ status: 200, json: { phrases } })
    expect((await write(`${branches}/${branch}/merge`, 'POST', {})).status).toBe(200)
    const german = await start(host, { asrLangCode: 'de-AT' })
    for (const [says, said] of [
      ['Moin!', 'Moin!'],
      ['Quantenchromodynamik', 'Da frage ich nach.'],
      ['你好', '您好！您想了解什么？'],
    ] as const)
      expect(textAt((await say(host, german, says)).json, 'response')).toBe(said)
    const english = await start(host)
    expect(textAt((await say(host, english, 'Hallo')).json, 'response')).toMatch(/^Guten Tag/)
  })
})

const KEYS = [
  'state',
  'currentNode',
  'nodeTrace',
  'metrics',
  'functionEvents',
  'handoffDestination',
  'retrievedTopics',
  'retrievedSources',
  'citedTopic',
  'inFlow',
  'inStep',
  'llmRequests',
  'asrLangCode',
  'ttsLangCode',
]

describe('a chat', () => {
  test('CM5 starts with the greeting, under a generated or a custom id, and goes on with replies', async () => {
    const host = await startHost()
    const first = await post(host, CHATS, SANDBOX)
    expect(first).toMatchObject({
      status: 201,
      json: {
        userInput: '',
        response: 'Welcome to the Harbour!',
        conversationEnded: false,
        delayedResponse: false,
      },
    })
    expect(textAt(first.json, 'conversationId')).toMatch(
      /^AS_CHAT_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    )
    const id = `my_chat-${'1'.repeat(120)}`
    expect(await start(host, { conversationId: id })).toBe(id)
    expect(await say(host, id, 'When do you open?')).toMatchObject({
      status: 200,
      json: { conversationId: id, userInput: 'When do you open?', response: 'We open at nine.' },
    })
  })

  test('DC2 every result has all fields, with what the built-in runtime and its functions did', async () => {
    const host = await startHost()
    const id = await start(host)
    const { agents } = host.platform
    const revision = (await agents.activeDeployments(AGENT_ID)).sandbox?.revision ?? 0
    const topics = (await agents.content(AGENT_ID, revision)).topics
    const sourceOf = (name: string) => `topics/${topics.find(topic => topic.name === name)?.id}`

    const identity = await say(host, id, 'Who am I?')
    const metadata = at(identity.json, 'metadata')
    expect(Object.keys(Object(identity.json))).toEqual([
      'conversationId',
      'userInput',
      'response',
      'metadata',
      'conversationEnded',
      'delayedResponse',
      'delayedResponses',
    ])
    expect(Object.keys(Object(metadata))).toEqual(KEYS)
    expect(metadata).toMatchObject({
      state: { retrieval: { topic: 'Identity', failures: 0 } },
      currentNode: 'function:whoami',
      nodeTrace: ['answer', 'function:whoami'],
      metrics: { asked: 'whoami' },
      functionEvents: [
        {
          name: 'whoami',
          arguments: {},
          result: { known: true },
          error: null,
          duration_ms: expect.any(Number),
        },
      ],
      handoffDestination: '',
      citedTopic: 'Identity',
      inFlow: null,
      inStep: null,
      llmRequests: [],
      asrLangCode: 'en-GB',
      ttsLangCode: 'en-GB',
    })
    const names = listAt(metadata, 'retrievedTopics').map(String)
    expect(names[0]).toBe('Identity')
    expect(listAt(metadata, 'retrievedSources')).toEqual(names.map(sourceOf))

    expect(await say(host, id, 'Who am I?')).toMatchObject({
      json: { metadata: { metrics: { asked: ['whoami', 'whoami'] } } },
    })
    const unknown = await say(host, id, 'xyzzy')
    expect(unknown).toMatchObject({
      json: { metadata: { citedTopic: '', functionEvents: [], currentNode: 'unknown' } },
    })
    const left = await say(host, id, 'Fetch me a human')
    expect(left).toMatchObject({
      json: { conversationEnded: true, metadata: { handoffDestination: 'reception' } },
    })
    expect(Object.keys(Object(at(left.json, 'metadata')))).toEqual(KEYS)
  })

  test('DC4 the language codes default to the agent’s, and set the language that it speaks', async () => {
    const host = await startHost()
    const spoken = async (codes: object) => {
      const answer = await say(host, await start(host, codes), 'xyzzy')
      return [
        at(answer.json, 'metadata.asrLangCode'),
        at(answer.json, 'metadata.ttsLangCode'),
        at(answer.json, 'response'),
      ]
    }
    const [, , english] = await spoken({})
    const german = 'Das weiß ich nicht.'
    expect(english).not.toBe(german)
    expect(await spoken({})).toEqual(['en-GB', 'en-GB', english])
    expect(await spoken({ asrLangCode: 'de-AT' })).toEqual(['de-AT', 'de-AT', german])
    expect(await spoken({ ttsLangCode: 'de-DE' })).toEqual(['de-DE', 'de-DE', german])
    expect(await spoken({ asrLangCode: 'de-DE', ttsLangCode: 'en-US' })).toEqual(['de-DE', 'en-US', english])
  })

  test('DC5 variant, channel and attributes hold for the whole chat, and reach functions', async () => {
    const host = await startHost()
    const branch = await host.platform.agents.createBranch(AGENT_ID, { branchName: 'look' })
    const mill = (await host.platform.agents.variants(AGENT_ID, branch.id)).find(
      ({ name }) => name === 'Mill',
    )
    const integrationAttributes = { guest: { room: 7, vip: true }, __proto__x: [null] }
    const answer = await post(host, CHATS, {
      ...SANDBOX,
      variantId: mill?.id,
      channel: 'SMS',
      integrationAttributes,
    })
    expect(at(answer.json, 'response')).toBe('Welcome to the Mill!')
    const id = textAt(answer.json, 'conversationId')
    const said = textAt((await say(host, id, 'Who am I?')).json, 'response')
    expect(JSON.parse(said)).toEqual([integrationAttributes, { house: 'the Mill' }])
    const stored = await contextOf(host.platform).store.conversations.load(id)
    expect(stored?.state.record.channel).toBe('SMS')

    expect(await post(host, CHATS, { ...SANDBOX, variantId: 'none' })).toMatchObject({
      status: 404,
      json: { error_code: 'VARIANT_NOT_FOUND' },
    })
    const large = { text: 'x'.repeat(65_536) }
    expect(await post(host, CHATS, { ...SANDBOX, integrationAttributes: large })).toMatchObject({
      status: 400,
      json: {
        error_code: 'SCHEMA_VALIDATION_FAILED',
        error_message: expect.stringContaining('integrationAttributes'),
      },
    })
    expect(await say(host, id, 'é'.repeat(65_537))).toMatchObject({
      status: 400,
      json: { error_message: expect.stringContaining('131072 bytes') },
    })
    expect(await say(host, id, 'é'.repeat(65_536))).toMatchObject({ status: 200 })
  })

  test('DC4 DC5 functions read the channel and the language of the chat', async () => {
    const whoami = defineFunction({
      description: 'Says where it is called',
      parameters: z.object({}),
      execute: ({ channel, language, say }) => say(`${channel} in ${language}`),
    })
    const host = await startHost({ functions: { whoami } })
    const told = async (body: object) => (await say(host, await start(host, body), 'Who am I?')).json
    expect(await told({})).toMatchObject({ response: 'CHAT in en-GB' })
    expect(await told({ channel: 'SMS', asrLangCode: 'de-DE' })).toMatchObject({ response: 'SMS in de-DE' })
    expect(await told({ asrLangCode: 'de-DE', ttsLangCode: 'fr-FR' })).toMatchObject({
      response: 'CHAT in fr-FR',
    })
  })

  test('DC6 a start through the library is refused like one over the wire', async () => {
    const { platform } = await startHost()
    const agent = await platform.agents.find(AGENT_ID)
    const circle: Record<string, unknown> = {}
    circle.self = circle
    for (const other of [
      ...[{ conversationId: '' }, { conversationId: 'a/b' }, { conversationId: 'x'.repeat(129) }],
      ...[
        { channel: '' },
        { asrLangCode: '' },
        { ttsLangCode: 'x'.repeat(36) },
        { environment: 'production' },
      ],
      ...[{ integrationAttributes: circle }, { integrationAttributes: { count: 1n } }],
    ]) {
      const started: unknown = Reflect.apply(platform.debugChat.start, null, [
        agent,
        { environment: 'sandbox', ...other },
      ])
      await expect(started).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    }
  })

  test('DC6 every refusal has its status and code in the envelope, and a failed turn leaves the chat as it was', async () => {
    const host = await startHost()
    const id = await start(host, { conversationId: 'taken' })
    const over = await start(host)
    expect(await say(host, over, 'So long')).toMatchObject({
      status: 200,
      json: { response: 'Goodbye!', conversationEnded: true },
    })
    const refused = (status: number, code: string, message: unknown = expect.any(String)) => ({
      status,
      json: {
        success: false,
        error: message,
        error_id: expect.any(String),
        error_code: code,
        error_message: message,
        data: null,
      },
    })
    const noDraft = 'The draft you are attempting to chat with does not exist.'
    expect(await post(host, CHATS, { clientEnv: 'live' })).toEqual(
      refused(400, 'CHAT_DRAFT_NOT_EXIST', noDraft),
    )
    expect(await post(host, CHATS, { ...SANDBOX, conversationId: 'taken' })).toEqual(
      refused(409, 'CONVERSATION_ID_ALREADY_EXISTS'),
    )
    expect(await say(host, 'AS_CHAT_none', 'Hello')).toEqual(refused(404, 'CONVERSATIONS_NOT_FOUND'))
    expect(await read(host, 'AS_CHAT_none')).toEqual(refused(404, 'CONVERSATIONS_NOT_FOUND'))
    expect(await say(host, over, 'Hello')).toEqual(refused(410, 'CHAT_CONVERSATION_ENDED'))
    for (const env of ['pre-release', 'live'])
      expect(await say(host, id, 'Hello', env)).toEqual(refused(400, 'CHAT_ENVIRONMENT_MISMATCH'))
    expect(await get(host, `${CHATS}/${id}?clientEnv=live`)).toEqual(
      refused(400, 'CHAT_ENVIRONMENT_MISMATCH'),
    )
    const misspelt = refused(400, 'SCHEMA_VALIDATION_FAILED')
    expect(await say(host, id, 'Hello', 'Sandbox')).toEqual({
      ...misspelt,
      json: { ...misspelt.json, about: ['clientEnv'] },
    })
    const stated = "Sorry, I'm having trouble responding right now. Please try again."
    const failed = { conversationId: id, userInput: 'crash', response: '', error: 'the runtime has crashed' }
    expect(await say(host, id, 'crash')).toMatchObject({
      status: 500,
      json: { success: false, error_code: 'AGENT_FAILED', error_message: stated, data: failed },
    })
    expect(host.errors).toMatchObject([{ message: 'the runtime has crashed' }])
    expect(await read(host, id)).toMatchObject({ status: 200, json: failed })
    expect(await say(host, id, 'When do you open?')).toMatchObject({
      status: 200,
      json: { response: 'We open at nine.' },
    })
  })

  test('DC7 thirty minutes after the last message it is gone, also when the process was restarted meanwhile', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1))
    const host = await startHost({ clock })
    const [kept, lost] = [await start(host), await start(host)]
    await clock.advance(29 * 60_000)
    expect((await say(host, kept, 'When do you open?')).status).toBe(200)
    expect((await read(host, lost)).status).toBe(200)
    await clock.advance(60_000)
    for (const asked of [say(host, lost, 'Hello'), read(host, lost)])
      expect(await asked).toMatchObject({ status: 404, json: { error_code: 'CONVERSATIONS_NOT_FOUND' } })
    await host.close()

    const later = createFakeClock(clock.now() + 28 * 60_000)
    const next = await startHost({ clock: later, filename: host.filename })
    expect(await say(next, kept, 'May I bring my dog?')).toMatchObject({
      json: { response: 'Dogs are welcome.' },
    })
    await next.close()
    // Nobody has woken it: its time alone says that it is over.
    const store = createSqliteStore({ filename: host.filename })
    const conversations = {
      ...store.conversations,
      timers: { ...store.conversations.timers, claimDue: async () => [] },
    }
    const last = await startHost({
      clock: createFakeClock(later.now() + 30 * 60_000),
      filename: host.filename,
      store: { ...store, conversations },
    })
    expect((await say(last, kept, 'Hello')).status).toBe(404)
  })

  test.each([
    ['conversation', 'We open at nine.'],
    ['turn', 'We open at ten.'],
  ] as const)(
    'DC8 with deployments pinned by %s a chat sees its environment alone',
    async (deploymentPinning, after) => {
      const host = await startHost({ deploymentPinning })
      const { agents } = host.platform
      const id = await start(host)
      const branch = await agents.createBranch(AGENT_ID, { branchName: 'later' })
      const hours = (await agents.topics(AGENT_ID, branch.id)).find(({ name }) => name === 'Opening hours')
      await agents.updateTopic(AGENT_ID, branch.id, hours?.id ?? '', { content: 'We open at ten.' })
      const ask = async (chat: string, env = 'sandbox') =>
        at((await say(host, chat, 'When do you open?', env)).json, 'response')
      expect(await ask(id)).toBe('We open at nine.')
      const sandbox = (await agents.activeDeployments(AGENT_ID)).sandbox
      if (sandbox === null) throw new Error('nothing is deployed')
      await agents.promote(AGENT_ID, sandbox.id, { targetEnvironment: 'live' })
      const live = await start(host, { clientEnv: 'live' })
      await agents.merge(AGENT_ID, branch.id)
      expect(await ask(id)).toBe(after)
      expect(await ask(await start(host))).toBe('We open at ten.')
      expect(await ask(live, 'live')).toBe('We open at nine.')
    },
  )
})

describe('a branch', () => {
  test('DC8 is what a chat on it runs, as it is at each turn, without any deployment', async () => {
    const host = await startHost()
    const { agents } = host.platform
    const { id: branchId } = await agents.createBranch(AGENT_ID, { branchName: 'later' })
    const id = await start(host, { branchId })
    const ask = async (chat = id) => at((await say(host, chat, 'When do you open?')).json, 'response')
    expect(await ask()).toBe('We open at nine.')
    const hours = (await agents.topics(AGENT_ID, branchId)).find(({ name }) => name === 'Opening hours')
    for (const content of ['We open at ten.', 'We open at noon.']) {
      await agents.updateTopic(AGENT_ID, branchId, hours?.id ?? '', { content })
      expect(await ask()).toBe(content)
    }
    // Main and what is deployed have nothing of it.
    expect(await ask(await start(host))).toBe('We open at nine.')
    expect(await ask(await start(host, { branchId: 'main' }))).toBe('We open at nine.')
    await agents.deleteBranch(AGENT_ID, branchId)
    expect(await say(host, id, 'When do you open?')).toMatchObject({
      status: 404,
      json: { error_code: 'BRANCH_NOT_FOUND' },
    })
  })

  test('DC8 needs no deployment, names its variant, and is 404 where there is none', async () => {
    const host = await startHost()
    const { agents } = host.platform
    const { id: agentId } = await agents.create({
      ...{ accountId: ACCOUNT_ID, name: 'New', greeting: 'Hello from a draft' },
    })
    const { id: branchId } = await agents.createBranch(agentId, { branchName: 'first' })
    await agents.updateResponseSettings(agentId, branchId, { greeting: 'Hello from a branch' })
    const { id: variantId } = await agents.createVariant(agentId, branchId, { name: 'Linz' })
    const chats = `/v1/agents/${agentId}/debug-chat`
    const begin = (body: object) => post(host, chats, { ...SANDBOX, ...body })
    expect(await begin({})).toMatchObject({ status: 400, json: { error_code: 'CHAT_DRAFT_NOT_EXIST' } })
    expect(at((await begin({ branchId: 'main' })).json, 'response')).toBe('Hello from a draft')
    expect(at((await begin({ branchId, variantId })).json, 'response')).toBe('Hello from a branch')
    expect(await begin({ branchId: 'main', variantId })).toMatchObject({
      status: 404,
      json: { error_code: 'VARIANT_NOT_FOUND' },
    })
    expect(await begin({ branchId: 'BRANCH-NONE' })).toMatchObject({
      status: 404,
      json: { error_code: 'BRANCH_NOT_FOUND' },
    })
  })
})

describe('replies', () => {
  test('CM5 messages at once each get their own, in one order; too many are refused', async () => {
    let release = (): void => undefined
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const host = await startHost({ held, limits: { queuedMessages: 3 } })
    const id = await start(host)
    const texts = [
      'hold on',
      'When do you open?',
      'May I bring my dog?',
      'Who am I?',
      'xyzzy',
      'I want to pay',
    ]
    const asked = texts.map(text => say(host, id, text))
    await expect
      .poll(async () => (await Promise.race([...asked, Promise.resolve(null)]))?.status ?? 0)
      .toBe(429)
    release()
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(4)
    const right: Readonly<Record<string, string>> = {
      'When do you open?': 'We open at nine.',
      'May I bring my dog?': 'Dogs are welcome.',
    }
    for (const { json } of taken) {
      const text = textAt(json, 'userInput')
      expect(texts).toContain(text)
      if (right[text] !== undefined) expect(at(json, 'response')).toBe(right[text])
    }
    expect(new Set(taken.map(({ json }) => at(json, 'userInput'))).size).toBe(4)
  })

  test('DC6 a message that waits behind the turn that ends the chat is 410, like one that comes afterwards', async () => {
    let release = (): void => undefined
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const host = await startHost({ held })
    const id = await start(host)
    const queued = async () => {
      const stored = await contextOf(host.platform).store.conversations.load(id)
      return [stored?.state.turn?.input.turnId !== undefined, stored?.state.pending?.length]
    }
    const first = say(host, id, 'hold on')
    await expect.poll(queued).toEqual([true, 0])
    const bye = say(host, id, 'So long')
    await expect.poll(queued).toEqual([true, 1])
    const late = say(host, id, 'When do you open?')
    await expect.poll(queued).toEqual([true, 2])
    release()
    expect((await first).status).toBe(200)
    expect(await bye).toMatchObject({ status: 200, json: { conversationEnded: true } })
    expect(await late).toMatchObject({ status: 410, json: { error_code: 'CHAT_CONVERSATION_ENDED' } })
  })

  test('DC2 a chat that ends in the turn that expects an event waits for none', async () => {
    const bye = defineFunction({
      description: 'Asks for a result, and ends the conversation all the same',
      parameters: z.object({}),
      async execute(conversation) {
        await conversation.expectExternalEvent({ delayResponse: true })
        conversation.say('Goodbye!')
        conversation.end()
      },
    })
    const host = await startHost({ functions: { bye } })
    const id = await start(host)
    const over = await say(host, id, 'So long')
    expect(over).toMatchObject({ json: { conversationEnded: true, delayedResponse: false } })
    expect((await read(host, id, '&wait=30')).json).toEqual(over.json)
  })

  test('DC2 and DC11 a delayed reply is read when its event has come, and told with the next message', async () => {
    const host = await startHost()
    const id = await start(host)
    const asked = await say(host, id, 'I want to pay')
    expect(asked).toMatchObject({
      json: { response: 'One moment.', delayedResponse: true, delayedResponses: [] },
    })
    expect((await read(host, id)).json).toEqual(asked.json)
    await pays(host, eventIdOf(asked), 'yes')
    const late = await read(host, id, '&wait=30')
    expect(late).toMatchObject({
      status: 200,
      json: {
        userInput: '',
        response: 'Paid: text/plain: yes',
        delayedResponse: false,
        delayedResponses: [],
        metadata: { state: { paid: 'yes' }, nodeTrace: ['external_event', 'function:pay'] },
      },
    })
    const { delayedResponses: _, ...reply } = Object(late.json)
    const next = await say(host, id, 'When do you open?')
    expect(next).toMatchObject({ json: { response: 'We open at nine.', delayedResponses: [reply] } })
    expect((await read(host, id)).json).toEqual(next.json)
    expect(await say(host, id, 'May I bring my dog?')).toMatchObject({ json: { delayedResponses: [] } })
  })

  test('DC11 DC11 ended chats are read; several late replies stand in the order in which they came', async () => {
    const host = await startHost()
    const id = await start(host)
    expect((await read(host, id)).json).toMatchObject({
      response: 'Welcome to the Harbour!',
      delayedResponses: [],
    })
    const first = eventIdOf(await say(host, id, 'I want to pay'))
    const second = eventIdOf(await say(host, id, 'I want to pay'))
    await pays(host, second, 'two')
    await pays(host, first, 'one')
    await expect
      .poll(async () => at((await read(host, id, '&wait=30')).json, 'response'))
      .toBe('Paid: text/plain: one')
    const late = (await read(host, id)).json
    expect(listAt(late, 'delayedResponses').map(one => at(one, 'response'))).toEqual([
      'Paid: text/plain: two',
    ])
    const bye = await say(host, id, 'So long')
    const responses = (json: unknown) =>
      listAt(json, 'delayedResponses').map(one => [
        at(one, 'response'),
        at(one, 'metadata.state.paid'),
        at(one, 'conversationEnded'),
      ])
    expect(responses(bye.json)).toEqual([
      ['Paid: text/plain: two', 'two', false],
      ['Paid: text/plain: one', 'one', false],
    ])
    expect((await read(host, id)).json).toEqual(bye.json)
    expect(at(bye.json, 'conversationEnded')).toBe(true)
  })

  test('DC11 before the first turn there are empty texts and lists', async () => {
    const clock = createFakeClock()
    const host = await startHost({ clock, runtime: createScriptedRuntime({}, clock) })
    expect(await post(host, CHATS, { ...SANDBOX, conversationId: 'mute' })).toMatchObject({
      status: 500,
      json: { error_code: 'AGENT_FAILED' },
    })
    const { status, json } = await read(host, 'mute')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      userInput: '',
      response: '',
      delayedResponses: [],
      conversationEnded: false,
    })
    expect(Object.keys(Object(at(json, 'metadata')))).toEqual(KEYS)
    expect(Object.values(Object(at(json, 'metadata')))).toEqual([
      {},
      '',
      [],
      {},
      [],
      '',
      [],
      [],
      '',
      null,
      null,
      [],
      'en-GB',
      'en-GB',
    ])
  })

  test('DC11 and EX10 a reader who waits hears of what another process of the store did, with and without a shared bus', async () => {
    for (const bus of [createLocalBus(), undefined]) {
      const one = await startHost(bus === undefined ? {} : { bus })
      const other = await startHost({ filename: one.filename, ...(bus === undefined ? {} : { bus }) })
      const id = await start(one)
      const eventId = eventIdOf(await say(one, id, 'I want to pay'))
      const waiting = read(one, id, '&wait=30')
      await pays(other, eventId, 'elsewhere')
      expect(await waiting).toMatchObject({ status: 200, json: { response: 'Paid: text/plain: elsewhere' } })
      expect(await say(other, id, 'When do you open?')).toMatchObject({
        json: { delayedResponses: [{ response: 'Paid: text/plain: elsewhere' }] },
      })
    }
  })

  test('DC11 waiting ends with its time, and is bounded', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1))
    const host = await startHost({ clock })
    const id = await start(host)
    const asked = await say(host, id, 'I want to pay')
    let answered = false
    const waiting = read(host, id, '&wait=5').then(answer => {
      answered = true
      return answer
    })
    await expect
      .poll(async () => {
        await clock.advance(1_000)
        return answered
      })
      .toBe(true)
    expect((await waiting).json).toEqual(asked.json)
    expect(clock.now() - Date.UTC(2026, 0, 1)).toBeGreaterThanOrEqual(5_000)
    for (const wait of ['31', '-1', '1.5', 'x', '', '1&wait=2'])
      expect(await read(host, id, `&wait=${wait}`), wait).toMatchObject({
        status: 400,
        json: { error_code: 'SCHEMA_VALIDATION_FAILED', error_message: expect.stringContaining('wait') },
      })
    for (const query of ['', '?clientEnv=', '?clientEnv=sandbox&clientEnv=live', '?clientEnv=prod'])
      expect(await get(host, `${CHATS}/${id}${query}`), query).toMatchObject({ status: 400 })
  })
})
