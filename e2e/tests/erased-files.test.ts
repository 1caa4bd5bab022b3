import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { createFolderFiles } from '@colloquy/integrations/files'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, onTestFinished, test } from 'vitest'

/** Everything on a disk below a folder: names and contents. */
async function everything(folder: string): Promise<Buffer> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const parts = found.map(async entry => [
    Buffer.from(entry.name),
    ...(entry.isFile() ? [await readFile(join(entry.parentPath, entry.name))] : []),
  ])
  return Buffer.concat((await Promise.all(parts)).flat())
}

test('FI11 after a removal no byte of a file, of its name or its id is in the database or the folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'colloquy-erased-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const clock = createFakeClock()
  const platform = createPlatform({
    ...{ clock, log: silentLog, rateLimits: null },
    store: createSqliteStore({ filename: join(root, 'data.db') }),
    runtime: createScriptedRuntime({ greeting: 'Hello', otherwise: 'Thank you.' }, clock),
    files: createFolderFiles({ folder: join(root, 'files') }),
  })
  onTestFinished(() => platform.close())
  const talk = async (secret: string) => {
    const visitor = await openVisitor(platform, clock)
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
    return { visitor, ids }
  }
  const gone = await talk('XYLOPHONE')
  const kept = await talk('MARIMBA')
  const before = await everything(root)
  for (const word of ['XYLOPHONE', 'MARIMBA', ...gone.ids, ...kept.ids])
    expect(before.includes(word)).toBe(true)
  await gone.visitor.end()
  await clock.settle()
  const { accountId, agentId, id } = gone.visitor
  await platform.conversations.remove(accountId, agentId, id)
  const after = await everything(root)
  for (const word of ['XYLOPHONE', ...gone.ids]) expect(after.includes(word)).toBe(false)
  for (const word of ['MARIMBA', ...kept.ids]) expect(after.includes(word)).toBe(true)
})
