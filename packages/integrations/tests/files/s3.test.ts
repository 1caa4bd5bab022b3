import { testFiles } from '@colloquy/core/testing/contracts'
import { collected, recording } from '@colloquy/test-support/recorded-calls'
import { startS3Server } from '@colloquy/test-support/s3-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signedHeaders } from '../../src/files/aws-signature.ts'
import { createS3Files, type S3FilesOptions } from '../../src/files/index.ts'

const SECRET = 'a/secret+of=the store'
const KEYS = { one: { secret: SECRET }, two: { secret: 'another', token: 'a session' } }

async function openStore(options: Partial<S3FilesOptions> = {}) {
  const server = await startS3Server('shop-files', KEYS)
  onTestFinished(() => server.close())
  const files = createS3Files({
    ...{ endpoint: server.url, bucket: 'shop-files', prefix: 'colloquy/', region: 'eu-test-1' },
    ...{ credentials: { accessKeyId: 'one', secretAccessKey: SECRET }, allowInsecure: true },
    ...options,
  })
  const stored = async () =>
    [...server.objects].flatMap(([name, { content }]) => [Buffer.from(name), content])
  return { files, server, stored }
}

testFiles('S3', { open: openStore })

const { signal } = new AbortController()
const FILE = { id: 'f-1', type: 'image/png', content: Buffer.from('a picture'), signal }

describe('files in an S3-compatible store', () => {
  test('FI35 a signature is that of the published example of AWS', () => {
    const headers = signedHeaders({
      method: 'PUT',
      url: new URL('https://examplebucket.s3.amazonaws.com/test%24file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: Buffer.from('Welcome to Amazon S3.'),
      region: 'us-east-1',
      credentials: {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
      at: new Date('2013-05-24T00:00:00Z'),
    })
    expect(headers.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
  })

  test('FI35 objects have their type and prefix, and are signed by the credentials of the moment', async () => {
    const taken = [
      { accessKeyId: 'one', secretAccessKey: SECRET },
      { accessKeyId: 'two', secretAccessKey: 'another', sessionToken: 'a session' },
    ]
    const { files, server } = await openStore({
      credentials: async () => taken.shift() ?? { accessKeyId: 'none', secretAccessKey: 'x' },
    })
    await files.put(FILE)
    expect(server.objects.get('colloquy/f-1')).toEqual({ type: 'image/png', content: FILE.content })
    expect(await files.get({ id: 'f-1', signal })).not.toBeNull()
    await expect(files.remove({ id: 'f-1', signal })).rejects.toThrow('403, InvalidAccessKeyId')
  })

  test('RC610, RC613 and RC614 the sound of a call is kept in a bucket, read in ranges, and removed', async () => {
    const { files, server } = await openStore()
    const { begin, platform, recorder, where } = await recording({ recordings: { keep: files } })
    const [accountId, agentId, conversationId] = where
    const partOf = (seconds: number, part: number) =>
      new Uint8Array(Buffer.alloc(seconds * 64_000, `the sound of part ${part}`))
    // As a gateway keeps it: 15 seconds a part.
    const parts = [partOf(15, 1), partOf(15, 2), partOf(3, 3)]
    const kept = await begin()
    for (const part of parts) expect(await kept.keep(part)).toBe('kept')
    await kept.end('complete')
    const wanted = { accountId, agentId, conversationId, direction: 'combined', redacted: false } as const
    const { bytes, read } = await platform.reading.audio(wanted)
    const whole = Buffer.concat(parts)
    expect(bytes).toBe(44 + whole.length)
    expect(whole.equals((await collected(read())).subarray(44))).toBe(true)
    // Nothing but the second part is there: a range within it needs no other, and one beyond fails.
    for (const [name] of [...server.objects])
      if (!name.endsWith('-r2')) await files.remove({ id: name.slice('colloquy/'.length), signal })
    const [from, to] = [44 + 960_000, 44 + 1_920_000]
    const second = await collected(read({ from: from + 7, to }))
    expect(whole.subarray(960_007, 1_920_000).equals(second)).toBe(true)
    await expect(collected(read({ from, to: to + 1 }))).rejects.toThrow('A part of a recording is missing.')
    await recorder.withdraw()
    expect(server.objects.size).toBe(0)
  })

  test('FI36 a refusal says status and code, and holds no secret', async () => {
    const { files, server } = await openStore()
    server.fail(503, 'SlowDown')
    await expect(files.put(FILE)).rejects.toThrow(
      /^The store of files refused to store a file: 503, SlowDown\.$/,
    )
    server.fail(500, '')
    await expect(files.get({ id: 'f-1', signal })).rejects.toThrow('500, no code')
    const wrong = await openStore({ credentials: { accessKeyId: 'one', secretAccessKey: 'guessed' } })
    const error: unknown = await wrong.files.put(FILE).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('403, SignatureDoesNotMatch')
    expect(String(error)).not.toContain('guessed')
    const region = await openStore({ region: 'elsewhere' })
    await expect(region.files.put(FILE)).rejects.toThrow('AuthorizationHeaderMalformed')
  })

  test('FI36 plain http is refused unless it is allowed, and redirects are not followed', async () => {
    const { files, server } = await openStore()
    server.fail(307, '')
    await expect(files.put(FILE)).rejects.toThrow(/./)
    expect(server.objects.size).toBe(0)
    const options = { bucket: 'shop-files', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
    const made = (more: object) => () => createS3Files({ ...options, endpoint: server.url, ...more })
    expect(made({})).toThrow('endpoint is http')
    expect(made({ endpoint: 'ftp://x' })).toThrow('endpoint is no address')
    expect(made({ endpoint: 'https://s3.example', bucket: 'A/b' })).toThrow('bucket must be')
    expect(made({ endpoint: 'https://s3.example', prefix: '../' })).toThrow('prefix must be')
  })
})
