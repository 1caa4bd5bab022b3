import { type CallProvider, type CallToPlace, callStatus, createPlatform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedCallProvider, createScriptedRuntime } from '@colloquy/core/testing'
import { testCallProvider } from '@colloquy/core/testing/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createTwilioCalls,
  createTwilioHandler,
  createTwilioTransfer,
  signatureOf,
  type TwilioCallsOptions,
} from '../../src/twilio/index.ts'
import { ACCOUNT_SID, AUTH_TOKEN, type KeptCall, OURS, startTwilio } from './local-twilio.ts'

const URL_OF_HANDLER = 'https://agents.example.com/twilio'
const THEIRS = '+12025550111'
const ID = 'OUT-00000000-0000-4000-8000-000000000001'

async function open(options: Partial<TwilioCallsOptions> = {}) {
  const twilio = await startTwilio()
  onTestFinished(twilio.close)
  const provider = createTwilioCalls({
    ...{ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, baseUrl: twilio.baseUrl },
    ...{ statusCallback: `${URL_OF_HANDLER}/call`, answerUrl: 'https://voice.example.com/answer?lang=en' },
    ...options,
  })
  return { provider, twilio }
}

const idOf = (callback: string): string => new URL(callback).searchParams.get('id') ?? ''

async function openUnderTest() {
  const { provider, twilio } = await open({ from: '+12025550199' })
  return {
    ...{ provider, twilio },
    taken: async () => twilio.calls.map(({ callback, from, to }) => ({ id: idOf(callback), to, from })),
    fault: twilio.callFault,
  }
}

const STATUS = {
  ...{ queued: 'queued', ringing: 'ringing', answered: 'in-progress', ended: 'completed', failed: 'busy' },
}

const stand = (calls: KeptCall[], providerId: string, status: string): void => {
  for (const call of calls) if (call.sid === providerId) call.status = status
}

testCallProvider('twilio', {
  open: openUnderTest,
  async openAsked() {
    const opened = await openUnderTest()
    return {
      ...opened,
      stand: (providerId, type) => stand(opened.twilio.calls, providerId, STATUS[type]),
      async hangAtQuestion() {
        const before = opened.twilio.requests()
        opened.twilio.questionFault('hangs')
        await expect.poll(() => opened.twilio.requests()).toBeGreaterThan(before)
      },
    }
  },
})

const aCall = (values: Partial<CallToPlace> = {}): CallToPlace => ({
  ...{ id: ID, to: THEIRS, from: OURS, environment: 'live', variantId: null, metadata: {} },
  ...{ encryption: 'tls_srtp', signal: new AbortController().signal },
  ...values,
})

