import { describe, expect, test } from 'vitest'
import { startChats } from './support.ts'

const indexes = (answer: { readonly json: { readonly replies: readonly { readonly index: number }[] } }) =>
  answer.json.replies.map(({ index }) => index)

describe('late replies', () => {
  test('TC20 replies are counted from 1, the greeting, and read after any of them', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    await chats.respond(id, 'hello')
    expect((await chats.replies(id, '?after=0')).json).toEqual({
      replies: [
        { index: 1, response: 'Welcome.', end_conversation: false },
        { index: 2, response: 'You said hello.', end_conversation: false },
      ],
      next: 2,
    })
    expect((await chats.replies(id, '?after=1')).json).toMatchObject({ replies: [{ index: 2 }], next: 2 })
    expect((await chats.replies(id, '?after=2')).json).toEqual({ replies: [], next: 2 })
    expect((await chats.replies(id)).json).toEqual({ replies: [], next: 2 })
    await chats.respond(id, 'break')
    await chats.respond(id, 'person')
    expect((await chats.replies(id, '?after=2')).json).toEqual({
      replies: [
        {
          ...{ index: 3, response: 'One moment.', end_conversation: true },
          handoff: { destination: 'reception', reason: 'asked' },
        },
      ],
      next: 3,
    })
  })

  test('TC20 a reply that waits answers with what was said; the rest comes before the next reply, once', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    expect((await chats.respond(id, 'pay')).json).toMatchObject({ response: 'One moment.' })
    await chats.pay()
    expect((await chats.respond(id, 'hello')).json).toMatchObject({
      response: 'It was paid.\n\nYou said hello.',
    })
    expect((await chats.respond(id, 'hello')).json).toMatchObject({ response: 'You said hello.' })
    expect((await chats.respond(id, 'pay silently')).json).toMatchObject({ response: '' })
  })

  test('TC20 replies are waited for, at most as long as asked', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    await chats.respond(id, 'pay')
    let answered = false
    const asked = chats.replies(id, '?wait=30').then(answer => {
      answered = true
      return answer
    })
    await chats.clock.advance(20_000)
    expect(answered).toBe(false)
    await chats.pay()
    expect((await asked).json).toMatchObject({ replies: [{ index: 3, response: 'It was paid.' }], next: 3 })
    const none = chats.replies(id, '?after=3&wait=2')
    await chats.clock.advance(2_000)
    expect((await none).json).toEqual({ replies: [], next: 3 })
    await chats.close(id)
    expect((await chats.replies(id, '?after=3&wait=30')).json).toEqual({ replies: [], next: 3 })
    for (const query of ['?after=-1', '?after=x', '?wait=31', '?after=1.5'])
      expect((await chats.replies(id, query)).status).toBe(400)
  })

  test('TC20 what was asked beyond is told: the next message does not tell it again', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    await chats.respond(id, 'pay')
    await chats.pay()
    expect(indexes(await chats.replies(id))).toEqual([3])
    // Not acknowledged yet: it is told until it is.
    expect(indexes(await chats.replies(id))).toEqual([3])
    expect(indexes(await chats.replies(id, '?after=3'))).toEqual([])
    expect((await chats.respond(id, 'hello')).json).toMatchObject({ response: 'You said hello.' })
  })

  test('TC20 what came after the end of a call that failed is told with the next', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    await chats.respond(id, 'pay')
    await chats.pay()
    expect((await chats.respond(id, 'break')).status).toBe(500)
    expect((await chats.respond(id, 'hello')).json).toMatchObject({
      response: 'It was paid.\n\nYou said hello.',
    })
  })
})

