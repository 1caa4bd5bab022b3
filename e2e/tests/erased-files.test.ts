import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform, silentLog } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { createFolderFiles } from '@colloquy/integrations/files'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeDatabases, everythingBelow, type OpenStore } from './support/databases.ts'

/** A platform whose visitors send files, and all that it keeps: rows and files. */
async function openHotel(open: OpenStore) {
  const root = await mkdtemp(join(tmpdir(), 'colloquy-erased-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const clock = createFakeClock()
  const { store, everything } = await open(root)
  const folder = join(root, 'files')
  const platform = createPlatform({
    ...{ clock, log: silentLog, store },
    runtime: createScriptedRuntime({ greeting: 'Hello', otherwise: 'Thank you.' }, clock),
    files: createFolderFiles({ folder }),
  })
  onTestFinished(() => platform.close())

  /** A visitor who sends two files, names one of them in a message, and goes. */
  async function talk(secret: string) {
    const visitor = await openVisitor(platform, clock, false, { visitor: { id: `id-of-${secret}` } })
    await visitor.join()
    const { accessToken, id: sessionId } = visitor
    const send = async (content: string) => {
      const read = async () => Buffer.from(`${content}: ${secret}`)
      const file = { name: `${secret}-${content}.txt`, type: 'text/plain', read }
      const sent = await platform.messaging.uploadFile({ sessionId, accessToken, file })
      if ('status' in sent) throw new Error(sent.message)
      return sent.file_id
    }
    const ids = [await send('named'), await send('loose')]
    await visitor.send('USER_MESSAGE', { file_ids: ids.slice(0, 1) })
    await visitor.end()
    // A server of its own answers when it does: the clock of the test does not wait for it.
    await vi.waitFor(async () => {
      await clock.settle()
      expect((await store.conversations.load(sessionId))?.state.endedAt).toEqual(expect.any(Number))
    })
    // Names are in rows alone, contents in the folder alone.
    return { ...visitor, words: [`${secret}-named`, `named: ${secret}`, `loose: ${secret}`, ...ids] }
  }

  /** Words that are in some byte of the database, or of a name or a file of the folder. */
  async function found(words: readonly string[]): Promise<readonly string[]> {
    const all = Buffer.concat([await everything(), await everythingBelow(folder)])
    return words.filter(word => all.includes(word))
  }
  return { platform, talk, found }
}

describeDatabases(open => {
  test('FI11 after a removal no byte of a file, of its name or its id is in the database or the folder', async () => {
    const { platform, talk, found } = await openHotel(open)
    const [gone, kept] = [await talk('XYLOPHONE'), await talk('MARIMBA')]
    expect(await found([...gone.words, ...kept.words])).toEqual([...gone.words, ...kept.words])
    await platform.conversations.remove(gone.accountId, gone.agentId, gone.id)
    expect(await found([...gone.words, ...kept.words])).toEqual(kept.words)
  })

  test('FI11, RC601 and RC602 a visitor takes the bytes of their files along, and leaves none', async () => {
    const { platform, talk, found } = await openHotel(open)
    const [gone, kept] = [await talk('XYLOPHONE'), await talk('MARIMBA')]
    const who = { visitorId: 'id-of-XYLOPHONE' }
    const lines: Readonly<Record<string, unknown>>[] = []
    for await (const line of platform.conversations.exportVisitor(gone.accountId, who))
      lines.push({ ...line })
    const bytes = lines.filter(({ type }) => type === 'file_bytes').map(({ data }) => String(data))
    expect(Buffer.from(bytes.join(''), 'base64').toString()).toBe('named: XYLOPHONE')
    const removed = await platform.conversations.removeVisitor(gone.accountId, who)
    expect(removed).toEqual({ conversations: 1, inProgress: 0 })
    expect(await found([...gone.words, who.visitorId, ...kept.words])).toEqual(kept.words)
  })
})
