import { PlatformError } from '@colloquy/core'
import type { RuntimePart } from '@colloquy/core/runtime'
import { createFakeClock } from '@colloquy/core/testing'
import type { Answer } from '@colloquy/test-support/fake-openai'
import { LoadAPIKeyError } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test, vi } from 'vitest'
import { createAiSdkRuntime } from '../src/index.ts'
import { makeTurn, partsOf, requestsOf, textOf, withServer } from './support/turn.ts'

const OK: Answer = { type: 'reply', chunks: ['Breakfast is ', 'at seven.'] }
const BUSY: Answer = { type: 'status', status: 429 }
const QUESTION = makeTurn({ text: 'When is breakfast?' })

/** Answers while the clock goes on, in steps, until it is over. */
async function settle<T>(
  clock: { advance(milliseconds: number): Promise<void> },
  promise: Promise<T>,
): Promise<T> {
  let over = false
  const ended = promise.finally(() => {
    over = true
  })
  ended.catch(() => undefined)
  while (!over) await clock.advance(100)
  return ended
}

describe('attempts', () => {
  test.each<readonly [string, Answer]>([
    ['429', BUSY],
    ['500', { type: 'status', status: 500, body: 'oops' }],
    ['503', { type: 'status', status: 503 }],
    ['a connection that breaks at once', { type: 'reset' }],
    ['a web page', { type: 'body', contentType: 'text/html', body: '<html>Bad gateway</html>' }],
    ['a stream of garbage', { type: 'body', contentType: 'text/event-stream', body: 'data: {"x":\n\n' }],
    [
      'an error in the stream',
      {
        type: 'body',
        contentType: 'text/event-stream',
        body: 'data: {"error":{"message":"overloaded"}}\n\n',
      },
    ],
  ])('LM20 after %s the request is made again, and the answer is said once', async (_, bad) => {
    const { runtime, server, clock } = await withServer([bad, OK])
    const parts = await settle(clock, partsOf(runtime, QUESTION))
    expect(textOf(parts)).toBe('Breakfast is at seven.')
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
    expect(requestsOf(parts).map(({ attempt, error }) => [attempt, error === null])).toEqual([
      [1, false],
      [2, true],
    ])
  })

  test('LM20 waits double, and after the last attempt the turn has failed with its reason', async () => {
    const { runtime, server, clock } = await withServer([BUSY, BUSY, BUSY, OK])
    const started = clock.now()
    const failed = settle(clock, partsOf(runtime, QUESTION))
    await expect(failed).rejects.toThrow(
      'The language model fake-model has failed in 3 attempts: 429 Status 429',
    )
    await expect(failed).rejects.toBeInstanceOf(PlatformError)
    expect(server.requests).toHaveLength(3)
    expect(clock.now() - started).toBeGreaterThanOrEqual(1_500)
  })

  test('LM20 waits as long as the model asks, and not at all longer than the longest delay', async () => {
    const asked: Answer = { type: 'status', status: 429, headers: { 'retry-after': '7' } }
    const patient = await withServer([asked, OK])
    const started = patient.clock.now()
    await settle(patient.clock, partsOf(patient.runtime, QUESTION))
    expect(patient.clock.now() - started).toBeGreaterThanOrEqual(7_000)
    const hasty = await withServer([asked, OK], { longestRetryDelay: 6_999 })
    await expect(partsOf(hasty.runtime, QUESTION)).rejects.toThrow('429')
    expect(hasty.server.requests).toHaveLength(1)
  })

  test.each([400, 404, 422])('LM21 status %i fails at once', async status => {
    const { runtime, server } = await withServer([{ type: 'status', status }, OK])
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow(`has failed: ${status} Status ${status}`)
    expect(server.requests).toHaveLength(1)
  })

  const reported = (error: object): Answer => ({
    type: 'body',
    contentType: 'text/event-stream',
    body: `data: ${JSON.stringify({ error })}\n\n`,
  })

  test.each<readonly [string, Answer]>([
    ['501', { type: 'status', status: 501 }],
    ['a refused key in the stream', reported({ message: 'Wrong key', code: 401 })],
    ['a refused key by its type', reported({ message: 'Wrong key', type: 'authentication_error' })],
    ['a refused key by its code', reported({ message: 'Wrong key', code: 'invalid_api_key' })],
    ['a wrong request in the stream', reported({ message: 'Too long', type: 'invalid_request_error' })],
    ['an empty purse in the stream', reported({ message: 'No credit', code: 'insufficient_quota' })],
  ])('LM21 %s fails at once', async (_, answer) => {
    const { runtime, server } = await withServer([answer, OK])
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow('The language model fake-model has failed: ')
    expect(server.requests).toHaveLength(1)
  })

  test.each<readonly [string, unknown]>([
    ['no key', new LoadAPIKeyError({ message: 'FAKE_API_KEY is missing' })],
    ['what is not implemented', new Error('Method not implemented.')],
    ['a mistake in code', new TypeError('model.ask is not a function')],
    ['a refusal of another library', Object.assign(new Error('no'), { status: 401 })],
  ])('LM21 %s fails at once, whoever throws it', async (_, error) => {
    const doStream = vi.fn(() => Promise.reject(error))
    const runtime = createAiSdkRuntime({ model: new MockLanguageModelV4({ doStream }) })
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow('The language model mock-model-id has failed: ')
    expect(doStream).toHaveBeenCalledOnce()
  })

  test.each<readonly [string, unknown]>([
    ['a reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    [
      'a stream that was cut',
      new TypeError('terminated', {
        cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      }),
    ],
    ['a driver that gave up waiting', new DOMException('Too late', 'TimeoutError')],
    ['a status of another library', Object.assign(new Error('busy'), { status: 503 })],
  ])('LM20 %s is asked again, whoever throws it', async (_, error) => {
    const clock = createFakeClock()
    const doStream = vi.fn(() => Promise.reject(error))
    const runtime = createAiSdkRuntime({ model: new MockLanguageModelV4({ doStream }), clock })
    await expect(settle(clock, partsOf(runtime, QUESTION))).rejects.toThrow('in 3 attempts')
    expect(doStream).toHaveBeenCalledTimes(3)
  })

  test.each([401, 403])('LM21 what a provider says with status %i is told to the log alone', async status => {
    const body = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-1' } })
    const { runtime, server } = await withServer([{ type: 'status', status, body }, OK])
    const parts: RuntimePart[] = []
    const read = async () => {
      for await (const part of runtime.respond(QUESTION, new AbortController().signal)) parts.push(part)
    }
    const error: unknown = await read().catch((reason: unknown) => reason)
    const told = `${status} The provider refused the credentials`
    expect(error).toMatchObject({ message: `The language model fake-model has failed: ${told}` })
    expect(String(error instanceof Error && error.cause)).toContain('sk-1')
    expect(requestsOf(parts)).toMatchObject([{ error: told }])
    expect(server.requests).toHaveLength(1)
  })

  test('LM21 what broke off after it has said something is not asked again: no word is said twice', async () => {
    const { runtime, server } = await withServer([{ type: 'reset', chunks: ['Breakfast is '] }, OK])
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow('The language model fake-model has failed: ')
    expect(server.requests).toHaveLength(1)
  })

  test('LM21 white space is not something said', async () => {
    const { runtime, clock } = await withServer([{ type: 'reset', chunks: ['\n\n '] }, OK])
    expect(textOf(await settle(clock, partsOf(runtime, QUESTION)))).toBe('Breakfast is at seven.')
  })
})

