import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import type { PlatformOptions } from '../../src/platform.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { pngOfSize, SAMPLES, utf8, ZIP } from '../support/file-samples.ts'
import { bytesOf, createFileBench, jsonOf } from './support.ts'

/** A visitor who talks to the agent, and the client of that visitor. */
async function talking(options: Partial<PlatformOptions> = {}) {
  const bench = await createFileBench(options)
  const visitor = await openVisitor(bench.platform, bench.clock)
  await visitor.join()
  return { ...bench, visitor, client: bench.clientOf(visitor) }
}

const message = (text: string, ...fileIds: readonly string[]) => ({
  ...(text === '' ? {} : { text }),
  file_ids: fileIds,
})

describe('files of visitors', () => {
  test('FI1 without the port nothing of files is there: no upload, no address, no message that names one', async () => {
    const bench = await createFileBench({}, false)
    const visitor = await openVisitor(bench.platform, bench.clock)
    await visitor.join()
    const { addressOf, upload } = bench.clientOf(visitor)
    for (const answer of [
      await upload(SAMPLES.png),
      await addressOf('x'),
      await bench.ask('GET /api/v1/files/x', {}),
    ])
      expect([answer.status, answer.body]).toEqual([501, expect.stringContaining('the host gave no `files`')])
    await visitor.send('USER_MESSAGE', message('Look', 'a'))
    expect(visitor.types()).not.toContain('USER_MESSAGE')
    expect(visitor.texts('SYSTEM_MESSAGE')).toHaveLength(1)
  })

  test('FI1, FI8 a picture is sent, named by a message, and shown to all connections with the text', async () => {
    const { client, files, start, visitor } = await talking()
    const file = await client.uploaded(SAMPLES.png, 'image/png', 'Lampe größe.png')
    expect(file).toEqual({
      ...{ file_id: expect.any(String), name: 'Lampe größe.png', content_type: 'image/png' },
      size: SAMPLES.png.length,
    })
    expect(files.stored.get(file.file_id)).toEqual(SAMPLES.png)
    await visitor.send('USER_MESSAGE', message('It is broken', file.file_id))
    const [echo] = visitor.received.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
    expect(echo?.payload).toEqual({ message_id: expect.any(String), text: 'It is broken', files: [file] })
    const again = await visitor.reconnect(start({ files }))
    expect(again.received.find(({ id }) => id === echo?.id)?.payload).toEqual(echo?.payload)
  })

  test('FI8 a message of files alone has their names as its text, for every reader', async () => {
    const runtime = createScriptedRuntime({ greeting: 'Hi', otherwise: 'Thanks.' }, createFakeClock())
    const { client, platform, visitor } = await talking({ runtime })
    const [one, two] = [
      await client.uploaded(SAMPLES.png, 'image/png', 'front.png'),
      await client.uploaded(SAMPLES.pdf, 'application/pdf', 'bill.pdf'),
    ]
    await visitor.send('USER_MESSAGE', message('', one.file_id, two.file_id))
    expect(visitor.texts('USER_MESSAGE')).toEqual(['front.png, bill.pdf'])
    expect(runtime.turns.at(-1)?.input).toMatchObject({ text: 'front.png, bill.pdf', files: [one, two] })
    const { agentId, accountId, id } = visitor
    const record = await platform.reading.transcript(accountId, agentId, id, { turns: 0, sequence: 0 })
    expect(record.lines.find(({ from }) => from === 'visitor')).toMatchObject({ files: [one, two] })
    expect(record.turns.at(-1)?.record.value).toMatchObject({ user_input: 'front.png, bill.pdf' })
  })

  test('FI8 a message without text and without files is refused as before', async () => {
    const { visitor } = await talking()
    for (const payload of [
      {},
      { text: '' },
      { file_ids: [] },
      { text: 'a', file_ids: 'b' },
      { file_ids: [''] },
    ])
      await visitor.send('USER_MESSAGE', payload)
    expect(visitor.types()).not.toContain('USER_MESSAGE')
    expect(visitor.types().filter(type => type === 'SYSTEM_MESSAGE')).toHaveLength(5)
  })

  test('FI8 a message that names a file of somebody else, or too many, is refused in words, and nothing is said', async () => {
    const { client, clientOf, clock, platform, visitor } = await talking({ fileRules: { perMessage: 2 } })
    const other = await openVisitor(platform, clock)
    const theirs = await clientOf(other).uploaded(SAMPLES.png)
    const own = await client.uploaded(SAMPLES.png)
    await visitor.send('USER_MESSAGE', message('Look', own.file_id, theirs.file_id))
    await visitor.send('USER_MESSAGE', message('Look', 'unknown'))
    await visitor.send('USER_MESSAGE', message('Look', own.file_id, own.file_id, own.file_id))
    expect(visitor.types()).not.toContain('USER_MESSAGE')
    const told = visitor.received.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')
    expect(told.map(({ payload }) => payload.message)).toEqual([
      expect.stringContaining('A file of the message is not there'),
      expect.stringContaining('A file of the message is not there'),
      'A message has 3 files. Allowed: 2.',
    ])
  })

  test('FI8 a message that is sent again under its id is said once; with other files it is refused', async () => {
    const { client, visitor } = await talking()
    const [one, two] = [await client.uploaded(SAMPLES.png), await client.uploaded(SAMPLES.gif, 'image/gif')]
    const id = { client_event_id: 'c-1' }
    for (const files of [[one], [one], [two]])
      await visitor.send('USER_MESSAGE', message('', ...files.map(file => file.file_id)), id)
    expect(
      new Set(
        visitor.received.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE').map(event => event.id),
      ).size,
    ).toBe(1)
    expect(visitor.received.at(-1)?.payload.message).toContain('belongs to another message')
  })

  test('FI2 and FI4 a wrong file is refused in words, and nothing of it is kept', async () => {
    const { client, files, platform, store } = await talking({
      fileRules: { bytes: 5_000, picturePixels: 1_000 },
    })
    const wrong: readonly (readonly [Uint8Array, string, number, string])[] = [
      [utf8('<svg onload="alert(1)"/>'), 'image/svg+xml', 415, 'are not taken'],
      [utf8('<svg onload="alert(1)"/>'), 'image/png', 415, 'HTML, SVG or XML'],
      [utf8('<html><script>'), 'text/plain', 415, 'HTML, SVG or XML'],
      [ZIP, 'application/zip', 415, 'are not taken'],
      [ZIP, 'application/pdf', 415, 'a ZIP archive'],
      [pngOfSize(65_535, 65_535), 'image/png', 415, 'pixels'],
      [Uint8Array.from([...SAMPLES.gif, ...ZIP]), 'image/gif', 415, 'further content'],
      [SAMPLES.png.slice(0, -5), 'image/png', 415, 'cut off'],
      [SAMPLES.png, 'image/jpeg', 415, 'but its content is image/png'],
      [new Uint8Array(), 'image/png', 415, 'empty'],
      [new Uint8Array(5_001), 'image/png', 413, '5000 bytes'],
    ]
    for (const [bytes, type, status, words] of wrong) {
      const answer = await client.upload(bytes, type)
      expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(words)])
    }
    const packed = await client.upload(SAMPLES.png, 'image/png', 'a.png', { 'content-encoding': 'gzip' })
    expect(packed.status).toBe(415)
    expect(files.stored.size).toBe(0)
    expect(await store.conversations.files.nextDue()).toBeNull()
    await platform.idle()
  })

  test('FI6 a conversation has so many files and bytes; one more is refused, and its bytes are removed', async () => {
    const { client, files } = await talking({ fileRules: { perConversation: 2 } })
    await client.uploaded(SAMPLES.png)
    await client.uploaded(SAMPLES.png)
    const answer = await client.upload(SAMPLES.png)
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('Allowed: 2 files')])
    expect(files.stored.size).toBe(2)
    const small = await talking({ fileRules: { bytesPerConversation: SAMPLES.png.length } })
    await small.client.uploaded(SAMPLES.png)
    expect((await small.client.upload(SAMPLES.gif, 'image/gif')).status).toBe(409)
  })

  test('FI7 a process takes so many files at a time; others are told when to come again', async () => {
    const { client, files } = await talking({ fileRules: { uploadsAtOnce: 1 } })
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const put = files.put
    Object.assign(files, { put: (file: Parameters<typeof put>[0]) => held.then(() => put(file)) })
    const first = client.upload(SAMPLES.png)
    const second = await client.upload(SAMPLES.png)
    expect([second.status, second.headers['Retry-After']]).toEqual([429, '2'])
    release()
    expect((await first).status).toBe(201)
    expect((await client.upload(SAMPLES.png)).status).toBe(201)
  })

  test('FI7 a port that fails or takes too long is 502, the host hears of it, and nothing is kept', async () => {
    const { client, clock, errors, files } = await talking()
    files.fault('fails')
    expect((await client.upload(SAMPLES.png)).status).toBe(502)
    expect(errors).toHaveLength(1)
    files.fault('hangs')
    const late = client.upload(SAMPLES.png)
    await clock.settle()
    await clock.advance(30_000)
    expect((await late).status).toBe(502)
    files.fault(null)
    expect(files.stored.size).toBe(0)
  })

  test('FI13 only who has the session gets an address, which opens the file until it expires', async () => {
    const { ask, client, clientOf, clock, open, platform, visitor } = await talking()
    const { file_id: id } = await client.uploaded(SAMPLES.png)
    const other = clientOf(await openVisitor(platform, clock))
    expect((await other.addressOf(id)).status).toBe(404)
    expect((await ask(`GET /api/v1/sessions/${visitor.id}/files/${id}`, {})).status).toBe(400)
    expect(
      (await ask(`GET /api/v1/sessions/${visitor.id}/files/${id}`, { authorization: 'Bearer x' })).status,
    ).toBe(401)
    const { expiresAt, read, url } = await open(await client.addressOf(id))
    expect(Date.parse(expiresAt) - clock.now()).toBe(300_000)
    expect(await bytesOf(await read())).toEqual(SAMPLES.png)
    const forged = url.replace(/\.[\w-]{10}/, '.AAAAAAAAAA')
    for (const wrong of [forged, `${url}A`, url.slice(0, -1), '/api/v1/files/x'])
      expect((await ask(`GET ${wrong}`, {})).status).toBe(404)
    await clock.advance(299_999)
    expect((await read()).status).toBe(200)
    await clock.advance(1)
    expect((await read()).status).toBe(404)
  })

  test('FI13 addresses of one process open files in another, and an access token is no address', async () => {
    const { client, files, open, start, visitor } = await talking()
    const { file_id: id } = await client.uploaded(SAMPLES.png)
    const { url } = await open(await client.addressOf(id))
    const token = url.split('/').at(-1) ?? ''
    const other = start({ files })
    expect((await other.messaging.openFile(token)).file.id).toBe(id)
    const wrong = { code: 'FILE_NOT_FOUND' }
    await expect(other.messaging.openFile(visitor.accessToken)).rejects.toMatchObject(wrong)
  })

  test('FI10 a file is served so that no page shows it as its own or runs it', async () => {
    const { client, open } = await talking()
    const text = await client.uploaded(SAMPLES.text, 'text/plain', 'größe "1".txt')
    const { read } = await open(await client.addressOf(text.file_id))
    const { headers, status } = await read({ origin: 'https://page.example' })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="gr__e _1_.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20_1_.txt`,
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': 'https://page.example',
    })
    expect(headers['Cross-Origin-Resource-Policy']).toBe('same-origin')
    const picture = await client.uploaded(SAMPLES.webp, 'image/webp', 'a.webp')
    const shown = await (await open(await client.addressOf(picture.file_id))).read()
    expect(shown.headers['Cross-Origin-Resource-Policy']).toBe('cross-origin')
  })

  test('HT70 a range of a file is answered, and one of a file that the port has not whole is cut off', async () => {
    const { client, files, open } = await talking()
    const { file_id: id } = await client.uploaded(SAMPLES.png)
    const { read } = await open(await client.addressOf(id))
    const part = await read({ range: 'bytes=2-5' })
    const told = { 'Content-Range': `bytes 2-5/${SAMPLES.png.length}`, ETag: `"${id}"` }
    expect([part.status, part.headers]).toMatchObject([206, told])
    expect(await bytesOf(part)).toEqual(SAMPLES.png.subarray(2, 6))
    expect((await read({ range: `bytes=${SAMPLES.png.length}-` })).status).toBe(416)
    const { signal } = new AbortController()
    const longer = new Uint8Array([...SAMPLES.png, 0])
    for (const content of [SAMPLES.png.slice(0, -1), longer]) {
      await files.put({ id, type: 'image/png', content, signal })
      for (const headers of [{}, { range: 'bytes=-3' }])
        await expect(read(headers).then(bytesOf)).rejects.toThrow('another number of bytes')
    }
  })

  test('FI15 the runtime reads the files of its conversation, in the turn and in its history, and no others', async () => {
    const read: (Uint8Array | null)[] = []
    const turns: RuntimeTurn[] = []
    const { client, clientOf, clock, platform, visitor } = await talking({
      runtime: {
        async *respond(turn) {
          turns.push(turn)
          if (turn.input.type === 'message')
            for (const { file_id: id } of turn.input.files ?? []) read.push(await turn.readFile(id))
          yield { type: 'text', text: 'Thanks.' }
        },
      },
    })
    const file = await client.uploaded(SAMPLES.png)
    await visitor.send('USER_MESSAGE', message('Look', file.file_id))
    expect(read).toEqual([SAMPLES.png])
    await visitor.say('And?')
    const last = turns.at(-1)
    expect((await last?.history(9))?.find(({ from }) => from === 'visitor')).toMatchObject({ files: [file] })
    const theirs = await clientOf(await openVisitor(platform, clock)).uploaded(SAMPLES.gif, 'image/gif')
    expect([await last?.readFile(theirs.file_id), await last?.readFile('x')]).toEqual([null, null])
  })

  test('FI8 a message without files reads and writes nothing of files', async () => {
    const { calls, visitor } = await talking()
    await visitor.say('Hello')
    expect([...calls.keys()].filter(name => /^(?:files|expect|nextDue)$/.test(name))).toEqual([])
  })

  test('FI1 a client learns at the start of its session what the host takes of files, and without the port nothing', async () => {
    const { visitor } = await talking({ fileRules: { types: ['image/png'], bytes: 500, perMessage: 2 } })
    const filesOf = (events: typeof visitor.received) =>
      Object(events.find(({ type }) => type.endsWith('SESSION_START'))?.payload.capabilities).files
    expect(filesOf(visitor.received)).toEqual({
      ...{ content_types: ['image/png'], max_size_bytes: 500, max_per_message: 2 },
    })
    const { clock, platform } = await createFileBench({}, false)
    expect(filesOf((await openVisitor(platform, clock)).received)).toBeUndefined()
  })

  test('FI1 an upload needs an open session of the token, and a page of the connector', async () => {
    const { ask, client, visitor } = await talking()
    const line = `POST /api/v1/sessions/${visitor.id}/files?name=a.png`
    const headers = { ...client.headers, 'content-type': 'image/png' }
    const page = await ask(line, { ...headers, origin: 'https://evil.example' }, SAMPLES.png)
    expect(page.status).toBe(403)
    const own = await ask(line, { ...headers, origin: 'https://example.com' }, SAMPLES.png)
    expect([own.status, own.headers['Access-Control-Allow-Origin']]).toEqual([201, 'https://example.com'])
    expect(await jsonOf(own)).toMatchObject({ name: 'a.png' })
    await visitor.end()
    expect((await client.upload(SAMPLES.png)).status).toBe(404)
  })
})
