import type { TextToSend } from '@colloquy/core'
import { testTextCarrier } from '@colloquy/core/testing/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTwilioCarrier, type TwilioCarrierOptions } from '../../src/twilio/index.ts'
import { ACCOUNT_SID, AUTH_TOKEN, startTwilio } from './local-twilio.ts'

async function open(options: Partial<TwilioCarrierOptions> = {}) {
  const twilio = await startTwilio()
  onTestFinished(twilio.close)
  const { baseUrl } = twilio
  const carrier = createTwilioCarrier({ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, baseUrl, ...options })
  return { carrier, twilio }
}

testTextCarrier('twilio', {
  async open() {
    const { carrier, twilio } = await open()
    return {
      carrier,
      taken: async () => twilio.messages.map(({ to, body }) => ({ to, text: body })).reverse(),
      fault: twilio.fault,
    }
  },
})

const aText = (values: Partial<TextToSend> = {}): TextToSend => ({
  ...{ id: 'CONV-1.1', from: '+12025550100', to: '+12025550111', text: 'Hi.', channel: 'SMS', service: null },
  ...{ attempt: 1, firstAttemptAt: Date.now(), sent: [], signal: new AbortController().signal },
  ...values,
})

describe('requests to Twilio', () => {
  it('TW1 a text goes from its number, or over its service, RCS with a prefix, and names where to tell its status', async () => {
    const { carrier, twilio } = await open({ statusCallback: 'https://agents.example.com/twilio/status' })
    await carrier.send(aText())
    await carrier.send(aText({ id: 'CONV-1.2', channel: 'RCS', from: null, service: 'MG1' }))
    expect(twilio.messages.toReversed()).toMatchObject([
      {
        ...{ to: '+12025550111', from: '+12025550100', messaging_service_sid: null, body: 'Hi.' },
        callback: 'https://agents.example.com/twilio/status?id=CONV-1.1',
      },
      { to: 'rcs:+12025550111', from: null, messaging_service_sid: 'MG1' },
    ])
  })

  it('TW2 an answer of 429 puts the text off for as long as it says', async () => {
    const { carrier, twilio } = await open()
    twilio.fault('is busy')
    expect(await carrier.send(aText())).toEqual({ retryAfter: 2_000 })
  })

  it('TW3 a lost answer is found among many messages to the number, page by page', async () => {
    const { carrier, twilio } = await open()
    twilio.fault('loses the answer')
    await expect(carrier.send(aText())).rejects.toThrow(/./)
    const others = Array.from({ length: 150 }, (_, index) =>
      aText({ id: `o.${index}`, text: `Other ${index}` }),
    )
    for (const other of others) await carrier.send(other)
    expect(await carrier.send(aText({ attempt: 2 }))).toEqual({ carrierId: twilio.messages.at(-1)?.sid })
    expect(twilio.messages).toHaveLength(151)
  })

  it('TW3 messages of the same words from before the first attempt are other texts', async () => {
    const { carrier, twilio } = await open()
    await carrier.send(aText())
    const later = aText({ id: 'CONV-2.1', attempt: 2, firstAttemptAt: Date.now() + 3_600_000 })
    await carrier.send(later)
    expect(twilio.messages).toHaveLength(2)
  })

  it('TW2 credentials that do not open, and answers that are none, are errors that keep no secret', async () => {
    const { carrier } = await open({ authToken: 'wrong-token' })
    const refused = await carrier.send(aText()).catch((error: unknown) => error)
    expect(String(refused)).toMatch(/Twilio answered 401, and 20003: Authenticate/)
    expect(String(refused)).not.toContain('wrong-token')
    const { carrier: elsewhere } = await open({ accountSid: 'AC-none' })
    await expect(elsewhere.send(aText())).rejects.toThrow(/40[14]/)
  })

  it('a text whose time is up is called off', async () => {
    const { carrier } = await open()
    const signal = AbortSignal.abort(new Error('Too late.'))
    await expect(carrier.send(aText({ signal }))).rejects.toThrow('Too late.')
  })
})
