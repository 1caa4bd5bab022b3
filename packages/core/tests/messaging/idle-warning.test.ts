import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

const MINUTE = 60_000

/** Processes over one store, a bus and a clock. */
function setUp(settings: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock()
  const common = { store: createMemoryStore(), bus: createLocalBus(), clock, rateLimits: null }
  const start = () =>
    createPlatform({
      runtime: createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Yes.' }, clock),
      ...common,
      ...settings,
    })
  return { clock, start }
}

const warnings = ({ received }: Visitor) =>
  received.filter(({ type }) => type === 'EVENT_TYPE_SESSION_IDLE_WARNING')

test('MS11 a silent session is warned of its end once, a minute before', async () => {
  const { clock, start } = setUp()
  const visitor = await openVisitor(start(), clock)
  await visitor.join()
  await clock.advance(9 * MINUTE - 1_000)
  expect(warnings(visitor)).toEqual([])
  await clock.advance(2_000)
  expect(warnings(visitor)).toMatchObject([{ sequence: null, payload: {} }])
  await clock.advance(MINUTE - 3_000)
  expect(visitor.types().at(-1)).toBe('SESSION_IDLE_WARNING')
  await clock.advance(5_000)
  expect(warnings(visitor)).toHaveLength(1)
  expect(visitor.types().at(-1)).toBe('SESSION_END')
})

test.each([
  ['a heartbeat', (visitor: Visitor) => visitor.heartbeat()],
  ['typing', (visitor: Visitor) => visitor.typing('started')],
  ['a message', (visitor: Visitor) => visitor.say('Still here')],
  ['a join', (visitor: Visitor) => visitor.join()],
])('MS11 %s keeps the session, and a later silence is warned of anew', async (_, sign) => {
  const { clock, start } = setUp()
  const visitor = await openVisitor(start(), clock)
  await visitor.join()
  for (const silence of [1, 2, 3]) {
    await clock.advance(9 * MINUTE + 30_000)
    expect(warnings(visitor)).toHaveLength(silence)
    await sign(visitor)
    expect(warnings(visitor)).toHaveLength(silence)
  }
  expect(visitor.types()).not.toContain('SESSION_END')
})

test('MS11 whoever is connected through another process hears it, also after a restart, and once', async () => {
  const { clock, start } = setUp()
  const first = start()
  const here = await openVisitor(first, clock)
  await here.join()
  await clock.advance(5 * MINUTE)
  const [second, third] = [start(), start()]
  await first.close()
  const visitors = [await here.reconnect(second), await here.reconnect(third)]
  await clock.advance(4 * MINUTE + 1_000)
  for (const visitor of visitors) expect(warnings(visitor)).toHaveLength(1)
  await second.close()
  const late = await here.reconnect(start())
  await clock.advance(30_000)
  expect(warnings(late)).toEqual([])
  await clock.advance(MINUTE)
  expect(late.types().at(-1)).toBe('SESSION_END')
})

test.each([
  ['a session that is not longer than the warning', { sessionIdle: MINUTE }],
  ['a host that switches it off', { idleWarning: 0 }],
])('MS11 %s gets none', async (_, settings) => {
  const { clock, start } = setUp(settings)
  const visitor = await openVisitor(start(), clock)
  await visitor.join()
  await clock.advance(10 * MINUTE + 1_000)
  expect(warnings(visitor)).toEqual([])
  expect(visitor.types().at(-1)).toBe('SESSION_END')
})
