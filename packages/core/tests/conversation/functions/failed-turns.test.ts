import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { v3RecordBeginning } from '../../../src/domain/conversation/record-text.ts'
import { createMemoryStore } from '../../../src/memory/index.ts'
import { createPlatform } from '../../../src/platform.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../../src/testing/index.ts'
import { TurnFailed } from '../../../src/usecases/debug-chat/turn-failed.ts'
import { CALLER, does, openChat } from './support.ts'

const STATED = "Sorry, I'm having trouble responding right now. Please try again."
const REQUEST = { model: 'fake', attempt: 1, error: 'overloaded' }

const script: Script = {
  ...CALLER,
  messages: {
    fail: async turn => {
      await turn.callFunction('breaks', { a: 1 })
      // Nobody waits for this one.
      void turn.callFunction('hangs', {})
      return [
        { type: 'llm_request', request: REQUEST },
        { type: 'topic', name: 'Payment', cited: true },
        { type: 'fail', message: 'the model is down' },
      ]
    },
    nothing: async turn => {
      await turn.callFunction('breaks', {})
      return []
    },
    fine: 'Fine.',
  },
  externalEvent: async turn => {
    await turn.callFunction('breaks', {})
    return []
  },
}
const functions = {
  breaks: does(conversation => {
    conversation.setVariable('touched', true)
    throw new Error('no line to the bank')
  }),
  hangs: does(() => new Promise(() => undefined)),
  waits: does(conversation => conversation.expectExternalEvent({ delayResponse: true })),
}

const EVENTS = [
  { name: 'breaks', arguments: { a: 1 }, result: null, error: 'no line to the bank', duration_ms: 0 },
  { name: 'hangs', arguments: {}, result: null, error: 'The turn is over.', duration_ms: 0 },
]

describe('a failed turn', () => {
  it('FN40 stands in the record with what it came to, and nowhere on the visitor’s wire', async () => {
    const clock = createFakeClock()
    const store = createMemoryStore()
    const runtime = createScriptedRuntime(script, clock)
    const platform = createPlatform({ store, clock, runtime, functions, onError: () => undefined })
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.say('fail')
    await visitor.say('fine')
    expect(visitor.texts('SYSTEM_MESSAGE')).toEqual([STATED])
    expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Fine.'])

    const record = await platform.reading.record(visitor.accountId, visitor.agentId, visitor.id)
    if (record === null) throw new Error('there is no record')
    expect(JSON.parse(`${v3RecordBeginning(record)}${record.turns?.text}}`)).toMatchObject({
      num_turns: 3,
      state: {},
      function_events: EVENTS,
      turns: [
        { user_input: '', agent_response: 'Welcome.' },
        { user_input: 'fail', agent_response: '' },
        { user_input: 'fine', agent_response: 'Fine.' },
      ],
    })
    const [, failed] = await store.conversations.turns(visitor.id)
    expect(failed?.details).toMatchObject({
      function_events: EVENTS,
      llm_requests: [REQUEST],
      retrieved_topics: ['Payment'],
      error: 'the model is down',
    })
  })

  it('FN40 a turn that says nothing has failed, and holds its calls', async () => {
    const chat = await openChat({ functions, script })
    await expect(chat.say('nothing')).rejects.toMatchObject({ code: 'AGENT_FAILED', message: STATED })
    const { turn } = await chat.read()
    expect(turn?.details).toMatchObject({
      error: 'The agent runtime ended the turn without an answer.',
      function_events: [{ name: 'breaks', error: 'no line to the bank' }],
      state: {},
    })
    expect((await chat.state()).record.turns).toBe(2)
    expect((await chat.say('fine')).record.agent_response).toBe('Fine.')
  })

  it('FN40 what fails before the runtime is asked is told to the host alone', async () => {
    const errors: unknown[] = []
    const chat = await openChat({ functions, script, options: { onError: error => errors.push(error) } })
    const { realTimeConfigs } = chat.store.agents
    const { variables } = realTimeConfigs
    Object.assign(realTimeConfigs, { variables: () => Promise.reject(new Error('disk /var/secret is full')) })
    await expect(chat.say('fine')).rejects.toMatchObject({
      turn: { turn: { record: { user_input: 'fine' }, details: { error: 'The turn could not begin.' } } },
    })
    expect(errors).toMatchObject([{ message: 'disk /var/secret is full' }])
    Object.assign(realTimeConfigs, { variables })
    expect((await chat.say('fine')).record.agent_response).toBe('Fine.')
  })

  it('FN40 a library caller finds it in the error, also when the next message was said meanwhile', async () => {
    const chat = await openChat({ functions, script })
    const [failed, fine] = await Promise.allSettled([chat.say('fail'), chat.say('fine')])
    expect(fine).toMatchObject({ status: 'fulfilled', value: { record: { agent_response: 'Fine.' } } })
    if (failed?.status !== 'rejected') throw new Error('it did not fail')
    expect(failed.reason).toBeInstanceOf(TurnFailed)
    expect(failed.reason).toMatchObject({
      message: STATED,
      turn: { turn: { details: { error: 'the model is down', function_events: EVENTS } } },
    })
  })

  it('FN40 a turn that fails for an external event stands among the delayed ones', async () => {
    const chat = await openChat({ functions, script })
    // Nothing is said, so that nothing is published: whoever waits looks again after a while.
    const delayed = await chat.sayDuring('waits', 5_000)
    expect(delayed.details.delayed).toBe(true)
    const [eventId = ''] = (await chat.state()).awaiting
    const { agentId, accountId } = await chat.state()
    await chat.platform.externalEvents.receive({
      ...{ accountId, agentId, location: 'headers', path: 'x-event', query: '' },
      headers: { 'x-event': eventId },
      contentType: 'text/plain',
      body: new TextEncoder().encode('paid'),
    })
    await chat.clock.settle()
    expect((await chat.read()).turn?.details.error).toBe(
      'The agent runtime ended the turn without an answer.',
    )
    const next = await chat.platform.debugChat.send(chat.agent, chat.id, {
      ...{ environment: 'sandbox', message: 'fine' },
    })
    expect(next.delayed).toMatchObject([{ details: { function_events: [{ error: 'no line to the bank' }] } }])
  })
})
