import { ADA, createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import type { Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import type { Platform, PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'

const SECOND = 1_000
/** Long enough that neither heartbeats nor the visitor's silence come in between. */
const PATIENT = { sessionIdle: 24 * 3_600_000 }

async function setUp(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const platform = bench.start({ ...PATIENT, ...options })
  const visitor = await bench.waiting(platform)
  return {
    ...bench,
    platform,
    visitor,
    accept: () => platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA),
    attendedUntil: async () =>
      (await bench.store.conversations.load(visitor.id))?.state.handoff?.attendedUntil ?? null,
  }
}

/** Ada's socket at the desk of a process; the returned function closes it. */
const watch = (platform: Platform, { accountId }: Visitor, liveAgentId: string | null = ADA.id) =>
  platform.desk.watch(accountId, () => {}, { liveAgentId })

const ended = (visitor: Visitor): boolean => visitor.types().includes('SESSION_END')

describe('a live agent who is gone', () => {
  it('DK15 counts as having left 60 s after the socket closed, and the visitor hears why', async () => {
    const { clock, platform, visitor, accept } = await setUp()
    const close = await watch(platform, visitor)
    await accept()
    await clock.advance(10 * 60 * SECOND)
    close()
    await clock.advance(59 * SECOND)
    expect(ended(visitor)).toBe(false)
    await clock.advance(2 * SECOND)
    expect(visitor.types().slice(-2)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_END'])
    expect(visitor.received.slice(-2).map(({ payload }) => payload)).toEqual([
      { reason: 'live agent absent' },
      { reason: 'REASON_NATURAL_END' },
    ])
    expect(await platform.desk.handoffs(visitor.accountId, 'active')).toEqual([])
    await expect(
      platform.desk.send(visitor.accountId, handoffOf(visitor), { text: 'too late' }),
    ).rejects.toMatchObject({ code: 'HANDOFF_CONFLICT', message: 'The handoff is over.' })
  })

  it('DK15 is told to the desk, with the reason', async () => {
    const { clock, platform, visitor, accept } = await setUp()
    const close = await watch(platform, visitor)
    await accept()
    const events: unknown[] = []
    await platform.desk.watch(visitor.accountId, event => events.push(event))
    close()
    await clock.advance(61 * SECOND)
    expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'live agent absent' })
  })

  it('DK15 the time is a setting', async () => {
    const { clock, platform, visitor, accept } = await setUp({ liveAgentAbsence: 6 * SECOND })
    const close = await watch(platform, visitor)
    await accept()
    close()
    await clock.advance(5 * SECOND)
    expect(ended(visitor)).toBe(false)
    await clock.advance(2 * SECOND)
    expect(ended(visitor)).toBe(true)
  })

  it('DK19 a message whose id stands for another text is refused, and the same text is taken once', async () => {
    const { platform, visitor, accept } = await setUp()
    await accept()
    const handoffId = handoffOf(visitor)
    const send = (text: string) => platform.desk.send(visitor.accountId, handoffId, { text, messageId: 'm1' })
    await send('Hello')
    expect(await send('Hello')).toEqual({ messageId: 'm1' })
    const refused = { code: 'HANDOFF_CONFLICT', message: expect.stringContaining('Send it with a new id.') }
    await expect(send('Something else')).rejects.toMatchObject(refused)
    const report = { messageId: 'm1', text: 'Something else' }
    await expect(platform.liveAgents.message(handoffId, report)).rejects.toMatchObject(refused)
    await platform.desk.leave(visitor.accountId, handoffId)
    expect(await send('Hello')).toEqual({ messageId: 'm1' })
    await expect(send('Something else')).rejects.toMatchObject(refused)
  })

  it('DK15 who never used a socket with an id is not missed', async () => {
    const { clock, platform, visitor, accept, attendedUntil } = await setUp()
    const anonymous = await watch(platform, visitor, null)
    const other = await watch(platform, visitor, 'a2')
    await accept()
    await platform.desk.typing(visitor.accountId, handoffOf(visitor), 'started')
    await platform.desk.send(visitor.accountId, handoffOf(visitor), { text: 'Hello' })
    anonymous()
    other()
    await clock.advance(600 * SECOND)
    expect(await attendedUntil()).toBeNull()
    expect(ended(visitor)).toBe(false)
  })

  it('DK15 is missed by another process when the one with the socket dies without a word', async () => {
    const { clock, start, visitor, platform, accept } = await setUp()
    const dying = start({ ...PATIENT })
    await watch(dying, visitor)
    await accept()
    await clock.advance(10 * 60 * SECOND)
    // Its writes never arrive any more, and it wakes nothing.
    contextOf(dying).store.close = async () => {}
    const { append } = contextOf(dying).store.conversations
    contextOf(dying).store.conversations.append = async () => ({ status: 'stale' })
    await dying.close()
    contextOf(dying).store.conversations.append = append
    await clock.advance(59 * SECOND)
    expect(ended(visitor)).toBe(false)
    await clock.advance(22 * SECOND)
    expect(ended(visitor)).toBe(true)
    await platform.idle()
  })
})

describe('a socket of the live agent', () => {
  it('DK15 keeps the handoff for as long as it is open, with at most a write in 20 s', async () => {
    const { clock, platform, visitor, accept, calls } = await setUp()
    await watch(platform, visitor)
    await accept()
    await clock.settle()
    calls.clear()
    await clock.advance(600 * SECOND)
    expect(ended(visitor)).toBe(false)
    expect(calls.get('append')).toBe(30)
  })

  it('DK15 several sockets of one live agent write no more than one', async () => {
    const { clock, platform, visitor, accept, calls } = await setUp()
    await watch(platform, visitor)
    await accept()
    await clock.advance(7 * SECOND)
    const second = await watch(platform, visitor)
    calls.clear()
    await clock.advance(600 * SECOND)
    expect(calls.get('append')).toBeLessThanOrEqual(31)
    second()
    await clock.advance(600 * SECOND)
    expect(ended(visitor)).toBe(false)
  })

  it('DK15 that opens after the live agent accepted counts from then on', async () => {
    const { clock, platform, visitor, accept, attendedUntil } = await setUp()
    await accept()
    expect(await attendedUntil()).toBeNull()
    const close = await watch(platform, visitor)
    await clock.settle()
    expect(await attendedUntil()).toBe(clock.now() + 80 * SECOND)
    close()
    await clock.settle()
    expect(await attendedUntil()).toBe(clock.now() + 60 * SECOND)
  })

  it('DK15 that opens again in another process in time keeps the handoff', async () => {
    const { clock, platform, start, visitor, accept } = await setUp()
    const other = start({ ...PATIENT })
    const close = await watch(platform, visitor)
    await accept()
    close()
    await clock.advance(50 * SECOND)
    const again = await watch(other, visitor)
    await clock.advance(600 * SECOND)
    expect(ended(visitor)).toBe(false)
    again()
    await clock.advance(61 * SECOND)
    expect(ended(visitor)).toBe(true)
  })

  it('DK15 counts for every handoff of its live agent, and for those of no other', async () => {
    const { clock, platform, visitor, accept, waiting } = await setUp()
    const [second, third] = [await waiting(platform), await waiting(platform)]
    await accept()
    await platform.desk.accept(second.accountId, handoffOf(second), ADA)
    const grace = { ...ADA, id: 'a2', name: 'Grace' }
    await platform.desk.accept(third.accountId, handoffOf(third), grace)
    const closeAda = await watch(platform, visitor)
    await watch(platform, visitor, 'a2')
    closeAda()
    await clock.advance(61 * SECOND)
    expect([visitor, second, third].map(ended)).toEqual([true, true, false])
  })

  it('DK15 of a handoff that is over notes nothing more', async () => {
    const { clock, platform, visitor, accept, calls } = await setUp()
    await watch(platform, visitor)
    await accept()
    await platform.desk.leave(visitor.accountId, handoffOf(visitor))
    await clock.settle()
    calls.clear()
    await clock.advance(600 * SECOND)
    expect(calls.get('append') ?? 0).toBe(0)
    expect(calls.get('load') ?? 0).toBe(0)
  })

  it('DK15 a process that closes has stored the last sign, and leaves no timer', async () => {
    const { clock, platform, visitor, accept, start, attendedUntil, errors } = await setUp()
    const other = start({ ...PATIENT })
    await watch(other, visitor)
    await accept()
    await clock.advance(30 * SECOND)
    contextOf(other).store.close = async () => {}
    await other.close()
    expect(await attendedUntil()).toBe(clock.now() + 60 * SECOND)
    await clock.advance(59 * SECOND)
    expect(ended(visitor)).toBe(false)
    await clock.advance(2 * SECOND)
    expect(ended(visitor)).toBe(true)
    expect(errors).toEqual([])
    await platform.idle()
  })
})

describe('acts of a live agent', () => {
  it('DK15 messages and typing keep the handoff without a socket', async () => {
    for (const act of ['send', 'typing'] as const) {
      const { clock, platform, visitor, accept } = await setUp()
      const close = await watch(platform, visitor)
      await accept()
      close()
      for (let count = 0; count < 20; count++) {
        await clock.advance(55 * SECOND)
        if (act === 'send')
          await platform.desk.send(visitor.accountId, handoffOf(visitor), { text: 'Still here' })
        else await platform.desk.typing(visitor.accountId, handoffOf(visitor), 'started')
      }
      expect(ended(visitor)).toBe(false)
      await clock.advance(59 * SECOND)
      expect(ended(visitor)).toBe(false)
      await clock.advance(22 * SECOND)
      expect(ended(visitor)).toBe(true)
    }
  })

  it('DK15 typing at every key stores something once in 20 s at most', async () => {
    const { clock, platform, visitor, accept, calls } = await setUp()
    const close = await watch(platform, visitor)
    await accept()
    close()
    await clock.settle()
    calls.clear()
    for (let second = 0; second < 200; second++) {
      await platform.desk.typing(visitor.accountId, handoffOf(visitor), 'started')
      await clock.advance(SECOND)
    }
    expect(calls.get('append')).toBeGreaterThan(0)
    expect(calls.get('append')).toBeLessThanOrEqual(10)
    expect(ended(visitor)).toBe(false)
  })
})
