import { createPlatform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { RuntimeTurn } from '@colloquy/core/runtime'
import { createFakeClock, createScriptedCarrier, createScriptedRuntime } from '@colloquy/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTwilioHandler, signatureOf } from '../../src/twilio/index.ts'

const AUTH_TOKEN = 'twilio-token-for-tests'
const URL_OF_HANDLER = 'https://agents.example.com/twilio'
const OURS = '+12025550100'
const THEIRS = '+12025550111'

const heard = ({ input }: RuntimeTurn): string => (input.type === 'message' ? `Heard: ${input.text}` : '')

async function start(authToken: string | readonly string[] = AUTH_TOKEN) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const carrier = createScriptedCarrier()
  const errors: unknown[] = []
  const store = createMemoryStore()
  const platform = createPlatform({
    ...{ store, clock, textCarrier: carrier, log: silentLog },
    runtime: createScriptedRuntime({ otherwise: heard }, clock),
    onError: error => errors.push(error),
  })
  onTestFinished(() => platform.close())
  const { access, agents } = platform
  const account = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const agent = await agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  await agents.publish(agent.id, { environment: 'live', deploymentMessage: 'First' })
  const of = { accountId: account.id, agentId: agent.id, environment: 'live' as const }
  const connector = await access.createTelephonyConnector({ ...of, name: 'Line' })
  const number = { ...of, number: OURS, connectorId: connector.id, createdAt: 0 }
  await store.access.phoneNumbers.add([number], 10)
  const handle = createTwilioHandler({ platform, authToken, url: URL_OF_HANDLER })
  const settle = async () => {
    await platform.idle()
    await clock.settle()
  }
  return { carrier, errors, handle, platform, settle }
}

interface Called {
  readonly token?: string
  readonly signature?: string
  readonly method?: string
}

/** A request as Twilio makes it; a proxy has passed it on to a host inside. */
function call(path: string, fields: Readonly<Record<string, string>>, called: Called = {}): Request {
  const form = new URLSearchParams(fields)
  const { token = AUTH_TOKEN, signature = signatureOf(token, `${URL_OF_HANDLER}${path}`, form) } = called
  return new Request(`http://10.0.0.7:8080/twilio${path}`, {
    method: called.method ?? 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
    ...(called.method === 'GET' ? {} : { body: form.toString() }),
  })
}

const sms = (fields: Readonly<Record<string, string>> = {}) => ({
  ...{ MessageSid: 'SM6', From: THEIRS, To: OURS, Body: 'Hello & äöü', NumMedia: '0', AccountSid: 'SM23' },
  ...fields,
})

