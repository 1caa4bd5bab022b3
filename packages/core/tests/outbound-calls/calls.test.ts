import { createTestPlatform } from '@colloquy/test-support/platform'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callStatus } from '../../src/domain/call/outbound-call.ts'
import { contextOf } from '../../src/platform-context.ts'
import {
  createFakeClock,
  createScriptedCallProvider,
  createScriptedRuntime,
} from '../../src/testing/index.ts'
import type { OutboundCallInput } from '../../src/usecases/calls/call-fields.ts'
import { HOUR, OURS, startCalls, THEIRS } from './support.ts'

describe('placing a call', () => {
  it('OC1 a call is in the store before the provider is asked for it, with everything that was said of it', async () => {
    const provider = createScriptedCallProvider()
    const stored: unknown[] = []
    const callProvider = {
      async place(call: Parameters<typeof provider.place>[0]) {
        stored.push((await store.conversations.outboundCalls.find(call.id))?.phase)
        return provider.place(call)
      },
    }
    const { line, place, status, store } = await startCalls({ callProvider })
    const call = await place({ metadata: { order: '12' }, encryption: 'udp_rtp' })
    expect(stored).toEqual(['queued'])
    expect(call).toMatchObject({ phase: 'queued', connectorId: line.id, providerId: 'CA-1' })
    expect(call.id).toMatch(/^OUT-[0-9a-f-]{36}$/)
    expect(callStatus(call)).toBe('QUEUED')
    expect(provider.taken).toEqual([
      {
        ...{ id: call.id, to: THEIRS, from: OURS, environment: 'live', variantId: null },
        ...{ metadata: { order: '12' }, encryption: 'udp_rtp', providerId: 'CA-1' },
      },
    ])
    expect(await status(call.id)).toEqual({ phase: 'queued', reason: '' })
  })

  it('OC10 an end that says that somebody had answered makes a call of success, with its conversation', async () => {
    const { conversation, place, platform, status } = await startCalls()
    const { id } = await place()
    expect(await platform.calls.ended({ id, answered: true })).toBe(true)
    expect(await platform.calls.answered({ id })).toBe(false)
    expect(await status(id)).toEqual({ phase: 'succeeded', reason: '' })
    expect(await conversation(id)).toMatchObject({ endedAt: expect.any(Number) })
    const failed = await place()
    await platform.calls.failed({ id: failed.id, reason: 'Busy.' })
    expect(await platform.calls.ended({ id: failed.id, answered: true })).toBe(false)
    expect(await conversation(failed.id)).toBeNull()
  })

  it('TX40 a number is E.164, or as its country writes it; another one is refused, and nothing is stored', async () => {
    const { place, provider } = await startCalls()
    await place({ to: '020 7946 0018', country: 'gb' })
    await place({ to: '+442079460018', country: 'US' })
    expect(provider.taken.map(({ to }) => to)).toEqual(['+442079460018', '+442079460018'])
    const refused: readonly Partial<OutboundCallInput>[] = [
      ...[{ to: '020 7946 0018' }, { to: '+44' }, { to: '' }, { to: 'nobody' }],
      ...[
        { to: '12', country: 'GB' },
        { to: '020 7946 0018', country: 'XX' },
      ],
    ]
    for (const values of refused)
      await expect(place(values)).rejects.toMatchObject({ code: 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT' })
    for (const country of ['GBR', 'G', ''])
      await expect(place({ to: '020 7946 0018', country })).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
      })
    expect(provider.asked).toHaveLength(2)
  })

  it('OC1 it goes over the named connector, else the variant’s, else one without a variant, else the oldest', async () => {
    const { account, agent, clock, conversation, line, place, platform } = await startCalls()
    const { id } = await place()
    await platform.calls.answered({ id })
    const variantId = (await conversation(id))?.record.variantId ?? ''
    expect(variantId).not.toBe('')
    const connector = (values: object) =>
      platform.access.createTelephonyConnector({
        ...{ accountId: account.id, agentId: agent.id, environment: 'live', name: 'Line', ...values },
      })
    await clock.advance(1)
    const ofVariant = await connector({ variantId })
    expect((await place()).connectorId).toBe(line.id)
    expect(await place({ variantId })).toMatchObject({
      ...{ connectorId: ofVariant.id, variantId },
    })
    expect((await place({ connectorId: ofVariant.id })).connectorId).toBe(ofVariant.id)
    await platform.access.revokeTelephonyConnector(agent.id, line.id)
    expect((await place()).connectorId).toBe(ofVariant.id)
    const missing = { code: 'CONNECTORS_NOT_FOUND' }
    await expect(place({ connectorId: line.id })).rejects.toMatchObject(missing)
    await expect(place({ environment: 'sandbox' })).rejects.toMatchObject(missing)
    await expect(place({ connectorId: ofVariant.id, environment: 'sandbox' })).rejects.toMatchObject(missing)
    await expect(place({ agentId: 'PROJECT-none' })).rejects.toMatchObject(missing)
  })

  it('OC1 without a deployment, and for a variant that it lacks, nothing is stored', async () => {
    const { account, agent, place, platform, provider } = await startCalls()
    await expect(place({ variantId: 'VARIANT-none' })).rejects.toMatchObject({ code: 'VARIANTS_NOT_FOUND' })
    await platform.access.createTelephonyConnector({
      ...{ accountId: account.id, agentId: agent.id, environment: 'pre-release', name: 'Line' },
    })
    await expect(place({ environment: 'pre-release' })).rejects.toMatchObject({
      code: 'CHAT_DRAFT_NOT_EXIST',
    })
    expect(provider.asked).toEqual([])
  })

  it('OC5 without a provider it is not implemented, and the option is named; of a connector is asked first', async () => {
    const { agent, line, place, platform } = await startCalls({}, null)
    await expect(place()).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
      message: expect.stringContaining('callProvider'),
    })
    await platform.access.revokeTelephonyConnector(agent.id, line.id)
    await expect(place()).rejects.toMatchObject({ code: 'CONNECTORS_NOT_FOUND' })
  })

  it('OC5 a provider that does not take the call, or answers without an id, fails it', async () => {
    const { errors, place, provider, records, status } = await startCalls()
    provider.script('refuses')
    await expect(place()).rejects.toMatchObject({ code: 'CALLS_PROVIDER_FAILED' })
    const [asked] = provider.asked
    const failed = { phase: 'failed', reason: 'The call provider did not take the call.' }
    expect(await status(asked?.id ?? '')).toEqual(failed)
    expect(errors).toHaveLength(1)
    for (const answer of [
      null,
      {},
      { providerId: 7 },
      { providerId: '' },
      { providerId: 'x'.repeat(1_001) },
    ]) {
      const started = await startCalls({ callProvider: { place: async () => Object(answer) } })
      await expect(started.place()).rejects.toMatchObject({ code: 'CALLS_PROVIDER_FAILED' })
      expect(started.errors).toHaveLength(1)
    }
    expect(await records()).toEqual([])
  })

  it('OC5 a provider that hangs for `callDeadline` fails it; what it says later changes nothing', async () => {
    const answers: ((answer: { providerId: string }) => void)[] = []
    const signals: AbortSignal[] = []
    const { clock, place, platform, status } = await startCalls({
      callProvider: {
        place: ({ signal }) =>
          new Promise(resolve => {
            answers.push(resolve)
            signals.push(signal)
          }),
      },
    })
    const placing = place()
    placing.catch(() => undefined)
    await clock.settle()
    await clock.advance(9_999)
    expect(signals[0]?.aborted).toBe(false)
    await clock.advance(1)
    await expect(placing).rejects.toMatchObject({ code: 'CALLS_PROVIDER_FAILED' })
    expect(signals[0]?.aborted).toBe(true)
    const [call] = await contextOf(platform).store.conversations.outboundCalls.due(clock.now() + 9 * HOUR, 9)
    answers[0]?.({ providerId: 'CA-1' })
    await clock.settle()
    expect(await status(call?.id ?? '')).toMatchObject({ phase: 'failed' })
    expect(await platform.calls.answered({ id: call?.id ?? '' })).toBe(false)
  })

  it('OC5 a provider that rings before its answer is lost has the call', async () => {
    const started = await startCalls({
      callProvider: {
        async place({ id }) {
          await started.platform.calls.ringing({ id })
          throw new Error('The answer was lost.')
        },
      },
    })
    expect(await started.place()).toMatchObject({ phase: 'calling', providerId: null })
  })

  it('TX40 an agent makes as many calls as `rateLimits.call` allows; what is refused is not counted', async () => {
    const { place, provider } = await startCalls({ rateLimits: { call: { perSecond: 1, burst: 2 } } })
    for (const values of [
      { to: 'nobody' },
      { variantId: 'VARIANT-none' },
      { environment: 'sandbox' },
    ] as const)
      await expect(place(values)).rejects.toThrow(/./)
    await place()
    await place()
    await expect(place()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(provider.asked).toHaveLength(2)
  })

  it('metadata is text by text, and below 26 KiB as base64 of its JSON', async () => {
    const { place, provider } = await startCalls()
    const invalid = { code: 'SCHEMA_VALIDATION_FAILED' }
    // {"a":"…"}: 8 bytes beside the value; 19,965 bytes are 26,620 as base64, one more is 26,624.
    await place({ metadata: { a: 'x'.repeat(19_957) } })
    await expect(place({ metadata: { a: 'x'.repeat(19_958) } })).rejects.toMatchObject(invalid)
    await expect(place({ metadata: { a: 'ä'.repeat(9_979) } })).rejects.toMatchObject(invalid)
    for (const metadata of [{ a: 1 }, { a: null }, ['a'], 'a', null])
      await expect(place(Object({ metadata }))).rejects.toMatchObject(invalid)
    await expect(place(Object({ encryption: 'none' }))).rejects.toMatchObject(invalid)
    expect(provider.asked).toHaveLength(1)
  })

  it('OC1 an agent without a number there calls from none', async () => {
    const { account, agent, place, platform, provider } = await startCalls()
    await platform.agents.publish(agent.id, { environment: 'sandbox', deploymentMessage: 'Try' })
    await platform.access.createTelephonyConnector({
      ...{ accountId: account.id, agentId: agent.id, environment: 'sandbox', name: 'Line' },
    })
    await place({ environment: 'sandbox' })
    expect(provider.taken).toMatchObject([{ from: null, environment: 'sandbox' }])
  })
})

