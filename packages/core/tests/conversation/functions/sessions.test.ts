import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../../src/platform.ts'
import type { FunctionConversation } from '../../../src/ports/agent-function.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { createLocalBus } from '../../../src/system/local-bus.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type Script,
} from '../../../src/testing/index.ts'
import { CALLER, does } from './support.ts'

/** A function that hangs, deaf to its signal, and what it was given. */
function hanging(timeout = 50_000) {
  const held: { conversation: FunctionConversation; signal: AbortSignal }[] = []
  const hang = does((conversation, signal) => {
    held.push({ conversation, signal })
    conversation.setVariable('begun', held.length)
    return new Promise(() => undefined)
  }, timeout)
  return { held, hang }
}

/** Processes over one store and bus. */
function processes(functions: NonNullable<PlatformOptions['functions']>, script: Script = CALLER) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const common = { store, clock, bus: createLocalBus(), ids: createSequentialIds(), functions }
  const errors: unknown[] = []
  const start = (options: Partial<PlatformOptions> = {}) =>
    createPlatform({
      ...common,
      runtime: createScriptedRuntime(script, clock),
      onError: error => errors.push(error),
      ...options,
    })
  return { clock, store, errors, start }
}

describe('a session that ends while a function hangs', () => {
  it.each(['the visitor', 'the host'])('FN20 the signal aborts at once when %s ends it', async who => {
    const { held, hang } = hanging()
    const { clock, store, errors, start } = processes({ hang })
    const platform = start()
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.say('hang')
    expect(held.map(({ signal }) => signal.aborted)).toEqual([false])
    if (who === 'the visitor') await visitor.end()
    else await platform.agents.delete(visitor.agentId)
    await clock.settle()
    expect(held[0]?.signal).toMatchObject({ aborted: true, reason: { message: 'The turn was called off.' } })

    const log = await eventsOf(store.conversations, visitor.id, 0)
    expect(log.at(-1)?.type).toBe('SESSION_END')
    const turns = await store.conversations.turns(visitor.id)
    expect(() => held[0]?.conversation.say('late')).toThrow('this call of the function hang is over')
    await expect(held[0]?.conversation.expectExternalEvent()).rejects.toMatchObject({ code: 'AGENT_FAILED' })
    await platform.idle()
    await clock.advance(120_000)
    expect(await eventsOf(store.conversations, visitor.id, 0)).toEqual(log)
    expect(await store.conversations.turns(visitor.id)).toEqual(turns)
    expect((await store.conversations.load(visitor.id))?.state.variables).toEqual({})
    expect(errors).toEqual([])
  })

  it('FN20 the signal aborts when the session ends in another process, before the lease would be renewed twice', async () => {
    const { held, hang } = hanging()
    const { clock, start } = processes({ hang })
    const here = await openVisitor(start(), clock)
    await here.join()
    await here.say('hang')
    const there = await here.reconnect(start())
    await there.end()
    await clock.advance(5_000)
    expect(held.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  it('FN20 the signal aborts at the turn’s deadline, and the turn’s failure holds the call', async () => {
    const { held, hang } = hanging(50_000)
    const script: Script = {
      ...CALLER,
      messages: {
        both: async turn => {
          await turn.callFunction('hang', {})
          await turn.callFunction('hang', {})
          return 'never'
        },
      },
    }
    const { clock, store, start } = processes({ hang }, script)
    const visitor = await openVisitor(start(), clock)
    await visitor.join()
    await visitor.say('both')
    await clock.advance(60_000)
    expect(held.map(({ signal }) => signal.aborted)).toEqual([true, true])
    expect(visitor.texts('SYSTEM_MESSAGE')).toEqual([
      "Sorry, I'm having trouble responding right now. Please try again.",
    ])
    const error = 'The turn took longer than 60000 ms.'
    expect((await store.conversations.turns(visitor.id)).at(-1)?.details).toMatchObject({
      error,
      function_events: [
        { error: 'The function took longer than 50000 ms.', duration_ms: 50_000 },
        { error, duration_ms: 10_000 },
      ],
    })
  })

  it('FN20 a turn that is over calls no function', async () => {
    const kept: Parameters<Extract<Script['greeting'], (...input: never[]) => unknown>>[0][] = []
    const calls: string[] = []
    const script: Script = {
      greeting: turn => {
        kept.push(turn)
        return 'Welcome.'
      },
    }
    const note = does(() => calls.push('called'))
    const { clock, store, start } = processes({ note }, script)
    const visitor = await openVisitor(start(), clock)
    await visitor.join()
    const call = await kept[0]?.callFunction('note', {})
    expect(call).toMatchObject({ result: null, error: 'The turn is over.' })
    expect(calls).toEqual([])
    expect((await store.conversations.turns(visitor.id))[0]?.details).not.toHaveProperty('function_events')
  })
})

describe('a turn that is run again', () => {
  it('FN30 each call has the key that it had, and no other', async () => {
    const keys: string[][] = []
    const note = does(conversation => void keys.at(-1)?.push(conversation.idempotencyKey))
    const script: Script = {
      ...CALLER,
      otherwise: async turn => {
        keys.push([])
        for (const name of ['note', 'other', 'missing', 'note']) await turn.callFunction(name, {})
        return [{ type: 'wait', milliseconds: 1_000 }, 'Done.']
      },
    }
    const { clock, start } = processes({ note, other: note }, script)
    let dead = false
    // This process stops being scheduled while it runs the turn.
    const dying: Clock = {
      now: clock.now,
      monotonic: clock.monotonic,
      schedule: (delay, task) => clock.schedule(delay, () => dead || task()),
    }
    const runtime = createScriptedRuntime(script, dying)
    const visitor = await openVisitor(start({ clock: dying, runtime }), clock)
    await visitor.join()
    await visitor.say('one')
    dead = true
    const elsewhere = await visitor.reconnect(start())
    await clock.advance(20_000)
    expect(elsewhere.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Done.'])
    const [first = [], again, ...rest] = keys
    expect(rest).toEqual([])
    expect(first).toHaveLength(3)
    expect(new Set(first).size).toBe(3)
    expect(again).toEqual(first)
    for (const key of first) expect(key).toMatch(/^[A-Za-z0-9._-]{1,120}$/)

    await elsewhere.say('two')
    await clock.advance(2_000)
    expect(keys).toHaveLength(3)
    expect(new Set(keys.flat()).size).toBe(6)
  })
})

it('a turn keeps of its details what is not empty', async () => {
  const { clock, store, start } = processes({}, { greeting: 'Welcome.', otherwise: 'Fine.' })
  const visitor = await openVisitor(start({ turnRecording: 'outcome' }), clock)
  await visitor.join()
  await visitor.say('hello')
  const [, turn] = await store.conversations.turns(visitor.id)
  expect(turn?.details).toEqual({
    turn_id: expect.any(String),
    deployment_id: expect.stringMatching(/^DEPLOYMENT-/),
    input_type: 'message',
  })
})

it('a turn keeps all that happened in it', async () => {
  const otherwise: Script['otherwise'] = [
    { type: 'topic', name: 'Rooms', cited: true },
    { type: 'source', name: 'faq' },
    { type: 'node', name: 'booking' },
    'Bye.',
    { type: 'end' },
  ]
  const { clock, store, start } = processes({}, { greeting: 'Welcome.', otherwise })
  const visitor = await openVisitor(start(), clock)
  await visitor.join()
  await visitor.say('hello')
  const [, turn] = await store.conversations.turns(visitor.id)
  expect(turn?.details).toEqual({
    recording: expect.any(Object),
    turn_id: expect.any(String),
    deployment_id: expect.any(String),
    input_type: 'message',
    retrieved_topics: ['Rooms'],
    retrieved_sources: ['faq'],
    cited_topic: 'Rooms',
    node_trace: ['booking'],
    ends: true,
  })
})
