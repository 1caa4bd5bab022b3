import { expect, test } from 'vitest'
import { type FetchHandlerOptions, fetchHandlerOf } from '../../src/fetch/fetch-handler.ts'
import type { Dispatcher } from '../../src/http/dispatcher.ts'

/** A dispatcher whose every answer comes in chunks, and what became of them. */
function chunked(source: AsyncIterable<string | Uint8Array>, options: Partial<FetchHandlerOptions> = {}) {
  const dispatcher: Dispatcher = {
    matches: () => true,
    refusal: () => {
      throw new Error('nothing is refused here')
    },
    handle: async () => ({ status: 200, headers: { 'X-Long': 'yes' }, body: null, chunks: source }),
  }
  const handle = fetchHandlerOf<void>(dispatcher, { address: () => '203.0.113.9', ...options })
  return async (signal?: AbortSignal): Promise<Response> => {
    const answer = await handle(
      new Request('https://host.example/long', signal === undefined ? {} : { signal }),
    )
    if (answer === null) throw new Error('not answered')
    return answer
  }
}

/** Chunks without end. */
function endless() {
  const made = { chunks: 0, over: false }
  async function* run() {
    try {
      for (;;) yield `${++made.chunks};`
    } finally {
      made.over = true
    }
  }
  return { made, chunks: run() }
}

test('FE12 chunks are sent as they are, text and bytes, to the end', async () => {
  const answer = await chunked(
    (async function* () {
      yield 'ünï'
      yield ''
      yield new Uint8Array([0xf0, 0x9f, 0x98])
      yield new Uint8Array([0x80])
    })(),
  )()
  expect([answer.headers.get('x-long'), await answer.text()]).toEqual(['yes', 'ünï😀'])
})

test('FE12 a chunk is made when it is read, and no sooner', async () => {
  const { made, chunks } = endless()
  const reader = (await chunked(chunks)()).body?.getReader()
  expect(made.chunks).toBe(0)
  await reader?.read()
  await reader?.read()
  await new Promise(resolve => setImmediate(resolve))
  expect(made.chunks).toBe(2)
  await reader?.cancel()
  expect(made).toEqual({ chunks: 2, over: true })
})

test('FE12 others have their turn between two chunks', async () => {
  const { chunks } = endless()
  const reader = (await chunked(chunks)()).body?.getReader()
  let turns = 0
  const turn = (): void => {
    turns++
    if (turns < 1_000) setImmediate(turn)
  }
  setImmediate(turn)
  for (let count = 0; count < 20; count++) await reader?.read()
  expect(turns).toBeGreaterThanOrEqual(15)
  await reader?.cancel()
})

test('FE12 an answer that is cancelled while a chunk is made ends, and what makes it is stopped', async () => {
  let release = (): void => {}
  let over = false
  async function* waiting() {
    try {
      await new Promise<void>(resolve => {
        release = resolve
      })
      yield 'late'
    } finally {
      over = true
    }
  }
  const reader = (await chunked(waiting())()).body?.getReader()
  const read = reader?.read()
  const cancelled = reader?.cancel()
  expect(await read).toEqual({ done: true, value: undefined })
  release()
  await cancelled
  expect(over).toBe(true)
})

test('FE12 an abort ends the answer, and what makes it; one before it is read, too', async () => {
  const { made, chunks } = endless()
  const going = new AbortController()
  const reader = (await chunked(chunks)(going.signal)).body?.getReader()
  await reader?.read()
  going.abort(new Error('gone'))
  await expect(reader?.read()).rejects.toThrow('gone')
  expect(made).toEqual({ chunks: 1, over: true })
  const unread = endless()
  const early = await chunked(unread.chunks)(AbortSignal.abort(new Error('never there')))
  await expect(early.text()).rejects.toThrow('never there')
  expect(unread.made.chunks).toBe(0)
})

test('FE12 an answer that is not read in time ends with an error, one that was read does not', async () => {
  const { made, chunks } = endless()
  const slow = (await chunked(chunks, { answerTimeout: 30 })()).body?.getReader()
  // Too late already, where it is busy.
  await slow?.read().catch(() => undefined)
  await expect.poll(() => made.over).toBe(true)
  await expect(slow?.read()).rejects.toThrow('The answer was not read within 0.03 s, which is the limit.')
  async function* short() {
    yield 'short'
  }
  const quick = await chunked(short())()
  expect(await quick.text()).toBe('short')
})

test('FE12 a failure in the middle ends the answer with an error', async () => {
  async function* failing() {
    yield 'first'
    throw new Error('of the store')
  }
  const reader = (await chunked(failing())()).body?.getReader()
  await reader?.read()
  await expect(reader?.read()).rejects.toThrow('of the store')
})
