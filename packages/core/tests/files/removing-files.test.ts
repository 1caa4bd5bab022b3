import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import type { PlatformOptions } from '../../src/platform.ts'
import { SAMPLES } from '../support/file-samples.ts'
import { createFileBench } from './support.ts'

async function talking(options: Partial<PlatformOptions> = {}) {
  const bench = await createFileBench(options)
  const visitor = await openVisitor(bench.platform, bench.clock)
  await visitor.join()
  const client = bench.clientOf(visitor)
  const named = async () => {
    const file = await client.uploaded(SAMPLES.png)
    await visitor.send('USER_MESSAGE', { file_ids: [file.file_id] })
    return file.file_id
  }
  return { ...bench, visitor, client, named }
}

describe('files that go', () => {
  test('FI11 a file that no message names is removed after a while; a named one stays', async () => {
    const { client, clock, files, named, store } = await talking()
    const loose = (await client.uploaded(SAMPLES.gif, 'image/gif')).file_id
    const kept = await named()
    await clock.advance(3_599_000)
    expect(files.stored.has(loose)).toBe(true)
    await clock.advance(2_000)
    await clock.settle()
    expect([...files.stored.keys()]).toEqual([kept])
    expect(await store.conversations.files.find(loose)).toBeNull()
    expect((await client.addressOf(loose)).status).toBe(404)
  })

  test('FI11 a port that is away when files are due is asked again', async () => {
    const { client, clock, errors, files } = await talking()
    await client.uploaded(SAMPLES.gif, 'image/gif')
    files.fault('fails')
    await clock.advance(3_601_000)
    expect(errors.length).toBeGreaterThan(0)
    expect(files.stored.size).toBe(1)
    files.fault(null)
    await clock.advance(10_000)
    expect(files.stored.size).toBe(0)
  })

  test('FI11 bytes of an upload whose process died are removed: they were due before they were there', async () => {
    const { clock, files, store } = await talking()
    await store.conversations.files.expect('lost', clock.now() + 60_000)
    await files.put({
      id: 'lost',
      type: 'image/png',
      content: SAMPLES.png,
      signal: new AbortController().signal,
    })
    await clock.advance(80_000)
    expect(files.stored.has('lost')).toBe(false)
  })

  test('FI11 removing a conversation removes its files before the caller has the answer', async () => {
    const { clock, files, named, platform, visitor } = await talking()
    await named()
    await named()
    await visitor.end()
    await clock.settle()
    await platform.conversations.remove(visitor.accountId, visitor.agentId, visitor.id)
    expect(files.stored.size).toBe(0)
  })

  test('FI11 a purge removes the files of what it removes, and leaves those of others', async () => {
    const { clientOf, clock, files, named, platform, visitor } = await talking()
    await named()
    await visitor.end()
    await clock.advance(10)
    const other = await openVisitor(platform, clock)
    await other.join()
    const stays = await clientOf(other).uploaded(SAMPLES.png)
    await other.send('USER_MESSAGE', { file_ids: [stays.file_id] })
    await platform.conversations.purge({ olderThan: clock.now() + 1 })
    expect([...files.stored.keys()]).toEqual([stays.file_id])
  })

  test('FI11 files that cannot be removed at once are removed later', async () => {
    const { clock, files, named, platform, visitor } = await talking()
    await named()
    await visitor.end()
    files.fault('fails')
    await platform.conversations.remove(visitor.accountId, visitor.agentId, visitor.id)
    expect(files.stored.size).toBe(1)
    files.fault(null)
    await clock.advance(20_000)
    expect(files.stored.size).toBe(0)
  })

  test('FI11 a process without the port leaves the files to those that have it', async () => {
    const { clock, files, named, platform, start, visitor } = await talking()
    await named()
    await visitor.end()
    const tool = start({ workers: false })
    await tool.conversations.remove(visitor.accountId, visitor.agentId, visitor.id)
    expect(files.stored.size).toBe(1)
    await clock.advance(20_000)
    expect(files.stored.size).toBe(0)
    expect((await platform.readiness()).ready).toBe(true)
  })
})
