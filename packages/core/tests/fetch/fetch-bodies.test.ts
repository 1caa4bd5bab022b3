import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { TEST_ROUTES } from '@colloquy/test-support/routes'
import { expect, test } from 'vitest'
import { type FetchHandlerOptions, fetchHandlerOf } from '../../src/fetch/fetch-handler.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'

async function serve(options: Partial<FetchHandlerOptions> = {}) {
  const made = await createPopulatedPlatform()
  const dispatcher = createDispatcher(made.platform, TEST_ROUTES)
  const handle = fetchHandlerOf<void>(dispatcher, { address: () => '203.0.113.9', ...options })
  const requestOf = (
    body: NonNullable<RequestInit['body']> | null,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Request => {
    const init = {
      method: 'POST',
      headers: { 'x-api-key': made.keys.desk, 'content-type': 'application/json', ...headers },
      body,
      // Node asks for it where a body is a stream.
      duplex: 'half' as const,
      ...(signal === undefined ? {} : { signal }),
    }
    return new Request('https://host.example/desk/v1/echo', init)
  }
  const told = async (request: Request) => {
    const answer = await handle(request)
    const body = JSON.parse((await answer?.text()) ?? 'null')
    return { status: answer?.status, code: body.error_code, message: body.error_message, body }
  }
  return { ...made, handle, requestOf, told }
}

/** A body that comes in pieces, and remembers how many were asked for, and whether it was cancelled. */
function pieces(next: (count: number) => unknown) {
  const seen = { asked: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await next(++seen.asked)
        if (piece === null) controller.close()
        // What a host makes need not be what the type says.
        else Reflect.apply(controller.enqueue, controller, [piece])
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, body }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('HT30 a body is read whole, in however many pieces it comes, and none is an empty object', async () => {
  const { requestOf, told } = await serve()
  const sent = { name: 'ünïcode', free: { list: [1, null] } }
  const all = bytes(JSON.stringify(sent))
  const { body } = pieces(count => (count > all.length ? null : all.subarray(count - 1, count)))
  expect((await told(requestOf(body))).body).toEqual(sent)
  expect((await told(requestOf(JSON.stringify(sent)))).body).toEqual(sent)
  expect((await told(requestOf(null))).body).toEqual({})
  expect((await told(requestOf(''))).body).toEqual({})
})

test('HT41 a body that was read before is refused in words, and never taken for empty', async () => {
  const { requestOf, told, errors } = await serve()
  const used = requestOf('{"name":"x"}')
  await used.text()
  const locked = requestOf('{"name":"x"}')
  const reader = locked.body?.getReader()
  const half = requestOf(pieces(count => (count > 2 ? null : bytes('{}'))).body)
  const other = half.body?.getReader()
  await other?.read()
  other?.releaseLock()
  const left = requestOf(null, { 'content-length': '12' })
  for (const request of [used, locked, half, left])
    expect(await told(request)).toMatchObject({
      status: 500,
      code: 'BODY_READ_BEFORE',
      message: expect.stringMatching(/before the handler\. .*request\.clone\(\)\.$/),
    })
  expect(errors).toHaveLength(4)
  expect(errors[0]).toMatchObject({ error: { code: 'BODY_READ_BEFORE' }, where: 'POST /desk/v1/echo' })
  reader?.releaseLock()
})

test('HT41 a clone is read, whoever reads the other', async () => {
  const { requestOf, told } = await serve()
  const request = requestOf('{"name":"x"}')
  const clone = request.clone()
  await request.text()
  expect(await told(clone)).toMatchObject({ status: 200, body: { name: 'x' } })
})

test('FE9 an endless body is 413 at its limit: little more is read, nothing is cancelled', async () => {
  const { requestOf, told } = await serve()
  const piece = new Uint8Array(65_536).fill(0x20)
  const { body, seen } = pieces(() => piece)
  expect(await told(requestOf(body))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
  expect(seen).toEqual({ asked: 17, cancelled: false })
})

test('FE9 a declared length over the limit is 413 before anything is read', async () => {
  const { requestOf, told } = await serve()
  const { body, seen } = pieces(() => bytes('{}'))
  expect((await told(requestOf(body, { 'content-length': '1048577' }))).status).toBe(413)
  expect(seen.asked).toBe(0)
})

test('FE9 a body of a request that is refused for another reason is not read', async () => {
  const { requestOf, told } = await serve()
  const { body, seen } = pieces(() => bytes('{}'))
  expect((await told(requestOf(body, { 'x-api-key': 'wrong' }))).status).toBe(401)
  expect(seen).toEqual({ asked: 0, cancelled: false })
})

test('FE9 a body that does not come is 408 in time, also one that drips', async () => {
  const { requestOf, told } = await serve({ requestTimeout: 50 })
  const silent = pieces(() => new Promise(() => {}))
  expect(await told(requestOf(silent.body))).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
  const dripping = pieces(() => new Promise(resolve => setTimeout(resolve, 5, bytes(' '))))
  expect(await told(requestOf(dripping.body))).toMatchObject({
    status: 408,
    message: 'The body did not arrive within 0.05 s, which is the limit.',
  })
})

test('FE9 an abort while the body comes is 400, and nothing is done; so is a body that fails', async () => {
  const { requestOf, told, errors } = await serve()
  const going = new AbortController()
  const { body, seen } = pieces(count => (count === 1 ? bytes('{"name":') : new Promise(() => {})))
  const answer = told(requestOf(body, {}, going.signal))
  await expect.poll(() => seen.asked).toBe(2)
  going.abort()
  expect(await answer).toMatchObject({ status: 400, message: 'The body ended too early.' })
  const gone = requestOf('{}', {}, AbortSignal.abort())
  expect((await told(gone)).status).toBe(400)
  const failing = pieces(() => Promise.reject(new Error('reset')))
  expect(await told(requestOf(failing.body))).toMatchObject({
    status: 400,
    message: 'The body ended too early.',
  })
  expect(errors).toEqual([])
})

test.each([
  ['text', 'text'],
  ['numbers', 7],
  ['an array', [1, 2]],
  ['an ArrayBuffer', new ArrayBuffer(2)],
  ['nothing', undefined],
])('a body made of %s in place of bytes is refused', async (_, piece) => {
  const { requestOf, told, errors } = await serve()
  const { body } = pieces(count => (count > 1 ? null : piece))
  expect((await told(requestOf(body))).status).toBe(400)
  expect(errors).toEqual([])
})
