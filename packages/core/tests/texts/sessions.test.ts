import { describe, expect, it } from 'vitest'
import { RECENT_TEXTS } from '../../src/domain/text/text-pair.ts'
import { OTHER, OURS, startTexts, THEIRS } from './support.ts'

const SECOND = 1_000
const MINUTE = 60_000

describe('texts of users', () => {
  it('TX1 a text begins a session, and the next ones join it; the agent answers each, from the number that was texted', async () => {
    const { carrier, sent, text } = await startTexts()
    const first = await text('hello')
    const second = await text('again')
    expect(second.conversationId).toBe(first.conversationId)
    expect(first).toMatchObject({ keyword: null, repeated: false })
    expect(sent()).toEqual(['You said hello.', 'You said again.'])
    expect(carrier.taken).toMatchObject([
      { from: OURS, to: THEIRS },
      { from: OURS, to: THEIRS },
    ])
  })

  it('TX1 each pair of numbers has a session of its own', async () => {
    const { text } = await startTexts()
    const ids = [
      await text('a'),
      await text('b', { to: OTHER }),
      await text('c', { from: '+12025550112' }),
      await text('d'),
    ].map(({ conversationId }) => conversationId)
    expect(new Set(ids.slice(0, 3)).size).toBe(3)
    expect(ids[3]).toBe(ids[0])
  })

  it('TX1 a session that has ended is followed by a new one', async () => {
    const { sent, text, record } = await startTexts()
    const first = await text('bye')
    expect((await record(first.conversationId))?.endedAt).not.toBeNull()
    const second = await text('hello')
    expect(second.conversationId).not.toBe(first.conversationId)
    expect(sent()).toEqual(['Goodbye.', 'You said hello.'])
  })

  it('TX1 who texts first is answered, and not greeted', async () => {
    const { sent, text } = await startTexts()
    await text('hello')
    expect(sent()).toEqual(['You said hello.'])
  })

  it('the record has the channel, the direction and both numbers, and is listed and counted', async () => {
    const { account, agent, connector, platform, record, text } = await startTexts()
    const { conversationId } = await text('hello')
    expect(await record(conversationId)).toMatchObject({
      ...{ kind: 'text', listed: true, connectorId: connector.id },
      record: { channel: 'SMS', direction: 'inbound', fromNumber: THEIRS, toNumber: OURS, turns: 1 },
    })
    const filter = { accountId: account.id, agentId: agent.id, environment: 'live' as const }
    const { records } = await platform.reading.records(filter, { offset: 0 }, 10)
    expect(records.map(({ id }) => id)).toEqual([conversationId])
  })

  it('TX4 a text to an environment without a deployment, or to a number that nobody has, is refused and takes no effect', async () => {
    const { agent, account, clock, platform, store, text } = await startTexts()
    const number = '+12025550109'
    await expect(text('hello', { to: number })).rejects.toMatchObject({ code: 'PHONE_NUMBERS_NOT_FOUND' })
    const of = { accountId: account.id, agentId: agent.id, environment: 'sandbox' as const }
    const connector = await platform.access.createTelephonyConnector({ ...of, name: 'Empty' })
    await store.access.phoneNumbers.add(
      [{ ...of, number, connectorId: connector.id, createdAt: clock.now() }],
      10,
    )
    await expect(text('hello', { to: number })).rejects.toMatchObject({ code: 'CHAT_DRAFT_NOT_EXIST' })
    expect(await store.conversations.textPairs.find(number, THEIRS)).toBeNull()
  })
})

describe('once only', () => {
  it('TX32 a text that its carrier hands over again changes nothing, also in a session that has ended', async () => {
    const { sent, text } = await startTexts()
    const first = await text('hello', { id: 'SM-a' })
    expect(await text('hello', { id: 'SM-a' })).toEqual({ ...first, repeated: true })
    const bye = await text('bye', { id: 'SM-b' })
    await text('later', { id: 'SM-c' })
    expect(await text('bye', { id: 'SM-b' })).toEqual({ ...bye, repeated: true })
    expect(await text('hello', { id: 'SM-a' })).toEqual({ ...first, repeated: true })
    expect(sent()).toEqual(['You said hello.', 'Goodbye.', 'You said later.'])
  })

  it('TX32 texts at once are each taken once, in one session, however often each comes', async () => {
    const { platform, sent, settle } = await startTexts()
    const words = ['a', 'b', 'c', 'd', 'e']
    const given = [...words, ...words, ...words].map(text => ({ id: text, from: THEIRS, to: OURS, text }))
    const receipts = await Promise.all(given.map(text => platform.texts.received(text)))
    await settle()
    expect(new Set(receipts.map(({ conversationId }) => conversationId)).size).toBe(1)
    expect(receipts.filter(({ repeated }) => !repeated)).toHaveLength(words.length)
    expect([...sent()].sort()).toEqual(words.map(word => `You said ${word}.`))
  })

  it('TX32 the newest hundred texts of a pair are known again', async () => {
    const { store, text } = await startTexts()
    for (let count = 0; count < RECENT_TEXTS + 2; count++) await text('hi', { id: `SM-${count}` })
    const pair = await store.conversations.textPairs.find(OURS, THEIRS)
    expect(pair?.recent).toHaveLength(RECENT_TEXTS)
    expect((await text('hi', { id: 'SM-2' })).repeated).toBe(true)
  })
})

