import { createApi } from '@colloquy/client/http'
import { createLocalBus, defineFunction } from '@colloquy/core'
import { contextOf } from '@colloquy/test-support/context-of'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { at, textAt } from '../../examples/quickstart/src/json.ts'
import { connectVisitor } from '../../examples/quickstart/src/visitor.ts'
import { ACCOUNT_ID, AGENT_ID, type Answer, call, type Host, startHost } from './support/host.ts'

// Slow: each test starts a host, and writes its agent into a file of its own.

const CHATS = `/v1/agents/${AGENT_ID}/debug-chat`

/** A debug chat whose agent waits for an event. */
async function waitingChat(host: Host): Promise<{ readonly id: string; readonly eventId: string }> {
  const key = host.keys.workspace
  const started = await call(host, CHATS, { key, method: 'POST', body: '{"clientEnv":"sandbox"}' })
  const id = textAt(started.json, 'conversationId')
  const asked = await say(host, id, 'I want to pay')
  return { id, eventId: textAt(asked.json, 'metadata.state.event_id') }
}
const say = (host: Host, id: string, message: string) =>
  call(host, `${CHATS}/${id}`, {
    key: host.keys.workspace,
    method: 'POST',
    body: JSON.stringify({ clientEnv: 'sandbox', message }),
  })

/** What the agent made of the event. */
const replyOf = async (host: Host, id: string): Promise<unknown> =>
  at(
    (await call(host, `${CHATS}/${id}?clientEnv=sandbox&wait=30`, { key: host.keys.workspace })).json,
    'response',
  )

interface Sent {
  readonly location?: string
  readonly path?: string
  readonly type?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly agent?: string
}

const target = ({ location = 'payload', path = 'id', query = '', agent = AGENT_ID }: Sent): string =>
  `/v1/external-events/webhook?${new URLSearchParams({ event_id_location: location, event_id_path: path, account_id: 'hotel', project_id: agent })}${query}`

const send = (host: Host, sent: Sent): Promise<Answer> =>
  call(host, target(sent), {
    key: host.keys.events,
    method: 'POST',
    headers: { 'content-type': sent.type ?? 'application/json', ...sent.headers },
    body: sent.body ?? '',
  })

const receipt = (id: string, eventId: string, status: string) => ({
  status: 201,
  json: { external_event_id: eventId, conversation_id: id, status },
})

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const XML = 'application/xml'
const TEXT = 'text/plain'
const TYPES = [JSON_TYPE, FORM, XML, TEXT]

describe('where the id stands', () => {
  const PLACES: readonly [type: string, path: string, body: (id: string) => string][] = [
    [JSON_TYPE, 'id', id => JSON.stringify({ id })],
    [FORM, 'payment.ref', id => `payment%5Bref%5D=+${id}`],
    [XML, 'r.payment.1.@ref', id => `<r><payment ref="0"/><payment ref="${id}"/></r>`],
    [TEXT, 'id', id => `result=ok\r\nid = ${id} ;x=y`],
  ]
  test.each(PLACES)(
    'EX1 in a payload of %s at %s, and the function reads the body as it came',
    async (type, path, write) => {
      const host = await startHost()
      const { id, eventId } = await waitingChat(host)
      const body = write(eventId)
      expect(await send(host, { type, path, body })).toEqual(receipt(id, eventId, 'accepted'))
      expect(await replyOf(host, id)).toBe(`Paid: ${type}: ${body}`)
    },
  )

  test.each(TYPES)(
    'EX1 and EX10 with %s in a header or a parameter, and the body is kept byte for byte, empty or not',
    async type => {
      const host = await startHost()
      const bodies = [new Uint8Array(), new Uint8Array([0, 0xff, 0xfe, 0x3c, 0x7b, 0x0d, 0x0a, 0xc3])]
      for (const body of bodies) {
        for (const place of [
          (id: string): Sent => ({
            location: 'headers',
            path: 'X-Event-ID',
            headers: { 'x-event-id': ` ${id} ` },
          }),
          (id: string): Sent => ({ location: 'querystring', path: 'ref', query: `&ref=${id}&ref=other` }),
        ]) {
          const { id, eventId } = await waitingChat(host)
          expect(await send(host, { ...place(eventId), type, body })).toEqual(
            receipt(id, eventId, 'accepted'),
          )
          const stored = await contextOf(host.platform).store.conversations.externalEvents.find(eventId)
          expect(stored).toMatchObject({ contentType: type, conversationId: id })
          expect(new Uint8Array(stored?.body ?? [1])).toEqual(body)
        }
      }
    },
  )
})

describe('bodies', () => {
  test('EX10 another content type, and a content encoding, is 415, more than 1 MiB is 413, and 1 MiB is kept whole', async () => {
    const host = await startHost()
    const { id, eventId } = await waitingChat(host)
    for (const type of [
      'text/xml',
      'application/octet-stream',
      'application/problem+json',
      'multipart/form-data; boundary=x',
      'json',
    ])
      expect(await send(host, { type, body: JSON.stringify({ id: eventId }) }), type).toMatchObject({
        status: 415,
        json: { error_message: expect.stringContaining('application/xml') },
      })
    const packed = { headers: { 'content-encoding': 'gzip', 'x-id': eventId } }
    expect(await send(host, { ...packed, type: TEXT, location: 'headers', path: 'x-id' })).toMatchObject({
      status: 415,
      json: { error_message: 'The body must not have a Content-Encoding.' },
    })
    const filled = (length: number) => {
      const [head, tail] = [`<r><id>${eventId}</id>`, '</r>']
      return (
        head +
        '<a/>'.repeat(length).slice(0, 4 * Math.floor((length - head.length - tail.length) / 4)) +
        ' '.repeat((length - head.length - tail.length) % 4) +
        tail
      )
    }
    expect(await send(host, { type: XML, body: filled(1_048_577) })).toMatchObject({ status: 413 })
    expect(await contextOf(host.platform).store.conversations.externalEvents.find(eventId)).toBeNull()
    expect(await send(host, { type: XML, body: filled(1_048_576) })).toEqual(receipt(id, eventId, 'accepted'))
    expect(
      (await contextOf(host.platform).store.conversations.externalEvents.find(eventId))?.body.length,
    ).toBe(1_048_576)
  })
})