describe('the deadline', () => {
  const deadline = new PlatformError('AGENT_FAILED', 'The turn took longer than 5 ms.')

  test.each<Answer>([{ type: 'hang' }, { type: 'hang', chunks: ['Well, '] }])(
    'a model that hangs is given up when the turn is: %j',
    async answer => {
      const { runtime, server } = await withServer([answer])
      const controller = new AbortController()
      const parts = partsOf(runtime, QUESTION, controller.signal)
      const { gaveUp } = await server.request(0)
      controller.abort(deadline)
      await expect(parts).rejects.toBe(deadline)
      await gaveUp
      expect(server.requests).toHaveLength(1)
    },
  )

  test('so is the wait before another attempt', async () => {
    const { runtime, server, clock } = await withServer([BUSY, OK])
    const controller = new AbortController()
    const parts = partsOf(runtime, QUESTION, controller.signal)
    parts.catch(() => undefined)
    await server.request(0)
    while (clock.pending === 0) await clock.settle()
    controller.abort(deadline)
    await expect(parts).rejects.toBe(deadline)
    expect(clock.pending).toBe(0)
    expect(server.requests).toHaveLength(1)
  })

  test('a reader who leaves in the middle stops the request', async () => {
    const { runtime, server } = await withServer([{ type: 'hang', chunks: ['One. ', 'Two. '] }])
    for await (const part of runtime.respond(QUESTION, new AbortController().signal)) {
      if (part.type === 'text') break
    }
    await (await server.request(0)).gaveUp
  })
})

