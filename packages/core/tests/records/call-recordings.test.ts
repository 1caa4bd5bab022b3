import { collected, FIRST, moments, recording, SECOND } from '@colloquy/test-support/recorded-calls'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test, vi } from 'vitest'
import { wavSeconds } from '../../src/domain/voice/wav.ts'
import { isPlatformError } from '../../src/errors.ts'

const codeOf = (error: unknown) => (isPlatformError(error) ? error.code : String(error))

describe('recordings of calls', () => {
  test('RC610 and RC613 parts of several recordings are one WAV, and each side one of its own', async () => {
    const { begin, clock, heard, list } = await recording()
    const kept = await begin()
    expect([await kept.keep(FIRST), await kept.keep(SECOND)]).toEqual(['kept', 'kept'])
    await kept.end('complete')
    await clock.advance(1_000)
    await (await begin()).keep(SECOND)
    const { bytes, samples, view } = await heard()
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('RIFF')
    expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([36 + 16, 16])
    expect([view.getUint16(22, true), view.getUint32(24, true), view.getUint16(34, true)]).toEqual([
      2, 16_000, 16,
    ])
    expect(samples).toEqual([101, 201, 102, 202, 103, 203, 103, 203])
    expect((await heard('user')).samples).toEqual([101, 102, 103, 103])
    expect((await heard('agent')).samples).toEqual([201, 202, 203, 203])
    expect((await heard('agent')).view.getUint16(22, true)).toBe(1)
    expect((await list()).map(({ bytes: of, end, parts }) => [of, parts, end])).toEqual([
      [12, 2, 'complete'],
      [4, 1, null],
    ])
  })

  test('RC613 there is no redacted recording, none of another account, and one without a part is cut off', async () => {
    const { begin, heard, keep, platform, where } = await recording()
    await expect(heard()).rejects.toSatisfy(error => codeOf(error) === 'CONVERSATIONS_RECORDING_NOT_FOUND')
    const kept = await begin()
    await kept.keep(FIRST)
    await kept.keep(SECOND)
    await expect(heard('combined', true)).rejects.toSatisfy(
      error => codeOf(error) === 'CONVERSATIONS_RECORDING_NOT_FOUND',
    )
    const [, agentId, id] = where
    await expect(platform.reading.recordings('ws-other', agentId, id)).rejects.toSatisfy(
      error => codeOf(error) === 'CONVERSATIONS_NOT_FOUND',
    )
    const [, second] = [...keep.stored.keys()]
    await keep.remove({ id: second ?? '', signal: new AbortController().signal })
    await expect(heard()).rejects.toThrow('A part of a recording is missing.')
    await keep.put({ id: second ?? '', type: 'x', content: FIRST, signal: new AbortController().signal })
    await expect(heard()).rejects.toThrow('longer than what was kept')
  })

  test('RC613 any range of the WAV is the same slice of the whole, and nothing but that is read', async () => {
    const { begin, clock, keep, platform, where } = await recording()
    // Three lines: whole parts and a shorter last one, a single part, and nothing but whole parts.
    for (const lengths of [[5, 5, 3], [2], [4, 4]]) {
      const kept = await begin()
      for (const [part, length] of lengths.entries())
        expect(
          await kept.keep(
            moments(...Array.from({ length }, (_, at): [number, number] => [part * 64 + at, -at - 1])),
          ),
        ).toBe('kept')
      await clock.advance(1_000)
    }
    const asked: number[] = []
    const { get } = keep
    keep.get = file => {
      const { from, to } = file.range ?? { from: 0, to: keep.stored.get(file.id)?.length ?? 0 }
      asked.push(to - from)
      return get(file)
    }
    const [accountId, agentId, conversationId] = where
    for (const direction of ['combined', 'user', 'agent'] as const) {
      const of = { accountId, agentId, conversationId, direction, redacted: false }
      const { bytes, read } = await platform.reading.audio(of)
      const whole = await collected(read())
      expect([whole.length, wavSeconds(whole)]).toEqual([bytes, 23 / 16_000])
      for (let from = 0; from < whole.length; from++)
        for (const to of [from + 1, from + 7, from + 40, whole.length].filter(end => end <= whole.length)) {
          asked.length = 0
          expect(await collected(read({ from, to }))).toEqual(whole.subarray(from, to))
          const voice = direction === 'combined' ? 4 : 2
          const [first, last] = [from, to - 1].map(at => Math.floor((at - 44) / voice))
          // The moments with which parts begin.
          const wanted = [0, 5, 10, 13, 15, 19, 23].filter(
            (at, index, all) => at <= (last ?? 0) && (all[index + 1] ?? 0) > (first ?? 0),
          )
          expect(asked.length).toBe(to <= 44 ? 0 : wanted.length)
          const moments = Math.max(0, (last ?? 0) + 1) - Math.max(0, first ?? 0)
          expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBe(moments * 4)
        }
    }
  })

  test('AU14 who listens is noted before the first byte, once for all that belongs together', async () => {
    const { begin, clock, platform, store, where } = await recording()
    await (await begin()).keep(FIRST)
    const [accountId, agentId, conversationId] = where
    const wanted = { accountId, agentId, conversationId, direction: 'user', redacted: false } as const
    const entries = async () => (await platform.audit.list({ action: 'conversation.listened' })).entries
    const ada = platform.as({ type: 'person', id: 'ada', name: 'Ada' })
    const { read } = await ada.reading.audio(wanted)
    // Nothing is heard yet.
    expect(await entries()).toEqual([])
    // A range that leaves out the beginning is a listening too.
    await Promise.all([collected(read({ from: 46, to: 48 })), collected(read({ from: 44, to: 46 }))])
    await collected((await ada.reading.audio(wanted)).read())
    expect(await entries()).toMatchObject([
      {
        actor: { type: 'person', id: 'ada', name: 'Ada' },
        ...{ accountId, agentId, resource: { type: 'conversation', id: conversationId } },
        details: { direction: 'user', redacted: false },
      },
    ])
    await collected((await platform.reading.audio(wanted)).read())
    // However long it takes: a player asks again and again.
    for (let count = 0; count < 3; count++) {
      await clock.advance(400_000)
      await collected(read({ from: 44, to: 46 }))
    }
    expect(await entries()).toHaveLength(2)
    await clock.advance(600_000)
    const append = vi.spyOn(store.audit, 'append').mockRejectedValueOnce(new Error('away'))
    await expect(collected(read())).rejects.toThrow('away')
    append.mockRestore()
    await collected(read())
    expect(await entries()).toHaveLength(3)
  })

  test('RC611 the record says who consented, how and when; withdrawn, nothing of any recording is left', async () => {
    const { begin, clock, heard, keep, list, recorder } = await recording()
    const at = clock.now()
    const kept = await begin()
    await kept.keep(FIRST)
    await kept.end('complete')
    const going = await begin()
    await going.keep(SECOND)
    expect((await list())[0]?.consent).toEqual({ by: 'visitor', how: 'button', at })
    await clock.advance(500)
    await recorder.withdraw()
    expect(keep.stored.size).toBe(0)
    expect((await list()).map(({ bytes, end, endedAt }) => [bytes, end, endedAt])).toEqual([
      [0, 'withdrawn', at + 500],
      [0, 'withdrawn', at + 500],
    ])
    expect(await going.keep(FIRST)).toBe('gone')
    expect(keep.stored.size).toBe(0)
    await expect(heard()).rejects.toSatisfy(error => codeOf(error) === 'CONVERSATIONS_RECORDING_NOT_FOUND')
    // A new consent is a new recording.
    await (await begin()).keep(SECOND)
    expect((await heard()).samples).toEqual([103, 203])
  })

  test('RC611 what is withdrawn while the port is away is removed once it is back', async () => {
    const { begin, clock, errors, keep, recorder } = await recording()
    await (await begin()).keep(FIRST)
    keep.fault('fails')
    await recorder.withdraw()
    expect([keep.stored.size, errors.length > 0]).toEqual([1, true])
    keep.fault(null)
    await clock.advance(10_000)
    expect(keep.stored.size).toBe(0)
  })

  test('RC612 a conversation has no more sound than limits.audioBytes, over all its recordings', async () => {
    const { begin, list, keep } = await recording({ limits: { audioBytes: 20 } })
    const first = await begin()
    expect(await first.keep(FIRST)).toBe('kept')
    const next = await begin()
    expect([await next.keep(FIRST), await next.keep(SECOND)]).toEqual(['kept', 'kept'])
    expect(await next.keep(SECOND)).toBe('full')
    await next.end('full')
    expect([(await list())[1]?.end, keep.stored.size]).toEqual(['full', 3])
  })

  test('RC612 a conversation has at most 100 recordings', async () => {
    const { begin, clock, recorder } = await recording()
    for (let count = 0; count < 100; count++) await begin()
    const consent = { by: 'host', how: 'host', at: clock.now() } as const
    expect(await recorder.begin({ call: '0-call', at: clock.now(), consent })).toBeNull()
  })

  test('RC610 a part whose process died is removed, and what was kept before stays', async () => {
    const { begin, clock, heard, keep, list, store } = await recording()
    await (await begin()).keep(FIRST)
    const [{ id } = { id: '' }] = await list()
    // As a process leaves it that dies between the two.
    await store.conversations.files.expect(`${id}-r2`, clock.now() + 60_000)
    await keep.put({ id: `${id}-r2`, type: 'x', content: SECOND, signal: new AbortController().signal })
    expect((await heard()).samples).toEqual([101, 201, 102, 202])
    await clock.advance(80_000)
    expect([...keep.stored.keys()]).toEqual([`${id}-r1`])
  })

  test('RC614 removing the conversation removes its recordings before the caller has the answer', async () => {
    const { begin, clock, keep, platform, visitor, where } = await recording()
    const kept = await begin()
    await kept.keep(FIRST)
    await visitor.end()
    await clock.settle()
    await platform.conversations.remove(...where)
    expect(keep.stored.size).toBe(0)
    expect(await kept.keep(SECOND)).toBe('gone')
    expect(keep.stored.size).toBe(0)
  })

  test('RC614 a purge removes the recordings of what it removes, and leaves those of others', async () => {
    const { begin, clock, keep, platform, recorderOf, visitor } = await recording()
    await (await begin()).keep(FIRST)
    await visitor.end()
    await clock.advance(10)
    const other = await openVisitor(platform, clock)
    await other.join()
    await (await begin(await recorderOf(other))).keep(SECOND)
    await platform.conversations.purge({ olderThan: clock.now() })
    expect([...keep.stored.values()]).toEqual([SECOND])
  })

  test('RC614 the data of a visitor is exported with the names of the recordings, and removed with them', async () => {
    const { begin, clock, keep, list, platform, visitor } = await recording()
    const kept = await begin()
    await kept.keep(FIRST)
    await kept.end('complete')
    const lines: unknown[] = []
    const named = { visitorId: 'vera-7' }
    for await (const line of platform.conversations.exportVisitor(visitor.accountId, named)) lines.push(line)
    const [one] = await list()
    expect(lines).toContainEqual({
      ...{ type: 'recording', conversation_id: visitor.id, project_id: visitor.agentId, id: one?.id },
      ...{ call: '0-call', milliseconds: 0, bytes: 8, end: 'complete' },
      ...{ started_at: expect.any(String), ended_at: expect.any(String) },
      consent: { by: 'visitor', how: 'button', at: expect.any(String) },
    })
    await visitor.end()
    await clock.advance(10)
    await platform.conversations.removeVisitor(visitor.accountId, named)
    expect(keep.stored.size).toBe(0)
  })

  test('RC610 without the port nothing is recorded', async () => {
    await expect(recording({ recordings: { open: async () => null } })).rejects.toThrow(
      'Nothing is recorded.',
    )
    await expect(recording({ recordings: {} })).rejects.toThrow('Nothing is recorded.')
  })
})