describe('reports', () => {
  it('OC10 a call rings, is answered, and ends', async () => {
    const { place, platform, status } = await startCalls()
    const { id } = await place()
    const phases: unknown[] = []
    for (const report of ['ringing', 'answered', 'ended'] as const) {
      expect(await platform.calls[report]({ id })).toBe(true)
      phases.push((await status(id))?.phase)
    }
    expect(phases).toEqual(['calling', 'answered', 'succeeded'])
  })

  it('OC10 reports that come late, twice, out of order, or of no call, change nothing', async () => {
    const { conversation, place, platform, records, status } = await startCalls()
    const { calls } = platform
    const { id } = await place()
    expect(await calls.failed({ id, reason: 'Busy.' })).toBe(true)
    for (const report of ['ringing', 'answered', 'ended'] as const)
      expect(await calls[report]({ id })).toBe(false)
    expect(await calls.failed({ id, reason: 'Again.' })).toBe(false)
    expect(await status(id)).toEqual({ phase: 'failed', reason: 'Busy.' })
    expect(await conversation(id)).toBeNull()
    const nobody = 'OUT-00000000-0000-4000-8000-00000000ffff'
    expect(await calls.answered({ id: nobody })).toBe(false)
    expect(await calls.ended({ id: nobody })).toBe(false)
    expect(await records()).toEqual([])
    for (const wrong of ['', 'OUT-1', `${id}x`])
      await expect(calls.ringing({ id: wrong })).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    await expect(calls.failed({ id, reason: '' })).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  })

  it('OC10 of reports at once each takes effect once, and none is lost', async () => {
    const { place, platform, records, status } = await startCalls()
    const { calls } = platform
    const { id } = await place()
    const rung = [1, 2, 3].map(() => calls.ringing({ id }))
    const answered = await Promise.all([1, 2, 3].map(() => calls.answered({ id })))
    expect(answered.filter(changed => changed)).toHaveLength(1)
    expect((await Promise.all(rung)).filter(changed => changed).length).toBeLessThan(2)
    expect(await status(id)).toMatchObject({ phase: 'answered' })
    const ended = await Promise.all([1, 2, 3].map(() => calls.ended({ id })))
    expect(ended.filter(changed => changed)).toHaveLength(1)
    expect(await records()).toMatchObject([{ in_progress: false }])
  })

  it('OC10 an end that is told at the same time as the answer leaves no conversation open', async () => {
    for (const order of [0, 1]) {
      const { conversation, place, platform, status } = await startCalls()
      const { calls } = platform
      const { id } = await place()
      const reports = [() => calls.answered({ id }), () => calls.ended({ id, reason: 'No answer.' })]
      await Promise.all((order === 0 ? reports : reports.toReversed()).map(report => report()))
      expect(['failed', 'succeeded']).toContain((await status(id))?.phase)
      const begun = await conversation(id)
      expect(begun === null || begun.endedAt !== null).toBe(true)
    }
  })
})

