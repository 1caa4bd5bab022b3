/** Begins two conversations, one with a turn and one with a hand-over under way, prints their ids, and waits to be killed. */
import { createPlatform } from '@colloquy/core'
import { createFakeClock } from '@colloquy/core/testing'
import { openVisitor } from '@colloquy/test-support/visitor'
import { createSqliteStore } from '../../src/store.ts'

const [filename = ''] = process.argv.slice(2)
const never = () => new Promise<never>(() => {})

const platform = createPlatform({
  store: createSqliteStore({ filename }),
  liveAgents: () => ({ request: never, forward: never, cancel: never, visitorTyping: never }),
  runtime: {
    async *respond({ input }) {
      if (input.type === 'message' && input.text === 'hang') await never()
      yield { type: 'text', text: 'Hello.' }
      if (input.type === 'message')
        yield { type: 'handoff', destination: 'reception', reason: 'asked for a person' }
    },
  },
})
// Only its settling is used: the platform runs on the clock of the process.
const clock = createFakeClock()
const visitors = [await openVisitor(platform, clock), await openVisitor(platform, clock)]
for (const [index, visitor] of visitors.entries()) {
  await visitor.join()
  while (visitor.texts('AI_AGENT_MESSAGE').length === 0) await clock.settle()
  await visitor.say(index === 0 ? 'hang' : 'person')
}
while (!visitors[1]?.types().includes('AI_AGENT_TRIGGERED_HANDOFF')) await clock.settle()
process.stdout.write(`${visitors.map(({ id }) => id).join(' ')}\n`)
setInterval(() => {}, 1_000)
