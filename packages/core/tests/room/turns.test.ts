import { createTestPlatform } from '@colloquy/test-support/platform'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { contextOf } from '../../src/platform-context.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

test('RN20 a turn whose reply was taken is not called off by the next one, which waited for it', async () => {
  const clock = createFakeClock()
  const scripted = createScriptedRuntime(
    { greeting: 'Welcome.', messages: { slow: [{ type: 'wait', milliseconds: 5_000 }, 'Slowly.'] } },
    clock,
  )
  const signals: AbortSignal[] = []
  const runtime: typeof scripted = Object.assign(
    { ...scripted },
    {
      respond(...given: Parameters<typeof scripted.respond>) {
        signals.push(given[1])
        return scripted.respond(...given)
      },
    },
  )
  const { platform } = createTestPlatform({ clock, runtime })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.send('USER_MESSAGE', { text: 'slow' })
  await visitor.send('USER_MESSAGE', { text: 'slow' })
  await clock.advance(5_000)
  await clock.advance(5_000)
  expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Slowly.', 'Slowly.'])
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false])
  await platform.close()
})

test('a conversation of which a process remembers nothing has no room once it has begun', async () => {
  const clock = createFakeClock()
  const { platform } = createTestPlatform({ clock, runtime: createScriptedRuntime({}, clock) })
  const account = await platform.access.createAccount({ slug: 'calls', name: 'Calls' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const whose = { accountId: account.id, agentId: agent.id, environment: 'live', channel: 'VOICE' } as const
  for (let count = 0; count < 3; count++) await platform.conversations.start(whose)
  expect([...contextOf(platform).rooms.all()]).toEqual([])
  await platform.close()
})