describe('time', () => {
  it('OC16 a call that a killed process had stored and not placed fails by itself', async () => {
    // Its clock stands: nothing of what it had begun goes on.
    const killed = await startCalls({
      workers: false,
      callProvider: { place: () => new Promise(() => undefined) },
    })
    killed.place().catch(() => undefined)
    await killed.clock.settle()
    const [call] = await killed.store.conversations.outboundCalls.due(killed.clock.now() + HOUR, 9)
    const id = call?.id ?? ''
    expect(call).toMatchObject({ phase: 'queued', providerId: null })
    const clock = createFakeClock(killed.clock.now())
    const { platform } = createTestPlatform({
      ...{ store: killed.store, clock, runtime: createScriptedRuntime({}, clock) },
      callProvider: createScriptedCallProvider(),
    })
    onTestFinished(() => platform.close())
    await clock.advance(19_000)
    expect(await killed.store.conversations.outboundCalls.find(id)).toMatchObject({ phase: 'queued' })
    await clock.advance(61_000)
    await clock.settle()
    expect(await killed.store.conversations.outboundCalls.find(id)).toMatchObject({
      ...{ phase: 'failed', reason: 'The call was not placed.' },
    })
  })

  it('OC16 before a worker has noticed a reader has it as failed', async () => {
    const { agent, clock, platform, status, store } = await startCalls({ workers: false })
    const { callDeadline } = platform.settings
    const id = 'OUT-00000000-0000-4000-8000-000000000001'
    const { newCall } = await import('../../src/domain/call/outbound-call.ts')
    const call = newCall(
      {
        ...{ id, accountId: 'ws-one', agentId: agent.id, environment: 'live', connectorId: 'CONNECTOR-1' },
        ...{ variantId: null, from: null, to: THEIRS, encryption: 'tls_srtp', metadata: {} },
        createdAt: clock.now(),
      },
      { deadline: callDeadline },
    )
    await store.conversations.outboundCalls.save(call, 0)
    await clock.advance(2 * callDeadline - 1)
    expect(await status(id)).toMatchObject({ phase: 'queued' })
    await clock.advance(1)
    expect(await status(id)).toEqual({ phase: 'failed', reason: 'The call was not placed.' })
  })

  it('OC16 a call whose end nobody reports has failed after `longestCall`, and its conversation is over', async () => {
    const { clock, conversation, place, platform, status } = await startCalls({ longestCall: HOUR })
    const { id } = await place()
    await platform.calls.answered({ id })
    await clock.advance(HOUR - 10_000)
    expect(await status(id)).toMatchObject({ phase: 'answered' })
    await clock.advance(20_000)
    await clock.settle()
    expect(await status(id)).toEqual({ phase: 'failed', reason: 'The end of the call was not reported.' })
    expect((await conversation(id))?.endedAt).not.toBeNull()
  })

  it('OC20 a call can be read for 2 hours after its end, and is forgotten then', async () => {
    const { agent, clock, place, platform, status, store } = await startCalls()
    const { id } = await place()
    await platform.calls.answered({ id })
    await platform.calls.ended({ id })
    await clock.advance(2 * HOUR - 1)
    expect(await status(id)).toMatchObject({ phase: 'succeeded' })
    await clock.advance(1)
    expect(await status(id)).toBeNull()
    await clock.advance(10_000)
    await clock.settle()
    expect(await store.conversations.outboundCalls.find(id)).toBeNull()
    const of = { agentId: agent.id, id }
    await expect(platform.calls.find(of)).rejects.toMatchObject({ code: 'CALLS_NOT_FOUND' })
  })

  it('OC20 a call is its agent’s, in its environment', async () => {
    const { agent, place, platform } = await startCalls()
    const { id } = await place()
    const missing = { code: 'CALLS_NOT_FOUND' }
    const find = platform.calls.find
    expect(await find({ agentId: agent.id, id, environment: 'live' })).toMatchObject({ id })
    await expect(find({ agentId: agent.id, id, environment: 'sandbox' })).rejects.toMatchObject(missing)
    await expect(find({ agentId: 'PROJECT-B', id })).rejects.toMatchObject(missing)
    await expect(find({ agentId: agent.id, id: 'OUT-1' })).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
    })
  })
})