describe('keywords', () => {
  it.each([
    ['STOP', ['STOP', ' stop\n', 'STOPALL', 'stop all', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE']],
    [
      'STOP',
      ['OPTOUT', 'Opt-out', 'Stop.', '¡STOP!', '"STOP"', 'ＳＴＯＰ', 'STOP\u200b', 's.t.o.p', 'stop 🛑'],
    ],
    ['START', ['START', 'sTaRt ', 'UNSTOP', '(unstop)']],
    ['HELP', ['Help', 'HELP?', 'INFO', 'info!']],
  ])(
    'TX31 the carriers’ words for %s never reach the agent, however they are spelled: %j',
    async (keyword, words) => {
      const { sent, text } = await startTexts()
      for (const word of words) expect(await text(word)).toMatchObject({ conversationId: null, keyword })
      expect(sent()).toEqual([])
    },
  )

  it('TX31 whoever has opted out is back with any of START, UNSTOP and YES', async () => {
    for (const word of ['START', 'UNSTOP', 'yes!']) {
      const { sent, text } = await startTexts()
      await text('STOP')
      await text('anyone?')
      expect(await text(word, { id: 'SM-back' })).toMatchObject({ keyword: 'START', repeated: false })
      expect(await text(word, { id: 'SM-back' })).toMatchObject({ keyword: 'START', repeated: true })
      await text('hello')
      expect(sent()).toEqual(['You said hello.'])
    }
  })

  it('TX31 YES of a user who has not opted out is an answer, and reaches the agent', async () => {
    const { sent, text } = await startTexts()
    expect(await text('Yes')).toMatchObject({ keyword: null })
    expect(sent()).toEqual(['You said Yes.'])
  })

  it('TX31 what the carrier says of a text counts before its words', async () => {
    const { sent, text } = await startTexts()
    expect(await text('ARRET', { keyword: 'STOP' })).toMatchObject({ keyword: 'STOP', conversationId: null })
    await text('hello')
    expect(await text('stop', { keyword: 'START' })).toMatchObject({ keyword: 'START' })
    expect(await text('stop', { keyword: null })).toMatchObject({ keyword: 'STOP' })
    expect(sent()).toEqual([])
  })

  it('short codes and alphanumeric senders are users as well; what is none of these is refused', async () => {
    const { carrier, text } = await startTexts()
    for (const from of ['12345', '123', '12345678', 'AMAZON', 'My Bank 24', '+266696687'])
      expect((await text('hi', { from })).conversationId).not.toBeNull()
    expect(carrier.taken.map(({ to }) => to)).toContain('12345')
    for (const from of ['12', '123456789', 'MoreThan11Characters', '', '   ', 'whatsapp:+12025550111', '📱'])
      await expect(text('hi', { from })).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  })

  it('TX31 words beside a keyword make it a text for the agent', async () => {
    const { sent, text, record } = await startTexts()
    const { conversationId } = await text('please stop')
    expect(sent()).toEqual(['You said please stop.'])
    expect((await record(conversationId))?.record.turns).toBe(1)
  })

  it('TX31 texts to a user who has opted out are dropped silently, until the user opts in; of that number alone', async () => {
    const { errors, platform, sent, text } = await startTexts()
    const { conversationId } = await text('one')
    await text('STOP')
    await text('two')
    await text('elsewhere', { to: OTHER })
    expect(sent()).toEqual(['You said one.', 'You said elsewhere.'])
    await text('START')
    await text('three')
    expect(sent()).toEqual(['You said one.', 'You said elsewhere.', 'You said three.'])
    const standing = await platform.texts.standing(conversationId ?? '')
    expect(standing?.settled.map(({ status }) => status)).toEqual(['sent', 'dropped', 'sent'])
    expect(errors).toEqual([])
  })

  it('TX31 a STOP that comes again late does not opt out again', async () => {
    const { sent, text } = await startTexts()
    await text('STOP', { id: 'SM-stop' })
    await text('START')
    expect(await text('STOP', { id: 'SM-stop' })).toMatchObject({ keyword: 'STOP', repeated: true })
    await text('hello')
    expect(sent()).toEqual(['You said hello.'])
  })
})

const SHORT = { textIdle: 60 * SECOND, textGrace: 20 * SECOND }

describe('silence', () => {
  it('TX10 24 hours of silence are warned of, a reply within 10 minutes keeps the session, else it ends', async () => {
    const usual = (await startTexts()).platform.settings
    expect([usual.textIdle, usual.textGrace]).toEqual([24 * 60 * MINUTE, 10 * MINUTE])
    const { platform, record, sent, text, wait } = await startTexts(SHORT)
    const { conversationId } = await text('hello')
    await wait(59 * SECOND)
    expect(sent()).toHaveLength(1)
    await wait(2 * SECOND)
    expect(sent().at(-1)).toBe(platform.settings.textWarning)
    await wait(10 * SECOND)
    expect((await text('still here')).conversationId).toBe(conversationId)
    await wait(70 * SECOND)
    expect(sent().filter(text => text === platform.settings.textWarning)).toHaveLength(2)
    expect((await record(conversationId))?.endedAt).toBeNull()
    await wait(12 * SECOND)
    expect(await record(conversationId)).toMatchObject({ endReason: 'REASON_USER_ABANDONED' })
    expect((await text('hello?')).conversationId).not.toBe(conversationId)
  })

  it('TX10 who never replied is not warned, and the session ends after both times together', async () => {
    const { connector, platform, record, sent, settle, wait } = await startTexts(SHORT)
    const { conversationId } = await platform.texts.open(connector, {
      to: THEIRS,
      text: 'Your order is here.',
    })
    await settle()
    await wait(79 * SECOND)
    expect((await record(conversationId))?.endedAt).toBeNull()
    await wait(2 * SECOND)
    expect((await record(conversationId))?.endedAt).not.toBeNull()
    expect(sent()).toEqual(['Your order is here.'])
  })
})

describe('sessions of the agent’s side', () => {
  it('TX1 a text opens a new session, in which it stands like a greeting, and the user’s reply joins it', async () => {
    const { connector, platform, record, sent, settle, store, text } = await startTexts()
    const before = await text('hello')
    const { conversationId } = await platform.texts.open(connector, {
      to: THEIRS,
      text: 'Your order is here.',
    })
    await settle()
    expect(conversationId).not.toBe(before.conversationId)
    expect((await record(before.conversationId))?.endedAt).not.toBeNull()
    expect((await text('thanks')).conversationId).toBe(conversationId)
    expect(sent().slice(1)).toEqual(['Your order is here.', 'You said thanks.'])
    const turns = await store.conversations.turns(conversationId ?? '')
    expect(turns.map(({ record }) => [record.user_input, record.agent_response])).toEqual([
      ['', 'Your order is here.'],
      ['thanks', 'You said thanks.'],
    ])
    expect(await record(conversationId)).toMatchObject({
      record: { direction: 'outbound', fromNumber: OURS, toNumber: THEIRS, channel: 'SMS' },
    })
  })

  it('TX5 a given number must be one of the agent’s in that environment; without one the connector’s own is taken', async () => {
    const { carrier, connector, platform, settle } = await startTexts()
    const open = (from?: string) =>
      platform.texts.open(connector, { to: THEIRS, text: 'Hi.', ...(from === undefined ? {} : { from }) })
    await open()
    await open(OTHER)
    await settle()
    expect(carrier.taken.map(({ from }) => from)).toEqual([OURS, OTHER])
    await expect(open('+12025550109')).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  })

  it('TX57 RCS needs the carrier’s sender and takes no number; its replies join the session', async () => {
    const { carrier, connector, platform, record, settle } = await startTexts()
    const rcs = { to: THEIRS, text: 'Hi.', channel: 'RCS' as const }
    await expect(platform.texts.open(connector, rcs)).rejects.toMatchObject({ status: 400 })
    await expect(
      platform.texts.open(connector, { ...rcs, service: 'MG1', from: OURS }),
    ).rejects.toMatchObject({ status: 400 })
    const { conversationId } = await platform.texts.open(connector, { ...rcs, service: 'MG1' })
    await settle()
    expect(carrier.asked[0]).toMatchObject({ channel: 'RCS', service: 'MG1', from: null, to: THEIRS })
    const reply = { id: 'SM-1', from: THEIRS, to: 'brand_agent', service: 'MG1', channel: 'RCS' as const }
    expect(await platform.texts.received({ ...reply, text: 'hello' })).toMatchObject({ conversationId })
    expect((await record(conversationId))?.record.channel).toBe('RCS')
  })

  it('TX31 nothing is opened for a user who has opted out', async () => {
    const { connector, platform, sent, settle, text } = await startTexts()
    await text('STOP')
    expect(await platform.texts.open(connector, { to: THEIRS, text: 'Hi.' })).toEqual({
      conversationId: null,
    })
    await settle()
    expect(sent()).toEqual([])
  })

  it('TX4 without textCarrier a session cannot be opened, and the refusal names the option', async () => {
    const { connector, platform } = await startTexts({}, undefined, null)
    await expect(platform.texts.open(connector, { to: THEIRS, text: 'Hi.' })).rejects.toMatchObject({
      ...{ code: 'NOT_IMPLEMENTED', status: 501 },
      message: expect.stringContaining('textCarrier'),
    })
  })
})

describe('sending', () => {
  it('TX20 TX21 what fails, hangs or is put off is sent by a later attempt, in order, once', async () => {
    const { carrier, platform, sent, text, wait } = await startTexts()
    carrier.script('loses the request', { retryAfter: 5_000 }, 'hangs', 'loses the answer')
    await text('one')
    await text('two')
    expect(sent()).toEqual([])
    await wait(10 * MINUTE)
    expect(sent()).toEqual(['You said one.', 'You said two.'])
    expect(carrier.asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 1])
    expect(carrier.asked[1]?.firstAttemptAt).toBe(carrier.asked[0]?.firstAttemptAt)
    expect(platform.settings.textDeadline).toBe(10_000)
  })

  it('TX20 what the carrier refuses has failed, and the next text goes', async () => {
    const { carrier, platform, sent, text } = await startTexts()
    carrier.script({ refused: 'No such number.' }, { refused: 'STOP', optedOut: true })
    const { conversationId } = await text('one')
    await text('two')
    await text('three')
    expect(sent()).toEqual(['You said three.'])
    expect((await platform.texts.standing(conversationId ?? ''))?.settled).toMatchObject([
      { number: 1, status: 'failed', carrierId: null },
      { number: 2, status: 'dropped', carrierId: null },
      { number: 3, status: 'sent', carrierId: 'SM-1' },
    ])
  })

  it('TX20 the last words of a session that has ended are sent all the same', async () => {
    const { carrier, sent, text, wait } = await startTexts()
    carrier.script('loses the request')
    await text('bye')
    await wait(MINUTE)
    expect(sent()).toEqual(['Goodbye.'])
  })

  it('TX20 after so many attempts a text has failed', async () => {
    const { carrier, platform, text, wait } = await startTexts({ textAttempts: 2 })
    carrier.script('loses the request', 'loses the request')
    const { conversationId } = await text('one')
    await wait(MINUTE)
    expect(await platform.texts.standing(conversationId ?? '')).toMatchObject({
      waiting: 0,
      settled: [{ status: 'failed' }],
    })
  })

  it('TX26 a long answer goes in parts, in order', async () => {
    const { sent, text } = await startTexts()
    await text('long')
    expect(sent().map(({ length }) => length)).toEqual([1_600, 400])
  })

  it('TX32 the carrier’s word on a text counts, also where its answer was lost, and never goes back', async () => {
    const { carrier, platform, text, wait } = await startTexts()
    carrier.script('loses the answer')
    const { conversationId } = await text('one')
    const id = carrier.taken[0]?.id ?? ''
    const told = (status: 'sent' | 'delivered' | 'failed') =>
      platform.texts.status({ id, carrierId: 'SM-1', status })
    expect(await told('delivered')).toBe(true)
    await wait(MINUTE)
    expect(carrier.asked).toHaveLength(1)
    for (const late of ['sent', 'failed', 'delivered'] as const) await told(late)
    expect((await platform.texts.standing(conversationId ?? ''))?.settled).toEqual([
      { number: 1, status: 'delivered', carrierId: 'SM-1' },
    ])
    const stray = { carrierId: 'SM-9', status: 'sent' as const }
    expect(await platform.texts.status({ ...stray, id: 'nonsense' })).toBe(false)
    expect(await platform.texts.status({ ...stray, id: 'CONV-none.1' })).toBe(false)
  })
})
