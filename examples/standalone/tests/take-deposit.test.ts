import type { FunctionConversation } from '@colloquy/core'
import { expectLinear } from '@colloquy/test-support/work'
import { describe, expect, it } from 'vitest'
import { depositStatus, takeDeposit } from '../src/demo/take-deposit.ts'

type Said = {
  readonly said: string[]
  readonly variables: Record<string, unknown>
  readonly delayed: boolean[]
}

async function call(
  externalEvent: FunctionConversation['externalEvent'],
  variables: FunctionConversation['variables'] = {},
): Promise<Said & { result: unknown }> {
  const seen: Said = { said: [], variables: {}, delayed: [] }
  const conversation: FunctionConversation = {
    turnId: 'turn',
    conversationId: 'conversation',
    accountId: 'ws-demo',
    agentId: 'PROJECT-DEMO',
    environment: 'live',
    channel: 'CHAT',
    language: 'en-GB',
    variables,
    visitor: null,
    verifiedContext: null,
    metadata: {},
    integrationAttributes: {},
    variantAttributes: {},
    realTimeConfig: {},
    idempotencyKey: 'turn.take_deposit.1',
    setMetric() {},
    setIntegrationAttribute() {},
    setVariantAttribute() {},
    updateRealTimeConfigVariables: async variables => variables,
    suggest() {},
    attach() {},
    offerCall() {},
    handOff() {},
    end() {},
    externalEvent,
    setVariable: (key: string, value: unknown) => {
      seen.variables[key] = value
    },
    say: (text: string) => {
      seen.said.push(text)
    },
    expectExternalEvent: async (options?: { readonly delayResponse?: boolean }) => {
      seen.delayed.push(options?.delayResponse === true)
      return 'event-1'
    },
  }
  const result = await takeDeposit.execute(conversation, {}, new AbortController().signal)
  return { ...seen, result }
}

const report = (contentType: string, text: string) => call({ eventId: 'event-1', contentType, text })

describe('take_deposit', () => {
  it.each([
    ['pending', /not reported yet/],
    ['paid', /paid already/],
  ])('asked again while the deposit is %s, it opens no further payment', async (status, words) => {
    const { said, delayed, variables } = await call(null, { deposit_status: status })
    expect({ delayed, variables }).toEqual({ delayed: [], variables: {} })
    expect(said.join('')).toMatch(words)
  })

  it('after a payment that failed, it opens another one', async () => {
    expect((await call(null, { deposit_status: 'failed' })).delayed).toEqual([true])
  })

  it('RT32 expects an external event with a delayed response and writes its id to the state', async () => {
    const { said, variables, delayed } = await call(null)
    expect(delayed).toEqual([true])
    expect(variables).toEqual({ deposit_event_id: 'event-1', deposit_status: 'pending' })
    expect(said.join('')).toMatch(/payment/)
  })

  it.each([
    ['application/json', '{"status":"paid"}'],
    ['application/json; charset=utf-8', '{"amount":10,"status":"SUCCEEDED"}'],
    ['application/x-www-form-urlencoded', 'amount=10&status=paid'],
    ['application/json', '{"reference":"1","payment":{"status":"paid"}}'],
    ['application/x-www-form-urlencoded', 'payment%5Bref%5D=1&payment%5Bstatus%5D=+Paid'],
    ['application/xml', '<payment><status> paid </status></payment>'],
    ['application/xml; charset=utf-8', '<p:payment><p:status code="0">\n succeeded</p:status></p:payment>'],
    ['application/xml', '<payment><status><![CDATA[paid]]></status></payment>'],
    ['text/plain', 'id=1\nstatus=paid'],
    ['text/plain', 'paid'],
  ])('RT32 says that a payment went through: %s %s', async (type, text) => {
    const { said, variables } = await report(type, text)
    expect(said.join('')).toContain('your payment went through')
    expect(variables).toEqual({ deposit_status: 'paid' })
  })

  it.each([
    ['application/json', '{"status":"declined"}'],
    ['application/json', '{"status":"not paid"}'],
    ['application/json', 'paid'],
    ['application/json', '{"status":{"paid":true}}'],
    ['application/x-www-form-urlencoded', 'state=paid'],
    ['application/x-www-form-urlencoded', 'mystatus=paid'],
    ['application/xml', '<payment><status>unpaid</status></payment>'],
    ['application/xml', '<payment><status/>paid</payment>'],
    ['application/xml', '<payment><statuses>paid</statuses></payment>'],
    ['text/plain', 'status: failed'],
    ['text/plain', ''],
  ])('RT32 says that a payment did not go through: %s %s', async (type, text) => {
    const { said, variables } = await report(type, text)
    expect(said.join('')).toContain('did not go through')
    expect(variables).toEqual({ deposit_status: 'failed' })
  })

  it('RT32 reads the status of a report', () => {
    expect(depositStatus('text/plain', 'a=1; Status: Declined')).toBe('Declined')
  })

  it.each([
    ['application/xml', '<status>', ' '],
    ['application/xml', '', '<status '],
    ['text/plain', '', '\n'],
    ['text/plain', '', 'status '],
  ])('RT32 the work for a report of %s grows with its length: %j and many of %j', (type, start, piece) =>
    expectLinear(32_000, size => depositStatus(type, start + piece.repeat(size / piece.length))),
  )
})