describe('moments', () => {
  test('EX10 of the same event sent ten times at once one is accepted, and the agent hears of it once', async () => {
    const host = await startHost()
    const { id, eventId } = await waitingChat(host)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(host, { body: JSON.stringify({ id: eventId, n }) })),
    )
    const statuses = answers.map(({ json }) => at(json, 'status'))
    expect(statuses.toSorted()).toEqual(['accepted', ...Array.from({ length: 9 }, () => 'duplicate')])
    expect(await replyOf(host, id)).toBe(
      `Paid: application/json: ${JSON.stringify({ id: eventId, n: statuses.indexOf('accepted') })}`,
    )
    expect(await send(host, { body: JSON.stringify({ id: eventId }) })).toEqual(
      receipt(id, eventId, 'duplicate'),
    )
    const turns = await contextOf(host.platform).store.conversations.turns(id)
    expect(turns.filter(({ details }) => details.input_type === 'external_event')).toHaveLength(1)
  })

  test('EX10 an event for a conversation that has ended is kept and says so, then and when sent again', async () => {
    const host = await startHost()
    const { id, eventId } = await waitingChat(host)
    await say(host, id, 'So long')
    expect(await send(host, { body: JSON.stringify({ id: eventId }) })).toEqual(
      receipt(id, eventId, 'conversation_ended'),
    )
    expect(
      (await contextOf(host.platform).store.conversations.externalEvents.find(eventId))?.contentType,
    ).toBe(JSON_TYPE)
    expect(await send(host, { body: JSON.stringify({ id: eventId }) })).toEqual(
      receipt(id, eventId, 'duplicate'),
    )
    expect(await replyOf(host, id)).toBe('Goodbye!')
  })

  test('CM15 an event that comes while its turn is still running is answered after it, once', async () => {
    const early: { answer?: Answer } = {}
    const host: Host = await startHost({
      functions: {
        pay: defineFunction({
          description: 'Pays at once',
          parameters: z.object({}),
          async execute(conversation) {
            if (conversation.externalEvent !== null) {
              conversation.say('Paid already.')
              return null
            }
            const eventId = await conversation.expectExternalEvent({ delayResponse: true })
            conversation.setVariable('event_id', eventId)
            early.answer = await send(host, { body: JSON.stringify({ id: eventId }) })
            conversation.say('One moment.')
            return null
          },
        }),
      },
    })
    const { id, eventId } = await waitingChat(host)
    expect(early.answer).toEqual(receipt(id, eventId, 'accepted'))
    expect(await replyOf(host, id)).toBe('Paid already.')
    const turns = await contextOf(host.platform).store.conversations.turns(id)
    expect(turns.map(({ record }) => record.agent_response).slice(1)).toEqual([
      'One moment.',
      'Paid already.',
    ])
  })

  test.each(['with', 'without'])(
    'EX10 a visitor’s socket in one process hears what came to another, %s a shared bus',
    async bus => {
      const shared = bus === 'with' ? { bus: createLocalBus() } : {}
      const one = await startHost({ ...shared, heartbeatSeconds: 1 })
      const other = await startHost({ ...shared, filename: one.filename })
      const { accountId, agentId } = { accountId: ACCOUNT_ID, agentId: AGENT_ID }
      const { token } = await one.platform.access.createConnector({
        accountId,
        agentId,
        environment: 'sandbox',
        hosts: ['localhost'],
      })
      const issuing = { connectorToken: token, connectorHost: 'localhost' }
      const { access_token: accessToken } = await createApi({
        server: one.url,
        credentials: issuing,
      }).issueAccessToken()
      const opening = createApi({ server: one.url, credentials: { accessToken } })
      const { session_id: sessionId } = await opening.createSession({ body: {} })
      const visitor = connectVisitor({ url: one.url, sessionId, accessToken })
      onTestFinished(() => visitor.stop())
      visitor.join()
      await visitor.next('AI_AGENT_MESSAGE')
      visitor.say('I want to pay')
      await visitor.next('AI_AGENT_MESSAGE')
      const stored = await contextOf(one.platform).store.conversations.load(sessionId)
      const eventId = textAt(stored?.state.variables, 'event_id')
      expect(await send(other, { body: JSON.stringify({ id: eventId }) })).toEqual(
        receipt(sessionId, eventId, 'accepted'),
      )
      // Without a bus nobody tells the first process: it looks with the visitor's next heartbeat.
      if (bus === 'without') await other.platform.idle()
      const told = await visitor.next('AI_AGENT_MESSAGE')
      expect(told.payload.text).toBe(`Paid: application/json: ${JSON.stringify({ id: eventId })}`)
    },
  )
})
