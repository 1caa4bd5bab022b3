import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { Presence } from '../../src/usecases/room/presence.ts'

describe('presence', () => {
  test('MS11 whatever the rhythm of frames, the newest is stored within an interval, and rarely', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 30 }), async gaps => {
        const interval = 50
        const clock = createFakeClock(1_000)
        const writes: { readonly at: number; readonly seenAt: number }[] = []
        const presence = new Presence(clock, interval, 1_000, {
          keepSeen: seenAt => {
            writes.push({ at: clock.now(), seenAt })
          },
        })
        let last = 1_000
        for (const gap of gaps) {
          await clock.advance(gap)
          const stored = writes.at(-1)?.seenAt ?? 1_000
          expect(last <= stored || clock.now() - stored <= interval).toBe(true)
          presence.seen()
          last = clock.now()
        }
        await clock.advance(interval)
        expect(writes.at(-1)?.seenAt ?? 1_000).toBe(last)
        writes.slice(1).forEach((write, index) => {
          expect(write.at - (writes[index]?.seenAt ?? 0)).toBeGreaterThanOrEqual(interval)
        })
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  const seen = (commands: readonly { readonly type: string }[]) =>
    commands.flatMap(command => ('seenAt' in command ? [command.seenAt] : []))

  test.each([
    { type: 'EVENT_TYPE_HEARTBEAT' },
    { type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'started' } },
    { type: 'EVENT_TYPE_NONSENSE' },
    'not json',
  ])('MS11 %o counts as a sign of life', async frame => {
    const bench = await createMessagingBench({ sessionIdle: 1_000 })
    const { sessionId, pair } = await bench.live()
    const start = bench.clock.now()
    await bench.clock.advance(30)
    pair.send(frame)
    await pair.flush()
    const { commands } = bench.engine.conversation(sessionId)
    expect(seen(commands)).toEqual([])
    await bench.clock.advance(20)
    expect(seen(commands)).toEqual([start + 30])
  })

  test('MS11 a message is its own sign of life and costs no second write', async () => {
    const bench = await createMessagingBench({ sessionIdle: 1_000 })
    const { sessionId, pair } = await bench.live()
    await bench.clock.advance(500)
    pair.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hi' } })
    await pair.flush()
    await bench.clock.advance(500)
    expect(seen(bench.engine.conversation(sessionId).commands)).toEqual([])
  })

  test('MS11 a message that is refused is a sign of life all the same', async () => {
    const bench = await createMessagingBench({ sessionIdle: 1_000 })
    const { sessionId, pair } = await bench.live({ joined: false })
    await bench.clock.advance(500)
    pair.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hi' } })
    await pair.flush()
    expect(seen(bench.engine.conversation(sessionId).commands)).toEqual([bench.clock.now()])
  })

  test('MS11 when the last connection leaves, the last sign of life is stored at once', async () => {
    const bench = await createMessagingBench({ sessionIdle: 1_000 })
    const { sessionId, pair } = await bench.live()
    await bench.clock.advance(10)
    pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
    pair.close()
    await pair.flush()
    await bench.clock.settle()
    expect(seen(bench.engine.conversation(sessionId).commands)).toEqual([bench.clock.now()])
  })
})