describe('idempotency keys', () => {
  test('TC30 the same key begins one chat and says one thing, with the same answer', async () => {
    const chats = await startChats()
    const first = await chats.create({ channel: 'sms' }, 'k1')
    expect(await chats.create({ channel: 'sms' }, 'k1')).toEqual(first)
    const id = first.json.conversation_id
    await chats.respond(id, 'pay')
    await chats.pay()
    const said = await chats.respond(id, 'hello', { metadata: { a: 1, b: 2 } }, 'k1')
    expect(said.json.response).toBe('It was paid.\n\nYou said hello.')
    await chats.respond(id, 'something else')
    expect(await chats.respond(id, 'hello', { metadata: { b: 2, a: 1 } }, 'k1')).toEqual(said)
    await chats.respond(id, 'bye', {}, 'k2')
    expect((await chats.respond(id, 'bye', {}, 'k2')).json).toMatchObject({ end_conversation: true })
    expect(await chats.respond(id, 'hello', { metadata: { b: 2, a: 1 } }, 'k1')).toEqual(said)
    expect((await chats.respond(id, 'new', {}, 'k3')).status).toBe(410)
    expect(chats.runtime.turns.length).toBe(6)
  })

  test('TC30 also while the first is under way, and long after many others', async () => {
    const chats = await startChats()
    const begun = await Promise.all([chats.create({}, 'k'), chats.create({}, 'k'), chats.create({}, 'k')])
    expect(new Set(begun.map(({ json }) => json.conversation_id)).size).toBe(1)
    const id = begun[0]?.json.conversation_id
    const asked = [1, 2, 3].map(() => chats.respond(id, 'slow', {}, 'k'))
    await chats.clock.settle()
    await chats.clock.advance(3_000)
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    for (let said = 0; said < 40; said++) await chats.respond(id, `${said}`)
    expect(await chats.respond(id, 'slow', {}, 'k')).toEqual(answers[0])
    expect(chats.runtime.turns.length).toBe(42)
  })

  test('TC30 a key is that of its connector and call: the same text is another key elsewhere', async () => {
    const chats = await startChats()
    const id = (await chats.create({}, 'k')).json.conversation_id
    const { connector: other } = await chats.platform.access.createConnector({
      ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: [] },
    })
    const first = await chats.respond(id, 'hello', {}, 'k')
    expect(first.json).toMatchObject({ response: 'You said hello.' })
    const message = { conversationId: id, message: 'something else', idempotencyKey: 'k' }
    const elsewhere = await chats.platform.chat.respond(other, message)
    expect(elsewhere).toMatchObject({ response: 'You said something else.' })
    expect(await chats.platform.chat.respond(other, message)).toEqual(elsewhere)
    expect(await chats.respond(id, 'hello', {}, 'k')).toEqual(first)
    const begun = await chats.platform.chat.create(other, { idempotencyKey: 'k' })
    expect(begun.conversationId).not.toBe(id)
    expect(chats.runtime.turns.length).toBe(4)
  })

  test('TC30 another body under a key is 409; a refused request takes no key', async () => {
    const chats = await startChats()
    const id = (await chats.create({}, 'k')).json.conversation_id
    const reused = { status: 409, json: { error_code: 'IDEMPOTENCY_KEY_REUSED' } }
    expect(await chats.create({ channel: 'sms' }, 'k')).toMatchObject(reused)
    await chats.respond(id, 'hello', {}, 'k')
    expect(await chats.respond(id, 'other', {}, 'k')).toMatchObject(reused)
    expect(await chats.respond(id, 'hello', { metadata: {} }, 'k')).toMatchObject(reused)
    expect((await chats.create({ variant_id: 'none' }, 'k2')).status).toBe(404)
    expect((await chats.create({}, 'k2')).status).toBe(200)
    for (const key of ['', ' ', 'a b', 'x'.repeat(256)])
      expect((await chats.create({}, key)).status).toBe(400)
  })

  test('TC30 a key of `respond` stands for one chat of its connector for 24 hours', async () => {
    const chats = await startChats({ chatIdle: 200_000_000, workers: false })
    const [one, two] = [await chats.begin(), await chats.begin()]
    const reused = { status: 409, json: { error_code: 'IDEMPOTENCY_KEY_REUSED' } }
    const first = await chats.respond(one, 'hello', {}, 'k')
    expect(await chats.respond(two, 'hello', {}, 'k')).toMatchObject(reused)
    expect(await chats.respond(one, 'hello', {}, 'k')).toEqual(first)
    // Repeats do not make it longer, and a chat that has ended still has it.
    await chats.clock.advance(86_399_000)
    expect(await chats.respond(one, 'hello', {}, 'k')).toEqual(first)
    await chats.close(one)
    expect(await chats.respond(two, 'hello', {}, 'k')).toMatchObject(reused)
    await chats.clock.advance(1_000)
    expect((await chats.respond(two, 'hi', {}, 'k')).json).toMatchObject({ response: 'You said hi.' })
    expect((await chats.respond(one, 'late', {}, 'k')).status).toBe(410)
    expect(chats.runtime.turns.length).toBe(4)
  })

  test('TC30 of two chats at once under one key one says it, and the other is 409 and says nothing', async () => {
    const chats = await startChats()
    const ids = await Promise.all(Array.from({ length: 5 }, () => chats.begin()))
    const asked = ids.map(id => chats.respond(id, 'hello', {}, 'k'))
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(answers[winner]?.json).toMatchObject({ conversation_id: ids[winner], response: 'You said hello.' })
    expect(chats.runtime.turns.length).toBe(6)
  })

  test('TC30 a chat that has ended takes no key', async () => {
    const chats = await startChats()
    const [over, open] = [await chats.begin(), await chats.begin()]
    await chats.close(over)
    expect((await chats.respond(over, 'hello', {}, 'k')).status).toBe(410)
    expect((await chats.respond(open, 'hello', {}, 'k')).status).toBe(200)
    expect((await chats.respond('CONV-none', 'hello', {}, 'k2')).status).toBe(404)
    expect((await chats.respond(open, 'x'.repeat(2_000_000), {}, 'k2')).status).not.toBe(200)
    expect((await chats.respond(open, 'hello', {}, 'k2')).status).toBe(200)
  })

  test('TC30 after 24 hours a key is free', async () => {
    const chats = await startChats({ chatIdle: 200_000_000, workers: false })
    const first = await chats.create({}, 'k')
    const id = first.json.conversation_id
    await chats.respond(id, 'hello', {}, 'k')
    await chats.clock.advance(86_399_000)
    expect(await chats.create({}, 'k')).toEqual(first)
    expect((await chats.respond(id, 'other', {}, 'k')).status).toBe(409)
    await chats.clock.advance(1_000)
    const second = await chats.create({ channel: 'sms' }, 'k')
    expect(second.json.conversation_id).not.toBe(id)
    expect((await chats.respond(id, 'other', {}, 'k')).json).toMatchObject({ response: 'You said other.' })
    expect(await chats.create({ channel: 'sms' }, 'k')).toEqual(second)
  })
})
