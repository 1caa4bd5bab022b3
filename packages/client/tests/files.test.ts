import { A_PICTURE, createMemoryFiles } from '@colloquy/core/testing'
import { createHesitant, hesitantReply, startMessagingHost } from '@colloquy/test-support/messaging-host'
import { expect, test } from 'vitest'
import { memoryStorage, RefusedError } from '../src/messaging/index.ts'
import { EMPTY_LOG } from '../src/messaging/log.ts'
import { initialState, step } from '../src/messaging/step.ts'
import { findStored } from '../src/messaging/storage.ts'
import { watch } from './support/watch.ts'

const PICTURE = new Blob([new Uint8Array(A_PICTURE)], { type: 'image/png' })

async function talking() {
  const { allow, runtime } = createHesitant()
  allow(4)
  const files = createMemoryFiles()
  const host = await startMessagingHost({ runtime, files, fileRules: { perMessage: 2, bytes: 9_000 } })
  const client = watch({ server: host.url, connectorToken: host.token, storage: memoryStorage() })
  await expect(client.upload(PICTURE, 'a.png')).rejects.toMatchObject({ status: 404 })
  await client.until(({ messages }) => messages.at(-1)?.text === hesitantReply('nothing').join(''))
  return { ...host, client, files }
}

test('FI41 the conversation says what the server takes of files, and nothing where it takes none', async () => {
  const { client } = await talking()
  expect(client.current.takes).toEqual({
    types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain'],
    ...{ maxBytes: 9_000, maxPerMessage: 2 },
  })
  expect(EMPTY_LOG.takes).toBeNull()
})

test('FI41 files are sent, named by a message with or without words, and read at an address', async () => {
  const { client } = await talking()
  const file = await client.upload(PICTURE, 'lamp größe.png')
  expect(file).toEqual({ id: file.id, name: 'lamp größe.png', type: 'image/png', size: A_PICTURE.length })
  client.send('', [file])
  expect(client.current.messages.at(-1)).toMatchObject({ text: '', state: 'sending', files: [file] })
  await client.until(({ messages }) => messages.at(-1)?.from === 'agent' && messages.length === 3)
  expect(client.current.messages[1]).toMatchObject({ text: 'lamp größe.png', state: 'done', files: [file] })
  const answer = await fetch(await client.fileAddress(file.id))
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(A_PICTURE)
  client.send('Again', [file])
  await client.until(({ messages }) => messages.at(-1)?.from === 'agent' && messages.length === 5)
  expect(client.current.messages[3]).toMatchObject({ text: 'Again', files: [file] })
})

test('FI41 a file that is refused rejects with the status and the words of the server', async () => {
  const { client, files } = await talking()
  const page = new Blob(['<html>'], { type: 'text/plain' })
  await expect(client.upload(page, 'a.txt')).rejects.toThrow(RefusedError)
  await expect(client.upload(page, 'a.txt')).rejects.toMatchObject({ status: 415 })
  await expect(
    client.upload(new Blob(['x'.repeat(9_001)], { type: 'text/plain' }), 'b'),
  ).rejects.toMatchObject({
    status: 413,
  })
  await expect(client.fileAddress('none')).rejects.toMatchObject({ status: 404 })
  expect(files.stored.size).toBe(0)
})

test('FI41 a message that was not sent yet keeps its files over a reload, and when it is sent again', () => {
  const file = { id: 'f-1', name: 'a.png', type: 'image/png', size: 70 }
  const config = {
    brand: 'AI',
    joins: true,
    maxAttempts: null,
    verifies: false,
    identity: null,
    streams: false,
  }
  const { effects } = step(initialState(config, true), {
    type: 'say',
    now: 0,
    id: 'm-1',
    text: '',
    files: [file],
  })
  const kept = effects.flatMap(effect => (effect.type === 'store pending' ? [effect.pending] : []))
  expect(kept).toMatchObject([{ id: 'm-1', files: [file] }])
  const [{ id, ...rest } = { id: '' }] = kept
  const found = findStored({ [`pending.${id}`]: JSON.stringify({ ...rest, at: 0 }) })
  expect(found.pending.concat(kept).every(one => one.files?.[0]?.id === 'f-1')).toBe(true)
})
