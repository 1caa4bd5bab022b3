import { describe, expect, it } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'
import { OTHER, OURS, SENDER, startTexts, THEIRS } from './support.ts'

const B_NUMBER = '+12025550120'

/** A platform whose first account is attacked by a second one with a number of its own. */
async function twoAccounts() {
  const started = await startTexts({ textIdle: 60_000, textGrace: 20_000 })
  const { access, agents, telephony } = started.platform
  const { id: accountId } = await access.createAccount({ accountId: 'ws-two', slug: 'two', name: 'Two' })
  const { id: agentId } = await agents.create({ accountId, agentId: 'PROJECT-Z', name: 'Z', greeting: 'Hi' })
  await agents.publish(agentId, { environment: 'live' })
  const foreign = await access.createTelephonyConnector({
    ...{ accountId, agentId, environment: 'live', name: 'Line of two' },
  })
  await telephony.importNumbers(agentId, { phoneNumbers: [B_NUMBER], connectorId: foreign.id })
  const { secret } = await access.createApiKey({ kind: 'project', accountId })
  const dispatcher = createDispatcher(started.platform, routes)
  return {
    ...started,
    foreign,
    foreignAgent: agentId,
    async attack(body: object) {
      const headers = { 'x-ai-auth-token': secret, 'x-token-id': foreign.id }
      const answer = await dispatcher.handle(
        request('POST /v1/outbound-sms', { headers, body: { message: 'Your PIN, please.', ...body } }),
      )
      await started.settle()
      return { status: answer.status, body: answer.body }
    },
  }
}

const RCS = { user_number: `rcs:${THEIRS}` }

describe('senders of another account', () => {
  it.each([
    ['RCS over a sender', { ...RCS, messaging_service_sid: SENDER }],
    ['SMS over a messaging service', { user_number: THEIRS, messaging_service_sid: SENDER }],
    ['SMS from a number', { user_number: THEIRS, agent_number: OURS }],
    [
      'SMS over a service, from an own number',
      { user_number: THEIRS, agent_number: B_NUMBER, messaging_service_sid: SENDER },
    ],
    ['RCS over a number as the sender', { ...RCS, messaging_service_sid: OURS }],
  ])('TX57 %s: refused like one that nobody has, and no session is touched', async (_, body) => {
    const { attack, carrier, connector, platform, record, settle, text } = await twoAccounts()
    const rcs = { to: THEIRS, text: 'Your table is ready.', channel: 'RCS' as const, service: SENDER }
    const first = await platform.texts.open(connector, rcs)
    await settle()
    const second = await text('hello')
    const sent = carrier.taken.length
    const answer = await attack(body)
    const none = JSON.parse(
      JSON.stringify(body).replaceAll(SENDER, 'MG-none').replaceAll(OURS, '+12025550177'),
    )
    expect(answer).toEqual({ status: 400, body: (await attack(none)).body })
    expect(carrier.taken).toHaveLength(sent)
    for (const id of [first.conversationId, second.conversationId])
      expect((await record(id))?.endedAt).toBeNull()
    const reply = await text('my words', { to: 'brand', channel: 'RCS', service: SENDER })
    expect(reply.conversationId).toBe(first.conversationId)
  })

  it('TX57 a sender that the operator gives to another account takes no session and no word along', async () => {
    const { carrier, connector, foreign, foreignAgent, platform, record, settle, text, wait } =
      await twoAccounts()
    const { telephony, texts } = platform
    const over = { to: 'brand', channel: 'RCS' as const, service: SENDER }
    const rcs = { to: THEIRS, text: 'Hello.', channel: 'RCS' as const, service: SENDER }
    const { conversationId } = await texts.open(connector, rcs)
    await settle()
    expect((await text('for the first account', over)).conversationId).toBe(conversationId)
    await telephony.withdrawNumber(SENDER)
    await telephony.importNumbers(foreignAgent, { phoneNumbers: [SENDER], connectorId: foreign.id })
    const reply = await text('whose am I?', over)
    expect(await record(reply.conversationId)).toMatchObject({ accountId: 'ws-two' })
    const opened = await texts.open(foreign, { ...rcs, text: 'We are two.' })
    await settle()
    expect(await record(reply.conversationId)).toMatchObject({ endedAt: expect.any(Number) })
    expect(await record(opened.conversationId)).toMatchObject({ accountId: 'ws-two', endedAt: null })
    // The earlier session is the first account's: it goes on until its silence is over, and says nothing any more.
    expect((await record(conversationId))?.endedAt).toBeNull()
    const before = carrier.taken.length
    await wait(platform.settings.textIdle + 1_000)
    expect(carrier.taken).toHaveLength(before)
    expect((await texts.standing(conversationId ?? ''))?.settled.at(-1)).toMatchObject({ status: 'failed' })
  })

  it('TX57 a user who opted out of a number stays opted out when another account has it', async () => {
    const { foreign, foreignAgent, platform, settle, text } = await twoAccounts()
    await text('STOP')
    await platform.telephony.withdrawNumber(OURS)
    await platform.telephony.importNumbers(foreignAgent, { phoneNumbers: [OURS], connectorId: foreign.id })
    expect(await platform.texts.open(foreign, { to: THEIRS, text: 'Hi.', from: OURS })).toEqual({
      conversationId: null,
    })
    await settle()
  })
})

describe('senders of an agent', () => {
  it('TX57 a user who texts a sender first is answered over it, by the connector that it has', async () => {
    const { carrier, text } = await startTexts()
    await text('hello', { to: 'brand', channel: 'RCS', service: SENDER })
    expect(carrier.asked).toMatchObject([
      { from: null, service: SENDER, channel: 'RCS', text: 'You said hello.' },
    ])
  })

  it('TX5 a messaging service sends for an agent’s number, or for none', async () => {
    const { carrier, connector, platform, settle } = await startTexts()
    await platform.texts.open(connector, { to: THEIRS, text: 'One.', service: SENDER })
    await settle()
    await platform.telephony.withdrawNumber(OURS)
    await platform.telephony.withdrawNumber(OTHER)
    await platform.texts.open(connector, { to: THEIRS, text: 'Two.', service: SENDER })
    await settle()
    expect(carrier.asked).toMatchObject([
      { service: SENDER, text: 'One.' },
      { service: SENDER, text: 'Two.' },
    ])
    const none = platform.texts.open(connector, { to: THEIRS, text: 'Three.' })
    await expect(none).rejects.toMatchObject({ code: 'PHONE_NUMBERS_NOT_FOUND' })
  })

  it('an agent texts from a short code and an alphanumeric sender; calls go from numbers alone', async () => {
    const { agent, carrier, connector, platform, settle, text } = await startTexts()
    await platform.telephony.importNumbers(agent.id, {
      phoneNumbers: ['12345', 'HARBOUR'],
      connectorId: connector.id,
    })
    for (const from of ['12345', 'HARBOUR'])
      await platform.texts.open(connector, { to: THEIRS, text: 'Hi.', from })
    await settle()
    expect(carrier.taken.map(({ from }) => from)).toEqual(['12345', 'HARBOUR'])
    expect((await text('hello', { to: '12345' })).conversationId).not.toBeNull()
  })
})
