import { describe, expect, it } from 'vitest'
import type { AgentRuntime, RuntimePart, RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { aRuntimeTurn } from '../../src/testing/conversation-fixtures.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { createScriptedRuntime, type Script } from '../../src/testing/scripted-runtime.ts'

const external = {
  type: 'external_event',
  eventId: 'x',
  contentType: 'text/plain',
  body: new Uint8Array(),
} as const
const text = (value: string): RuntimePart => ({ type: 'text', text: value })

/** Asks a runtime and notes each part as it comes. */
function ask(runtime: AgentRuntime, turn: RuntimeTurn, signal = new AbortController().signal) {
  const parts: RuntimePart[] = []
  const read = async () => {
    for await (const part of runtime.respond(turn, signal)) parts.push(part)
  }
  return { parts, done: read() }
}

const reply = async (script: Script, turn: RuntimeTurn): Promise<RuntimePart[]> => {
  const { parts, done } = ask(createScriptedRuntime(script, createFakeClock()), turn)
  await done
  return parts
}

describe('scripted runtime', () => {
  const script: Script = {
    greeting: 'Welcome.',
    messages: { Hi: 'Hello.', hi: ['small ', 'letters'], constructor: 'own' },
    externalEvent: 'It came.',
    otherwise: 'What?',
  }

  it('ST30 replies by the visitor’s exact text, by the kind of input, or otherwise', async () => {
    expect(await reply(script, aRuntimeTurn('Hi'))).toEqual([text('Hello.')])
    expect(await reply(script, aRuntimeTurn('hi'))).toEqual([text('small '), text('letters')])
    expect(await reply(script, aRuntimeTurn('constructor'))).toEqual([text('own')])
    expect(await reply(script, aRuntimeTurn('toString'))).toEqual([text('What?')])
    expect(await reply(script, aRuntimeTurn({ type: 'greeting' }))).toEqual([text('Welcome.')])
    expect(await reply(script, aRuntimeTurn(external))).toEqual([text('It came.')])
    expect(await reply({ otherwise: 'What?' }, aRuntimeTurn(external))).toEqual([text('What?')])
  })

  it('ST30 a function replies from the turn, and every kind of part is passed on as it is', async () => {
    const end: RuntimePart = { type: 'end' }
    const handoff: RuntimePart = { type: 'handoff', destination: 'reception', reason: 'asked' }
    const byTurn: Script = {
      otherwise: async turn => [`${turn.channel} ${await turn.expectExternalEvent()}`, handoff, end],
    }
    expect(await reply(byTurn, aRuntimeTurn('Hi'))).toEqual([text('webchat external-event-1'), handoff, end])
  })

  it('ST30 an input without a reply fails the turn and says which one', async () => {
    await expect(reply({ messages: { a: 'b' } }, aRuntimeTurn('it’s "x"'))).rejects.toThrow(
      'message "it’s \\"x\\""',
    )
    await expect(reply({}, aRuntimeTurn({ type: 'greeting' }))).rejects.toThrow('a turn of greeting')
  })

  it('ST30 waits pass on the clock', async () => {
    const clock = createFakeClock(0)
    const waiting: Script = { otherwise: ['one', { type: 'wait', milliseconds: 100 }, 'two'] }
    const { parts, done } = ask(createScriptedRuntime(waiting, clock), aRuntimeTurn('Hi'))
    await clock.advance(99)
    expect(parts).toEqual([text('one')])
    await clock.advance(1)
    await done
    expect(parts).toEqual([text('one'), text('two')])
    expect(clock.pending).toBe(0)
  })

  it('ST30 fails where the script says so: before the first part, or in mid-stream', async () => {
    const failing = createScriptedRuntime(
      {
        messages: {
          before: [{ type: 'fail', message: 'at once' }],
          within: ['one', { type: 'fail', message: 'too late' }, 'two'],
        },
      },
      createFakeClock(),
    )
    const before = ask(failing, aRuntimeTurn('before'))
    await expect(before.done).rejects.toThrow('at once')
    expect(before.parts).toEqual([])
    const within = ask(failing, aRuntimeTurn('within'))
    await expect(within.done).rejects.toThrow('too late')
    expect(within.parts).toEqual([text('one')])
  })

  it('ST30 gives up when the signal aborts, in the middle of a wait, and leaves no timer', async () => {
    const clock = createFakeClock(0)
    const runtime = createScriptedRuntime(
      { otherwise: ['one', { type: 'wait', milliseconds: 100 }, 'two'] },
      clock,
    )
    const controller = new AbortController()
    const { parts, done } = ask(runtime, aRuntimeTurn('Hi'), controller.signal)
    const given = expect(done).rejects.toThrow('nobody waits')
    await clock.advance(50)
    controller.abort(new Error('nobody waits'))
    await given
    expect(parts).toEqual([text('one')])
    expect(clock.pending).toBe(0)
    const late = ask(runtime, aRuntimeTurn('Hi'), controller.signal)
    await expect(late.done).rejects.toThrow('nobody waits')
    expect(late.parts).toEqual([])
  })

  it('ST30 hangs until the signal aborts, on no timer', async () => {
    const clock = createFakeClock(0)
    const runtime = createScriptedRuntime({ otherwise: ['one', { type: 'hang' }, 'two'] }, clock)
    const controller = new AbortController()
    const { parts, done } = ask(runtime, aRuntimeTurn('Hi'), controller.signal)
    let over = false
    const given = done.catch(error => {
      over = true
      return error
    })
    await clock.advance(1_000_000)
    expect({ parts, over, pending: clock.pending }).toEqual({ parts: [text('one')], over: false, pending: 0 })
    controller.abort(new Error('nobody waits'))
    expect(await given).toEqual(new Error('nobody waits'))
    expect(parts).toEqual([text('one')])
  })

  it('ST30 a signal that has aborted before asks no function of the script', async () => {
    let asked = 0
    const otherwise = () => {
      asked += 1
      return 'late'
    }
    const runtime = createScriptedRuntime({ otherwise }, createFakeClock())
    const { done } = ask(runtime, aRuntimeTurn('Hi'), AbortSignal.abort(new Error('nobody waits')))
    await expect(done).rejects.toThrow('nobody waits')
    expect(asked).toBe(0)
  })

  it('ST30 remembers the turns it was asked, and which of them came to their end', async () => {
    const clock = createFakeClock(0)
    const runtime = createScriptedRuntime(
      {
        messages: {
          good: 'Yes.',
          bad: [{ type: 'fail', message: 'no' }],
          slow: [{ type: 'wait', milliseconds: 9 }],
        },
      },
      clock,
    )
    const [good, bad, slow] = [aRuntimeTurn('good'), aRuntimeTurn('bad'), aRuntimeTurn('slow')]
    const controller = new AbortController()
    await ask(runtime, good).done
    await expect(ask(runtime, bad).done).rejects.toThrow('no')
    const given = expect(ask(runtime, slow, controller.signal).done).rejects.toThrow()
    controller.abort()
    await given
    await ask(runtime, good).done
    expect(runtime.turns).toEqual([good, bad, slow, good])
    expect(runtime.finished).toEqual([good, bad, good])
  })
})