describe('signatures', () => {
  it('TW10 the signature is that of the documentation’s example', () => {
    const form = new URLSearchParams({
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    })
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
    expect(signatureOf('12345', url, form)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  })

  it('TW10 what Twilio has not signed is 403 and changes nothing', async () => {
    const { carrier, handle, settle } = await start()
    const wrong = [
      call('/sms', sms(), { token: 'another' }),
      call('/sms', sms(), { signature: '' }),
      call('/sms', sms(), { signature: 'ä'.repeat(28) }),
      call('/sms', sms(), {
        signature: signatureOf(AUTH_TOKEN, `${URL_OF_HANDLER}/status`, new URLSearchParams(sms())),
      }),
      call('/status?id=CONV-1.1', { MessageSid: 'SM6', MessageStatus: 'sent' }, { token: 'another' }),
    ]
    for (const request of wrong) expect((await handle(request)).status).toBe(403)
    await settle()
    expect(carrier.taken).toEqual([])
  })

  it('TW10 while the token is rotated, both are good', async () => {
    const { handle } = await start(['new', AUTH_TOKEN])
    expect((await handle(call('/sms', sms()))).status).toBe(200)
    expect((await handle(call('/sms', sms(), { token: 'new' }))).status).toBe(200)
  })
})

describe('texts of users', () => {
  it('TW12 a text reaches its session, once, and is answered with empty TwiML', async () => {
    const { carrier, handle, settle } = await start()
    for (const request of [call('/sms', sms()), call('/sms', sms())]) {
      const answer = await handle(request)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch('text/xml')
      expect(await answer.text()).toBe('<?xml version="1.0" encoding="UTF-8"?><Response></Response>')
    }
    await settle()
    expect(carrier.taken).toMatchObject([{ from: OURS, to: THEIRS, text: 'Heard: Hello & äöü' }])
  })

  it('TW12 the addresses of media are part of the text', async () => {
    const { carrier, handle, settle } = await start()
    const media = { NumMedia: '1', MediaUrl0: 'https://api.example.com/m/1', Body: '' }
    await handle(call('/sms', sms(media)))
    await settle()
    expect(carrier.taken.map(({ text }) => text)).toEqual(['Heard: https://api.example.com/m/1'])
  })

  it('TW12 a keyword with a picture is a keyword all the same', async () => {
    const { carrier, handle, settle } = await start()
    const media = { NumMedia: '1', MediaUrl0: 'https://api.example.com/m/1', Body: 'Stop.' }
    await handle(call('/sms', sms(media)))
    await handle(call('/sms', sms({ MessageSid: 'SM2', Body: 'hello' })))
    await settle()
    expect(carrier.taken).toEqual([])
  })

  it('TW12 OptOutType counts before the words, in whatever language they are', async () => {
    const { carrier, handle, settle } = await start()
    const say = async (MessageSid: string, Body: string, more: Readonly<Record<string, string>> = {}) =>
      (await handle(call('/sms', sms({ MessageSid, Body, ...more })))).status
    expect(await say('SM6', 'ARRET', { OptOutType: 'STOP' })).toBe(200)
    expect(await say('SM2', 'allo?')).toBe(200)
    expect(await say('SM3', 'AIDE', { OptOutType: 'HELP' })).toBe(200)
    expect(await say('SM4', 'RETOUR', { OptOutType: 'START' })).toBe(200)
    expect(await say('FZ3', 'bonjour', { OptOutType: 'else' })).toBe(200)
    await settle()
    expect(carrier.taken.map(({ text }) => text)).toEqual(['Heard: bonjour'])
  })

  it('TW14 statuses come to their texts', async () => {
    const { carrier, handle, platform, settle } = await start()
    await handle(call('/sms', sms()))
    await settle()
    const id = carrier.taken[0]?.id ?? ''
    const [conversationId = ''] = id.split('.')
    const told = (MessageStatus: string) =>
      handle(call(`/status?id=${id}`, { MessageSid: 'SM9', MessageStatus }))
    for (const status of ['queued', 'sending', 'sent', 'delivered', 'sent', 'something-new'])
      expect((await told(status)).status).toBe(204)
    expect((await platform.texts.standing(conversationId))?.settled).toMatchObject([{ status: 'delivered' }])
  })

  it('TW15 what cannot be taken is answered with its status, and what is no callback at all is refused', async () => {
    const { errors, handle } = await start()
    const status = async (request: Request) => (await handle(request)).status
    expect(await status(call('/sms', sms({ To: '+12025550199' })))).toBe(404)
    expect(await status(call('/sms', sms({ From: 'whatsapp:+12025550111' })))).toBe(400)
    expect(await status(call('/sms', sms({ MessageSid: '' })))).toBe(400)
    expect(await status(call('/voice', sms()))).toBe(404)
    expect(await status(call('/sms', sms(), { method: 'GET' }))).toBe(405)
    expect(await status(call('/sms', sms({ Body: 'x'.repeat(70_000) })))).toBe(413)
    expect(errors).toEqual([])
  })
  it('TW22 a request about a phone call is answered with the TwiML of `voice`, which gets the signed address', async () => {
    const { errors, handle: withoutVoice, platform } = await start()
    const asked: object[] = []
    const handle = createTwilioHandler({
      ...{ platform, authToken: AUTH_TOKEN, url: URL_OF_HANDLER },
      voice: {
        async answer({ address, form }) {
          if (form.get('CallSid') === 'CA0') throw new Error('The store is away.')
          asked.push({ address, call: form.get('CallSid') })
          return '<Response><Hangup/></Response>'
        },
      },
    })
    const path = '/voice?returns=1&since=7'
    const answer = await handle(call(path, { CallSid: 'CA1' }))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(await answer.text()).toBe('<Response><Hangup/></Response>')
    expect((await handle(call(path, { CallSid: 'CA1' }, { token: 'another' }))).status).toBe(403)
    expect(asked).toEqual([{ address: `${URL_OF_HANDLER}${path}`, call: 'CA1' }])
    expect((await withoutVoice(call(path, { CallSid: 'CA1' }))).status).toBe(404)
    expect(errors).toEqual([])
    expect((await handle(call(path, { CallSid: 'CA0' }))).status).toBe(500)
    expect(String(errors)).toContain('The store is away.')
  })
})
