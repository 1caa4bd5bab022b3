/**
 * Fills a new schema as a version leaves it that is killed, for a dump that later versions must open:
 *
 *     node --conditions=@colloquy/source packages/adapter-postgres/tests/earlier/write-dump.ts postgres://… earlier
 *     pg_dump --schema=earlier --no-owner --no-privileges --inserts postgres://… | grep -Ev '^(--|\\|$)' > …/schema-<version>.sql
 *
 * Four sessions of one agent: one has just begun, one was answered, one waits for a live agent, one has ended.
 */
import { createPlatform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '@colloquy/core/testing'
import { openVisitor } from '@colloquy/test-support/visitor'
import { createPostgresStore } from '../../src/store.ts'

const [url = '', schema = ''] = process.argv.slice(2)
const given = createFakeClock()
/** The store answers over a socket, which a fake clock does not wait for. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) {
    await given.settle()
    await new Promise<void>(resolve => setTimeout(resolve, 5))
  }
}
const clock = { ...given, settle }
const platform = createPlatform({
  store: await createPostgresStore({ url, schema }),
  clock,
  ids: createSequentialIds(),
  runtime: createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: {
        person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'Asked for.' }],
      },
      otherwise: 'Yes.',
    },
    clock,
  ),
  wakeInterval: 1e9,
})
for (const lines of [null, ['hello'], ['person'], ['bye', null]]) {
  const visitor = await openVisitor(platform, clock)
  if (lines === null) continue
  await visitor.join()
  for (const line of lines) await (line === null ? visitor.end() : visitor.say(line))
}
process.exit(0)
