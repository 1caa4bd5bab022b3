import { ADA } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { SAMPLES, utf8 } from '../support/file-samples.ts'
import { bytesOf, createFileBench, jsonOf } from './support.ts'

/** A visitor who talks to Ada, who has a key of the desk. */
async function attended(options: Partial<PlatformOptions> = {}) {
  const bench = await createFileBench(options)
  const { platform } = bench
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  const id = bench.handoffOf(visitor)
  const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId })
  const frames: unknown[] = []
  await platform.desk.watch(accountId, event => frames.push(deskEventOnWire(event)))
  const desk = (line: string, body?: unknown, type = 'application/json') => {
    const [method, path] = line.split(' ')
    return bench.ask(
      `${method} /desk/v1/handoffs/${id}${path}`,
      { 'x-api-key': secret, 'content-type': type },
      body,
    )
  }
  return { ...bench, accountId, client: bench.clientOf(visitor), desk, frames, id, visitor }
}

async function accepted(options: Partial<PlatformOptions> = {}) {
  const bench = await attended(options)
  await bench.desk('POST /accept', { agent: { id: ADA.id, name: ADA.name } })
  return bench
}

describe('files at the desk', () => {
  test('FI13 a live agent sends a picture, which the visitor gets with its name and reads', async () => {
    const { client, desk, open, visitor } = await accepted()
    const answer = await desk('POST /files?name=map.png', SAMPLES.png, 'image/png')
    expect(answer.status).toBe(201)
    const file = await jsonOf(answer)
    const fileId: unknown = Reflect.get(Object(file), 'file_id')
    expect((await desk('POST /messages', { file_ids: [fileId] })).status).toBe(201)
    const event = visitor.received.find(({ type }) => type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
    expect(event?.payload).toMatchObject({ text: 'map.png', attachments: [], files: [file] })
    const { read } = await open(await client.addressOf(String(fileId)))
    expect(await bytesOf(await read())).toEqual(SAMPLES.png)
  })

  test('FI13 the desk gets what the visitor sends: as it is said, in the transcript, and as bytes', async () => {
    const { client, desk, frames, open, visitor } = await attended()
    const early = await client.uploaded(SAMPLES.gif, 'image/gif', 'early.gif')
    await visitor.send('USER_MESSAGE', { file_ids: [early.file_id] })
    await desk('POST /accept', { agent: { id: ADA.id, name: ADA.name } })
    const late = await client.uploaded(SAMPLES.pdf, 'application/pdf', 'bill.pdf')
    await visitor.send('USER_MESSAGE', { text: 'This one', file_ids: [late.file_id] })
    expect(frames).toContainEqual(
      expect.objectContaining({
        type: 'handoff.visitor_message',
        message: expect.objectContaining({ text: 'This one', files: [late] }),
      }),
    )
    const { transcript } = Object(await jsonOf(await desk('GET ')))
    expect(transcript).toContainEqual(expect.objectContaining({ text: 'early.gif', files: [early] }))
    const { read } = await open(await desk(`GET /files/${late.file_id}`))
    expect(await bytesOf(await read())).toEqual(SAMPLES.pdf)
  })

  test('FI13 only the live agent who has the visitor sends files, and nobody names the files of the other side', async () => {
    const { accountId, client, desk, id, platform, visitor } = await attended()
    expect((await desk('POST /files', SAMPLES.png, 'image/png')).status).toBe(409)
    await desk('POST /accept', { agent: { id: ADA.id, name: ADA.name } })
    const theirs = await client.uploaded(SAMPLES.png)
    const answer = await desk('POST /messages', { text: 'Mine', file_ids: [theirs.file_id] })
    expect([answer.status, visitor.types().includes('LIVE_AGENT_MESSAGE')]).toEqual([404, false])
    const file = { name: 'a.png', type: 'image/png', read: async () => SAMPLES.png }
    await expect(
      platform.desk.uploadFile(accountId, id, file, { liveAgentIds: ['ben'] }),
    ).rejects.toMatchObject({ code: 'USER_ACCESS_FORBIDDEN' })
    await expect(platform.desk.uploadFile('ws-other', id, file)).rejects.toMatchObject({
      code: 'HANDOFF_NOT_FOUND',
    })
    expect((await desk('POST /files', utf8('<svg/>'), 'image/svg+xml')).status).toBe(415)
    const own = await platform.desk.uploadFile(accountId, id, file)
    await visitor.send('USER_MESSAGE', { file_ids: [own.file_id] })
    expect(visitor.types()).not.toContain('LIVE_AGENT_MESSAGE')
    expect(visitor.received.at(-1)?.payload.message).toContain('is not there')
  })

  test('FI13 a message with files that is sent again is said once, also after the handoff', async () => {
    const { desk, visitor } = await accepted()
    const file = Object(await jsonOf(await desk('POST /files?name=a.png', SAMPLES.png, 'image/png')))
    const message = { file_ids: [file.file_id], message_id: 'm-1' }
    expect((await desk('POST /messages', message)).status).toBe(201)
    expect((await desk('POST /messages', message)).status).toBe(201)
    await desk('POST /leave')
    expect((await desk('POST /messages', message)).status).toBe(201)
    expect((await desk('POST /messages', { ...message, file_ids: ['other'] })).status).toBe(409)
    expect(visitor.types().filter(type => type === 'LIVE_AGENT_MESSAGE')).toHaveLength(1)
  })

  test('FI13 a live-agent system of the host gets the files of what it is handed', async () => {
    const forwarded: unknown[] = []
    const { client, clock, platform, visitor } = await attended({
      liveAgents: callbacks => ({
        request: async ({ handoffId }) => {
          await callbacks.accepted(handoffId)
          await callbacks.joined(handoffId, { id: 'x', name: 'X', avatarUrl: '' })
        },
        forward: async (_, message) => void forwarded.push(message),
        visitorTyping: async () => {},
        cancel: async () => {},
      }),
    })
    const file = await client.uploaded(SAMPLES.png)
    await visitor.send('USER_MESSAGE', { text: 'Look', file_ids: [file.file_id] })
    await clock.settle()
    await platform.idle()
    expect(forwarded).toContainEqual(expect.objectContaining({ text: 'Look', files: [file] }))
  })

  test('FI13 a key of the agent reads the files of a conversation, and one of another account does not', async () => {
    const { ask, client, open, platform, visitor } = await attended()
    const file = await client.uploaded(SAMPLES.png)
    const { accountId, agentId } = visitor
    const other = await platform.access.createAccount({ slug: 'other', name: 'Other' })
    const line = `GET /v1/agents/${agentId}/conversations/${visitor.id}/files/${file.file_id}`
    const keyOf = async (ofAccount: string) =>
      (await platform.access.createApiKey({ kind: 'workspace', accountId: ofAccount })).secret
    const { read } = await open(await ask(line, { 'x-api-key': await keyOf(accountId) }))
    expect(await bytesOf(await read())).toEqual(SAMPLES.png)
    expect((await ask(line, { 'x-api-key': await keyOf(other.id) })).status).toBe(403)
    const wrong = line.replace(visitor.id, '00000000-0000-4000-8000-000000000000')
    expect((await ask(wrong, { 'x-api-key': await keyOf(accountId) })).status).toBe(404)
  })
})