describe('the conversation of a call', () => {
  it('OC20 an answered call is a conversation of its id, whose turns the host records', async () => {
    const { agent, clock, conversation, place, platform, records } = await startCalls()
    const { id } = await place({ metadata: { order: '12' } })
    await platform.calls.ringing({ id })
    expect(await records()).toEqual([])
    await platform.calls.answered({ id })
    expect(await conversation(id)).toMatchObject({
      ...{ kind: 'recorded', integrationAttributes: { order: '12' }, ttsLanguage: 'de-DE' },
      record: { channel: 'VOICE-SIP', direction: 'outbound', fromNumber: OURS, toNumber: THEIRS },
    })
    expect(await records()).toMatchObject([{ id, channel: 'VOICE-SIP', in_progress: true }])
    const turn = { agentId: agent.id, conversationId: id, turnId: '1', userInputAt: clock.now() }
    expect(
      await platform.conversations.recordTurn({ ...turn, userInput: 'Yes?', agentResponse: 'Hello.' }),
    ).toEqual({
      ...{ conversationId: id, status: 'recorded' },
    })
    await clock.advance(60_000)
    await platform.calls.ended({ id })
    expect(await records()).toMatchObject([{ id, in_progress: false, num_turns: 1, total_duration: 60 }])
  })

  it('OC20 the end of a call ends its conversation, and an end before that stands', async () => {
    const { agent, clock, conversation, place, platform } = await startCalls()
    const [one, two] = [await place(), await place()]
    for (const { id } of [one, two]) await platform.calls.answered({ id })
    await platform.conversations.finish({
      agentId: agent.id,
      conversationId: one.id,
      reason: 'REASON_USER_END',
    })
    const before = await conversation(one.id)
    await clock.advance(1_000)
    expect(await platform.calls.ended({ id: one.id })).toBe(true)
    expect(await conversation(one.id)).toEqual(before)
    expect(await platform.calls.failed({ id: two.id, reason: 'The line broke.' })).toBe(true)
    expect(await conversation(two.id)).toMatchObject({ endedAt: clock.now() })
  })

  it('OC20 a call goes with its conversation, and with its agent', async () => {
    const { account, agent, place, platform, status } = await startCalls()
    const [one, two] = [await place(), await place()]
    await platform.calls.answered({ id: one.id })
    await platform.calls.ended({ id: one.id })
    await platform.conversations.remove(account.id, agent.id, one.id)
    expect(await status(one.id)).toBeNull()
    expect(await status(two.id)).not.toBeNull()
    await platform.agents.delete(agent.id)
    expect(await status(two.id)).toBeNull()
    expect(await platform.calls.answered({ id: two.id })).toBe(false)
  })

  it('OC16 a conversation that a crash left open between a report and its write is ended with the call', async () => {
    const { conversation, place, platform, status, store } = await startCalls()
    const { id } = await place()
    const calls = store.conversations.outboundCalls
    const save = calls.save
    Object.assign(calls, { save: () => Promise.reject(new Error('killed')) })
    await expect(platform.calls.answered({ id })).rejects.toThrow('killed')
    Object.assign(calls, { save })
    expect(await status(id)).toMatchObject({ phase: 'queued' })
    expect(await conversation(id)).toMatchObject({ endedAt: null })
    expect(await platform.calls.ended({ id })).toBe(true)
    expect((await conversation(id))?.endedAt).not.toBeNull()
  })
})