describe('calls over Twilio', () => {
  it('TW20 a call names where its TwiML is and where it is told how it stands, by our id', async () => {
    const { provider, twilio } = await open()
    expect(await provider.place(aCall())).toEqual({ providerId: twilio.calls[0]?.sid })
    expect(twilio.calls).toMatchObject([
      {
        ...{ to: THEIRS, from: OURS, events: ['ringing', 'answered', 'completed'] },
        url: `https://voice.example.com/answer?lang=en&call=${ID}`,
        callback: `${URL_OF_HANDLER}/call?id=${ID}`,
      },
    ])
  })

  it('TW20 an agent without a number calls from the one that the host names, or not at all', async () => {
    const { provider, twilio } = await open()
    await expect(provider.place(aCall({ from: null }))).rejects.toThrow(/has no number to call from/)
    expect(twilio.requests()).toBe(0)
    const { provider: named, twilio: other } = await open({ from: '+12025550199' })
    await named.place(aCall({ from: null }))
    expect(other.calls).toMatchObject([{ from: '+12025550199' }])
  })

  it('TW20 what Twilio refuses is an error in its words, without a secret', async () => {
    const { provider, twilio } = await open()
    twilio.callFault('refuses')
    const refused = await provider.place(aCall()).catch((error: unknown) => error)
    expect(String(refused)).toContain('Twilio answered 400, and 21217: Phone number is not valid')
    const { provider: wrong } = await open({ authToken: 'wrong-token' })
    const shut = await wrong.place(aCall()).catch((error: unknown) => error)
    expect(String(shut)).toMatch(/Twilio answered 401/)
    expect(String(shut)).not.toContain('wrong-token')
  })

  it('a call that Twilio makes when its time is over is ended at once', async () => {
    const { provider, twilio } = await open()
    twilio.callFault('is late')
    const controller = new AbortController()
    const placing = provider.place(aCall({ signal: controller.signal }))
    placing.catch(() => undefined)
    await expect.poll(() => twilio.requests()).toBe(1)
    controller.abort(new Error('Too late.'))
    await expect(placing).rejects.toThrow('Too late.')
    twilio.answerLate()
    await expect.poll(() => twilio.calls.map(({ status }) => status)).toEqual(['completed'])
  })

  it('the host is told of one that cannot be ended', async () => {
    const errors: unknown[] = []
    let answered = 0
    let answer = (_: Response): void => undefined
    const { provider } = await open({
      onError: error => void errors.push(error),
      fetch: () => {
        answered += 1
        if (answered > 1) return Promise.resolve(new Response('{}', { status: 500 }))
        return new Promise<Response>(resolve => {
          answer = resolve
        })
      },
    })
    const controller = new AbortController()
    const placing = provider.place(aCall({ signal: controller.signal }))
    controller.abort(new Error('Too late.'))
    await expect(placing).rejects.toThrow('Too late.')
    answer(new Response('{"sid": "CA1"}', { status: 201 }))
    await expect
      .poll(() => errors.map(String))
      .toEqual(['Error: Twilio answered 500, and no reason was given.'])
  })
})

describe('how calls over Twilio stand', () => {
  it.each([
    ['queued', { type: 'queued' }],
    ['ringing', { type: 'ringing' }],
    ['in-progress', { type: 'answered' }],
    ['completed', { type: 'ended', answered: true }],
    ['busy', { type: 'failed', reason: 'The line was busy.' }],
    ['failed', { type: 'failed', reason: 'The call could not be made.' }],
    ['no-answer', { type: 'failed', reason: 'Nobody answered.' }],
    ['canceled', { type: 'failed', reason: 'The call was cancelled.' }],
  ])('a call that is %s is %j', async (status, standing) => {
    const { provider, twilio } = await open()
    const { providerId } = await provider.place(aCall())
    stand(twilio.calls, providerId, status)
    const { signal } = new AbortController()
    expect(await provider.status({ id: ID, providerId, signal })).toEqual(standing)
  })

  it('a state that is not known, and an answer that says nothing of the call, are errors', async () => {
    const { provider, twilio } = await open()
    const { providerId } = await provider.place(aCall())
    const ask = () => provider.status({ id: ID, providerId, signal: new AbortController().signal })
    twilio.questionFault('is away')
    await expect(ask()).rejects.toThrow('Twilio answered 503, and 20503: Service unavailable.')
    for (const status of ['parked', 'toString', '']) {
      stand(twilio.calls, providerId, status)
      await expect(ask()).rejects.toThrow('Twilio did not say how the call stands.')
    }
  })

  it('a call whose reports get lost is over all the same', async () => {
    const { provider, twilio } = await open({ from: OURS })
    const { agentId, clock, find, platform } = await start(provider)
    const { id } = await platform.calls.place({ agentId, environment: 'live', to: THEIRS })
    const sid = twilio.calls[0]?.sid ?? ''
    for (const [status, told] of [
      ['in-progress', 'CALLING'],
      ['completed', 'SUCCESS'],
    ] as const) {
      stand(twilio.calls, sid, status)
      const before = twilio.requests()
      await clock.advance(61_000)
      await expect.poll(() => twilio.requests()).toBeGreaterThan(before)
      await expect.poll(async () => (await find(id)).status).toBe(told)
    }
  })
})

