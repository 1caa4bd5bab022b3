import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const CALL = 'call-7'

/** Two platforms over one file, as two processes have it, and an agent. */
async function setUp() {
  const filename = await freshDatabase()
  const open = () =>
    createPlatform({ store: createSqliteStore({ filename }), runtime: createRetrievalRuntime() })
  const platforms = [open(), open()] as const
  const account = await platforms[0].access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platforms[0].agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello.' })
  return { platforms, accountId: account.id, agentId: agent.id }
}

test('the calls on the page about recording run, again and again, and record what they say', async () => {
  const { platforms, accountId, agentId } = await setUp()
  const [platform] = platforms
  const page = await readFile(join(REPOSITORY, 'docs/guides/recording.md'), 'utf8')
  const [, block = ''] = page.match(/^```ts\n(.*?)^```/ms) ?? []
  const names = { accountId, agentId, callId: CALL, startedAt: Date.now() - 60_000 }
  const run = (over: object): Promise<unknown> =>
    Reflect.apply(
      Reflect.construct(Object.getPrototypeOf(async () => {}).constructor, [
        'platform',
        ...Object.keys(names),
        block,
      ]),
      undefined,
      [over, ...Object.values(names)],
    )
  for (const over of [...platforms, platform]) await run(over)
  const record = await platform.reading.record(accountId, agentId, CALL)
  expect(record?.summary.value).toMatchObject({
    ...{ num_turns: 1, total_duration: 60, ai_duration: 20, handoff_destination: 'reception' },
    ...{ in_progress: false, to_number: '+442079460000', state: { guests: 2 } },
  })
  for (const one of platforms) await one.close()
})

test('RC32 of a turn that two processes record at once over one file one takes effect', async () => {
  const { platforms, accountId, agentId } = await setUp()
  const [{ conversations, reading }] = platforms
  const startedAt = Date.now() - 60_000
  const start = { accountId, agentId, environment: 'live', channel: 'VOICE', conversationId: CALL } as const
  await conversations.start({ ...start, startedAt })
  for (let index = 0; index < 20; index++) {
    const turn = {
      agentId,
      conversationId: CALL,
      turnId: `${index}`,
      userInput: 'x',
      userInputAt: startedAt + index,
    }
    const results = await Promise.all(platforms.map(one => one.conversations.recordTurn(turn)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'recorded'])
  }
  const record = await reading.record(accountId, agentId, CALL)
  expect(record?.turns?.value).toHaveLength(20)
  for (const one of platforms) await one.close()
})