describe('what is said', () => {
  test('LM30 text is yielded while the model still writes', async () => {
    let release = (): void => undefined
    const until = new Promise<void>(resolve => {
      release = resolve
    })
    const { runtime } = await withServer([{ type: 'reply', chunks: ['One, ', 'two.'], until }])
    const said: string[] = []
    for await (const part of runtime.respond(QUESTION, new AbortController().signal)) {
      if (part.type !== 'text') continue
      said.push(part.text)
      // The server holds the rest back until the first piece has arrived here.
      release()
    }
    expect(said).toEqual(['One, ', 'two.'])
  })

  test('LM40 each attempt is told with its tokens, times and end', async () => {
    const { runtime, clock } = await withServer([BUSY, OK])
    const parts = await settle(clock, partsOf(runtime, QUESTION))
    const [first, second] = requestsOf(parts)
    expect(first).toEqual({
      model: 'fake-model',
      provider: 'fake',
      step: 1,
      attempt: 1,
      input_tokens: null,
      output_tokens: null,
      latency_ms: expect.any(Number),
      first_output_ms: null,
      finish_reason: '',
      error: '429 Status 429',
    })
    expect(second).toEqual({
      model: 'fake-model',
      provider: 'fake',
      step: 1,
      attempt: 2,
      input_tokens: 120,
      output_tokens: 7,
      latency_ms: expect.any(Number),
      first_output_ms: expect.any(Number),
      finish_reason: 'stop',
      error: null,
    })
  })

  test('LM40 latency is measured on the clock', async () => {
    let release = (): void => undefined
    const until = new Promise<void>(resolve => {
      release = resolve
    })
    const { runtime, clock, server } = await withServer([{ type: 'reply', chunks: ['One, ', 'two.'], until }])
    const parts = partsOf(runtime, QUESTION)
    await server.request(0)
    await clock.advance(1_234)
    release()
    expect(requestsOf(await parts)[0]?.latency_ms).toBe(1_234)
  })

  test.each<readonly [string, Answer, string]>([
    ['nothing', { type: 'reply' }, 'answered nothing (it finished with "stop")'],
    ['white space', { type: 'reply', chunks: [' \n'] }, 'answered nothing (it finished with "stop")'],
    [
      'what a filter held back',
      { type: 'reply', finishReason: 'content_filter' },
      'it finished with "content-filter"',
    ],
  ])('LM30 a model that says %s has failed the turn', async (_, answer, reason) => {
    const { runtime } = await withServer([answer])
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow(reason)
  })

  test('LM30 so has one that does not stop: the request is given up', async () => {
    const { runtime, server } = await withServer(
      [{ type: 'hang', chunks: ['x'.repeat(60), 'y'.repeat(60)] }],
      {
        answerLength: 100,
      },
    )
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow(
      'The language model said more than 100 characters.',
    )
    await (await server.request(0)).gaveUp
  })

  test('LM30 and one whose arguments do not stop', async () => {
    const calls = [{ name: 'search_knowledge_base', arguments: JSON.stringify({ query: 'x'.repeat(200) }) }]
    const { runtime } = await withServer([{ type: 'reply', calls }], { answerLength: 100 })
    await expect(partsOf(runtime, QUESTION)).rejects.toThrow('wrote more than 100 characters of arguments')
  })
})