async function start(callProvider: CallProvider = createScriptedCallProvider()) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock, log: silentLog, callProvider },
    runtime: createScriptedRuntime({ otherwise: 'Hello.' }, clock),
  })
  onTestFinished(() => platform.close())
  const { id: accountId } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hello' })
  await platform.agents.publish(agentId, { environment: 'live' })
  await platform.access.createTelephonyConnector({ accountId, agentId, environment: 'live', name: 'Line' })
  const handle = createTwilioHandler({ platform, authToken: AUTH_TOKEN, url: URL_OF_HANDLER })
  const place = () => platform.calls.place({ agentId, environment: 'live', to: THEIRS })
  const told = (id: string, status: string) => {
    const form = new URLSearchParams({ CallSid: 'CA1', CallStatus: status })
    const path = `/call?id=${id}`
    return handle(
      new Request(`http://10.0.0.7:8080/twilio${path}`, {
        method: 'POST',
        headers: { 'x-twilio-signature': signatureOf(AUTH_TOKEN, `${URL_OF_HANDLER}${path}`, form) },
        body: form,
      }),
    )
  }
  const find = async (id: string) => {
    const call = await platform.calls.find({ agentId, id })
    return { status: callStatus(call), reason: call.reason }
  }
  return { agentId, clock, find, handle, place, platform, told }
}

describe('what Twilio tells of calls', () => {
  it('TW14 a call that is answered is a conversation until it is over', async () => {
    const { find, place, platform, told } = await start()
    const { id } = await place()
    const states: string[] = []
    for (const status of ['initiated', 'ringing', 'in-progress', 'ringing', 'completed', 'completed']) {
      expect((await told(id, status)).status).toBe(204)
      states.push((await find(id)).status)
    }
    expect(states).toEqual(['QUEUED', 'CALLING', 'CALLING', 'CALLING', 'SUCCESS', 'SUCCESS'])
    await platform.idle()
  })

  it.each([
    [['completed', 'in-progress', 'ringing'], 'SUCCESS'],
    [['completed'], 'SUCCESS'],
    [['ringing', 'completed', 'in-progress'], 'SUCCESS'],
    [['ringing', 'no-answer', 'completed'], 'FAILURE'],
    [['in-progress', 'completed', 'failed'], 'SUCCESS'],
  ])('TW14 %j, in whatever order it comes, is a call with %s', async (statuses, end) => {
    const { find, place, platform, told } = await start()
    const { id } = await place()
    for (const status of statuses) expect((await told(id, status)).status).toBe(204)
    expect((await find(id)).status).toBe(end)
    await platform.idle()
  })

  it.each([
    ['busy', 'The line was busy.'],
    ['no-answer', 'Nobody answered.'],
    ['canceled', 'The call was cancelled.'],
    ['failed', 'The call could not be made.'],
  ])('TW14 %s is a failure in words', async (status, reason) => {
    const { find, place, told } = await start()
    const { id } = await place()
    await told(id, status)
    expect(await find(id)).toMatchObject({ status: 'FAILURE', reason })
  })

  it('TW10 and TW14 what is not signed, and a call that is not there, change nothing', async () => {
    const { find, handle, place, told } = await start()
    const { id } = await place()
    const forged = new Request(`http://10.0.0.7:8080/twilio/call?id=${id}`, {
      method: 'POST',
      headers: { 'x-twilio-signature': 'forged' },
      body: new URLSearchParams({ CallStatus: 'completed' }),
    })
    expect((await handle(forged)).status).toBe(403)
    expect((await told('nonsense', 'ringing')).status).toBe(400)
    expect((await told(ID, 'ringing')).status).toBe(204)
    expect((await find(id)).status).toBe('QUEUED')
  })

  it('TW21 a call in progress goes on with the number that it is transferred to', async () => {
    const { provider, twilio } = await open()
    const { providerId: callSid } = await provider.place(aCall())
    const transfer = createTwilioTransfer({
      ...{ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, baseUrl: twilio.baseUrl },
    })
    const { signal } = new AbortController()
    await transfer({ callSid, destination: THEIRS, signal })
    expect(twilio.calls[0]?.twiml).toBe(`<Response><Dial>${THEIRS}</Dial></Response>`)
    await expect(transfer({ callSid, destination: '</Dial>', signal })).rejects.toThrow(
      'A call is transferred to a number, E.164, such as +12025550111.',
    )
    await expect(transfer({ callSid: 'CAother', destination: THEIRS, signal })).rejects.toThrow(
      'Twilio answered 404, and 20404: Not found.',
    )
  })
})
