import { request } from 'node:http'
import { A_PICTURE, createMemoryFiles } from '@colloquy/core/testing'
import { createHesitant, startMessagingHost } from '@colloquy/test-support/messaging-host'
import { expect, test, vi } from 'vitest'

/** A session of a real server that takes one file at a time. */
async function openSession(fileRules: object = {}) {
  const { runtime } = createHesitant()
  const files = createMemoryFiles()
  const { platform, port, token } = await startMessagingHost({
    ...{ runtime, files, rateLimits: null },
    fileRules: { uploadsAtOnce: 1, ...fileRules },
  })
  const { accessToken } = await platform.messaging.issueAccessToken({
    ...{ connectorToken: token, host: 'localhost', remoteAddress: '127.0.0.1' },
  })
  const { sessionId } = await platform.messaging.createSession({
    ...{ authorization: `Bearer ${accessToken}`, streaming: false },
  })
  const address = `http://127.0.0.1:${port}/api/v1/sessions/${sessionId}/files?name=a.png`
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'image/png' }
  return {
    files,
    /** Sends the beginning of a file alone, and stays. */
    begin() {
      const sending = request(address, { method: 'POST', headers: { ...headers, 'content-length': 5_000 } })
      sending.on('error', () => {})
      sending.write(A_PICTURE)
      return sending
    },
    send: async (body: Uint8Array | ReadableStream<Uint8Array>) => {
      const answer = await fetch(address, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
      await answer.arrayBuffer()
      return answer.status
    },
  }
}

test('FI4 and FI7 an upload whose connection breaks leaves nothing, and makes room for the next one', async () => {
  const { begin, files, send } = await openSession()
  const broken = begin()
  // While it goes on there is no room for another one.
  await vi.waitFor(async () => expect(await send(A_PICTURE)).toBe(429))
  broken.destroy()
  await vi.waitFor(async () => expect(await send(A_PICTURE)).toBe(201))
  expect(files.stored.size).toBe(1)
})

test('FI4 an upload that is too slow, or grows beyond the bound while it comes, is refused, and leaves nothing', async () => {
  const slow = await openSession({ uploadTime: 150 })
  const status = new Promise(resolve => slow.begin().on('response', answer => resolve(answer.statusCode)))
  expect(await status).toBe(408)
  expect(slow.files.stored.size).toBe(0)
  const large = await openSession({ bytes: 2_000 })
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let piece = 0; piece < 40; piece++) controller.enqueue(A_PICTURE)
      controller.close()
    },
  })
  expect(await large.send(pieces)).toBe(413)
  expect(large.files.stored.size).toBe(0)
})
