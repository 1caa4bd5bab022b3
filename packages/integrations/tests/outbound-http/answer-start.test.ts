import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { TextToSend } from '@colloquy/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createS3Files } from '../../src/files/index.ts'
import { startOfAnswer } from '../../src/outbound-http/answer-start.ts'
import { createTwilioCarrier } from '../../src/twilio/index.ts'

/** A server that answers with a status and then goes on until the other side hangs up. Tells when it has. */
async function endless(status: number) {
  let hungUp: () => void = () => undefined
  const closed = new Promise<void>(resolve => {
    hungUp = resolve
  })
  const chunk = Buffer.alloc(65_536, ' ')
  const server = createServer((request, response) => {
    request.resume()
    response.on('close', hungUp)
    response.writeHead(status, { 'content-type': 'application/json' })
    // One piece in a turn of the loop, which the reader has in common.
    const more = (): void => {
      if (!response.destroyed && response.write(chunk)) setImmediate(more)
    }
    response.on('drain', () => setImmediate(more))
    more()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, closed }
}

const { signal } = new AbortController()
const filesAt = (endpoint: string) =>
  createS3Files({
    ...{ endpoint, bucket: 'shop-files', allowInsecure: true },
    credentials: { accessKeyId: 'one', secretAccessKey: 'two' },
  })
const FILE = { id: 'f-1', type: 'image/png', content: Buffer.from('a picture'), signal }
const TEXT: TextToSend = {
  ...{ id: 'CONV-1.1', from: '+12025550100', to: '+12025550111', text: 'Hi.', channel: 'SMS', service: null },
  ...{ attempt: 1, firstAttemptAt: 0, sent: [], signal },
}

describe('an answer that never ends', () => {
  test('a store of files that refuses is read no further than its code', async () => {
    const { closed, url } = await endless(503)
    await expect(filesAt(url).put(FILE)).rejects.toThrow('503, no code')
    await closed
  })

  test.each(['put', 'remove'] as const)('a store of files has done a %s with its status', async what => {
    const { closed, url } = await endless(what === 'put' ? 200 : 404)
    expect(await filesAt(url)[what](FILE)).toBeUndefined()
    await closed
  })

  test('Twilio is read up to a bound', async () => {
    const { closed, url } = await endless(200)
    const carrier = createTwilioCarrier({ accountSid: 'AC1', authToken: 'token', baseUrl: url })
    await expect(carrier.send(TEXT)).rejects.toThrow('Twilio answered with too much.')
    await closed
  })
})

test('what is packed counts unpacked, and a character that is cut in two is left out', async () => {
  const packed = new Blob([gzipSync(Buffer.alloc(10_000_000, 'é'))]).stream()
  const { isWhole, text } = await startOfAnswer(
    new Response(packed.pipeThrough(new DecompressionStream('gzip'))),
    1_001,
  )
  expect([isWhole, text]).toEqual([false, 'é'.repeat(500)])
  expect(await startOfAnswer(new Response('all'), 3)).toEqual({ isWhole: true, text: 'all' })
  expect(await startOfAnswer(new Response(null), 3)).toEqual({ isWhole: true, text: '' })
})
