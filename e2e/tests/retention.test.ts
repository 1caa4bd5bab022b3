import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, isPlatformError } from '@colloquy/core'
import { ACCOUNT, AGENT, aConversation, aTurn } from '@colloquy/core/testing'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { freshDatabase, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test, vi } from 'vitest'

const DAY = 86_400_000
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** The blocks of a language on the page about retention. */
async function blocksOf(language: string): Promise<readonly string[]> {
  const page = await readFile(join(REPOSITORY, 'docs/guides/retention.md'), 'utf8')
  const blocks = page.matchAll(/^```(\w+)\n(.*?)^```/gms)
  return Array.from(blocks).flatMap(([, name, text = '']) => (name === language ? [text] : []))
}

/** Runs a block of the page, which reads these names. */
const runBlock = (block: string, names: Readonly<Record<string, unknown>>): Promise<unknown> =>
  Reflect.apply(
    Reflect.construct(Object.getPrototypeOf(async () => {}).constructor, [...Object.keys(names), block]),
    undefined,
    Object.values(names),
  )

test('SS2 a server with COLLOQUY_RETENTION_DAYS removes what finished longer ago, says so, and still exits by itself', async () => {
  const filename = await freshDatabase()
  const before = createSqliteStore({ filename })
  for (const days of [3, 1]) {
    const finishedAt = Date.now() - days * DAY
    await before.conversations.create(aConversation(`AS-${days}`, { index: { finishedAt } }))
  }
  await before.close()
  const server = await startStandalone({ COLLOQUY_DATABASE: filename, COLLOQUY_RETENTION_DAYS: '2' })
  await vi.waitFor(() => expect(server.output.stderr).toContain('Old conversations were removed'))
  expect(server.output.stderr).toContain('"conversations":1,"retentionDays":2')
  server.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  const after = createSqliteStore({ filename })
  expect(await after.conversations.load('AS-3')).toBeNull()
  expect(await after.conversations.load('AS-1')).not.toBeNull()
  await after.close()
})

test('the calls on the page about retention run, and remove what it says', async () => {
  const store = createSqliteStore({ filename: ':memory:' })
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  const left = async (ids: readonly string[]) => {
    const loaded = await Promise.all(ids.map(id => store.conversations.load(id)))
    return ids.filter((_, index) => loaded[index] !== null)
  }
  const add = (id: string, days: number) =>
    store.conversations.create(aConversation(id, { index: { finishedAt: Date.now() - days * DAY } }))
  const all = ['AS-100', 'AS-80', 'AS-1', 'AS-one']
  await add('AS-100', 100)
  await add('AS-80', 80)
  await add('AS-1', 1)
  const [old = '', agent = '', one = ''] = await blocksOf('ts')
  const names = { platform, accountId: ACCOUNT, agentId: AGENT, conversationId: 'AS-one' }
  await runBlock(old, names)
  expect(await left(all)).toEqual(['AS-80', 'AS-1'])
  await runBlock(agent, names)
  expect(await left(all)).toEqual([])
  await add('AS-one', 0)
  await runBlock(one, names)
  expect(await left(all)).toEqual([])
  const again = runBlock(one, names)
  await expect(again).rejects.toSatisfy(isPlatformError)
  await platform.close()
})

test('the calls on the page about one visitor run, and leave the others alone', async () => {
  const store = createSqliteStore({ filename: ':memory:' })
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  for (const id of ['customer-4711', 'customer-4712'])
    await store.conversations.create(
      aConversation(id, { state: { visitor: { id } }, index: { finishedAt: Date.now() } }),
    )
  const [, , , ofVisitor = ''] = await blocksOf('ts')
  let text = ''
  const file = { write: (line: string) => (text += line) }
  await runBlock(ofVisitor, { platform, accountId: ACCOUNT, file })
  const lines = text.trimEnd().split('\n')
  const types = lines.map(line => JSON.parse(line).type)
  expect([types[0], types[1], types.at(-1)]).toEqual(['visitor', 'conversation', 'end'])
  expect(text).not.toContain('customer-4712')
  expect(await store.conversations.load('customer-4711')).toBeNull()
  expect(await store.conversations.load('customer-4712')).not.toBeNull()
  await platform.close()
})

test('the command on the page about retention gives the room back', async () => {
  const filename = await freshDatabase()
  const folder = dirname(dirname(filename))
  const command = (await blocksOf('sh')).find(block => block.includes('VACUUM')) ?? ''
  const named = join(folder, '.colloquy/colloquy.db')
  const store = createSqliteStore({ filename: named })
  const turns = [aTurn('A long story. '.repeat(2_000))]
  for (let index = 0; index < 100; index++) {
    await store.conversations.create(aConversation(`AS-${index}`, { turns, index: { finishedAt: 1 } }))
  }
  const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
  let [removed, more] = [0, true]
  while (more) {
    const step = await store.conversations.removals.removeFinished(live, 2, 100)
    removed += step.removed
    more = step.more
  }
  expect(removed).toBe(100)
  await store.close()
  const { size } = await stat(named)
  const env = { ...process.env, NODE_PATH: join(REPOSITORY, 'node_modules') }
  await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })
  expect((await stat(named)).size).toBeLessThan(size / 4)
})
