import { createFakeClock } from '@colloquy/core/testing'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, DOWN_RATE, UP_RATE } from '../src/audio/pcm.ts'
import { createStereo, PART_MS, RECORDED_SAMPLES } from '../src/audio/stereo.ts'
import { AgentSound } from '../src/call/agent-sound.ts'
import { Recording } from '../src/call/recording.ts'
import { createMemoryRecorder } from './support/recorder.ts'

const FRAME = 20

/** The visitor's sound at a position: every millisecond has a level of its own. */
const levelAt = (ms: number): number => 1_000 + (ms % 20_000)

const saidAt = (positionMs: number, ms = FRAME): Uint8Array =>
  bytesOf(
    Int16Array.from({ length: ms * RECORDED_SAMPLES }, (_, at) =>
      levelAt(positionMs + Math.floor(at / RECORDED_SAMPLES)),
    ),
  )

function record() {
  const clock = createFakeClock()
  const memory = createMemoryRecorder()
  const errors: unknown[] = []
  const given: string[] = []
  const begin = (after: Promise<unknown> = Promise.resolve()): Recording =>
    new Recording(
      {
        recorder: memory.recorder,
        clock,
        onError: error => errors.push(error),
        given: reason => given.push(reason),
        after,
      },
      '0-call',
      'button',
    )
  return { clock, memory, errors, given, begin, recording: begin() }
}

/** What a network and a visitor do with a frame. */
const act = fc.oneof(
  { weight: 12, arbitrary: fc.constant('speak' as const) },
  { weight: 1, arbitrary: fc.record({ stall: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 1, arbitrary: fc.record({ mute: fc.integer({ min: 1, max: 200 }) }) },
)

describe('recordings', () => {
  test('VG123 the visitor is heard when they spoke, whatever the network and the mute button do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 30 }), async acts => {
        const { clock, memory, recording } = record()
        /** Level of each millisecond, as it was said. */
        const truth: number[] = []
        let position = 0
        let waiting: (readonly [Uint8Array, number])[] = []
        const arrive = (): void => {
          for (const [bytes, toMs] of waiting) recording.heard(bytes, toMs)
          waiting = []
        }
        const speak = async (): Promise<void> => {
          for (let ms = 0; ms < FRAME; ms++) truth.push(levelAt(position + ms))
          waiting.push([saidAt(position), position + FRAME])
          position += FRAME
          await clock.advance(FRAME)
        }
        for (const one of acts) {
          if (one === 'speak') await speak()
          else if ('stall' in one) for (let frame = 0; frame < one.stall; frame++) await speak()
          else {
            arrive()
            recording.paused()
            for (let ms = 0; ms < one.mute; ms++) truth.push(0)
            await clock.advance(one.mute)
          }
          // What stalled arrives in a burst, and the next frame in time.
          arrive()
          recording.tick()
        }
        recording.end()
        await recording.settled()
        const { agent, visitor } = memory.sides()
        expect(visitor.length).toBe(truth.length * RECORDED_SAMPLES)
        expect(truth.map((_, ms) => visitor[ms * RECORDED_SAMPLES + 7])).toEqual(truth)
        expect(agent.some(sample => sample !== 0)).toBe(false)
        expect(memory.log).toEqual(['begin 0-call visitor button', 'end complete'])
      }),
      { numRuns: runs(12, 200) },
    )
  })

  test('VG123 the agent is heard when the visitor heard it, and what was cut is not in the recording', async () => {
    const piece = fc.record({
      /** Milliseconds of sound, what of it is heard, and the pause before it. */
      ms: fc.integer({ min: 2, max: 30 }).map(count => count * 50),
      heard: fc.integer({ min: 0, max: 100 }),
      pause: fc.integer({ min: 0, max: 30 }).map(count => count * 50),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async pieces => {
        const { clock, memory, recording } = record()
        const sound = new AgentSound()
        /** True for each millisecond in which the visitor heard the agent. */
        const truth: boolean[] = []
        const pass = async (ms: number, heard: boolean): Promise<void> => {
          for (let each = 0; each < ms; each++) truth.push(heard)
          await clock.advance(ms)
          recording.tick()
        }
        const mark = (id: string, played_ms: number, more = {}): void => {
          const heard = sound.played({ id, played_ms, ...more })
          if (heard !== null) recording.agent(heard)
        }
        for (const [at, { heard, ms, pause }] of pieces.entries()) {
          await pass(pause, false)
          const id = `p${at}`
          const isCut = heard < 100
          const to = Math.floor((ms * heard) / 100)
          sound.begins(id, 0)
          // All of it is sent at once, and played as time passes.
          sound.sent(bytesOf(new Int16Array((ms * DOWN_RATE) / 1_000).fill(9_000)))
          for (let played = 0; played < to; ) {
            const step = Math.min(1_000, to - played)
            await pass(step, true)
            played += step
            if (played < to || isCut) mark(id, played)
          }
          if (isCut) {
            sound.cut()
            mark(id, to, { cleared: true })
            // The client says more later than it may: it is not what was heard.
            mark(`p${at}x`, ms)
          } else mark(id, ms, { done: true })
        }
        await pass(500, false)
        recording.end()
        await recording.settled()
        const { agent, visitor } = memory.sides()
        expect(agent.length).toBe(truth.length * RECORDED_SAMPLES)
        expect(visitor.some(sample => sample !== 0)).toBe(false)
        const isLoud = (ms: number): boolean => Math.abs(agent[ms * RECORDED_SAMPLES + 7] ?? 0) > 4_000
        // A resampler takes two milliseconds to rise and to fall.
        const isEdge = (ms: number): boolean =>
          [-3, -2, -1, 1, 2, 3].some(by => (truth[ms + by] ?? truth[ms]) !== truth[ms])
        for (const [ms, heard] of truth.entries())
          if (!isEdge(ms)) expect([ms, isLoud(ms)]).toEqual([ms, heard])
      }),
      { numRuns: runs(12, 200) },
    )
  })

  test('VG124 whatever a client claims, no more is held than the time that has passed', async () => {
    const claim = fc.oneof(
      fc.record({ said: fc.integer({ min: 1, max: 50 }), jump: fc.integer({ min: 0, max: 100_000 }) }),
      fc.record({ heard: fc.integer({ min: 0, max: 100_000 }), piece: fc.nat(3) }),
      fc.record({ wait: fc.integer({ min: 1, max: 2_000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(claim, { maxLength: 20 }), async claims => {
        const { clock, given, memory, recording } = record()
        const sound = new AgentSound()
        for (let piece = 0; piece < 4; piece++) {
          sound.begins(`p${piece}`, 0)
          sound.sent(bytesOf(new Int16Array(DOWN_RATE).fill(9_000)))
        }
        let [position, passed] = [0, 0]
        for (const one of claims) {
          if ('said' in one) {
            position += one.jump
            for (let frame = 0; frame < one.said; frame++) {
              recording.heard(saidAt(position), position + FRAME)
              position += FRAME
            }
          } else if ('heard' in one) {
            const heard = sound.played({ id: `p${one.piece}`, played_ms: one.heard })
            if (heard !== null) recording.agent(heard)
          } else {
            await clock.advance(one.wait)
            passed += one.wait
            recording.tick()
          }
        }
        recording.end()
        await recording.settled()
        expect(memory.sides().visitor.length).toBe(passed * RECORDED_SAMPLES)
        expect(given).toEqual([])
      }),
      { numRuns: runs(12, 200) },
    )
  })

  test('VG124 parts are whole, in order, and taken once; what comes later than that is left out', () => {
    const stereo = createStereo()
    const samples = PART_MS * RECORDED_SAMPLES
    stereo.write('visitor', samples - 1, Int16Array.of(7, 8))
    stereo.write('agent', samples - 1, Int16Array.of(9))
    expect(stereo.take(samples - 1)).toEqual([])
    const [first, ...none] = stereo.take(samples + 5)
    expect([first?.length, none.length]).toEqual([samples * 4, 0])
    expect([...(first ?? [])].slice(-4)).toEqual([7, 0, 9, 0])
    stereo.write('agent', samples - 2, Int16Array.of(1, 2, 3))
    expect(stereo.takeAll(samples + 2).map(part => [...part])).toEqual([[8, 0, 3, 0, 0, 0, 0, 0]])
  })

  test('VG120 what was said and heard before the consent is not in the recording', async () => {
    const { begin, clock, memory } = record()
    const sound = new AgentSound()
    sound.begins('p', 0)
    sound.sent(bytesOf(new Int16Array(DOWN_RATE).fill(9_000)))
    await clock.advance(990)
    const recording = begin()
    await clock.advance(10)
    recording.heard(saidAt(0, 1_000), 1_000)
    const heard = sound.played({ id: 'p', played_ms: 1_000, done: true })
    if (heard !== null) recording.agent(heard)
    recording.end()
    await recording.settled()
    const { agent, visitor } = memory.sides()
    expect([agent.length, visitor.length]).toEqual([160, 160])
    expect([visitor[0], visitor[159]]).toEqual([levelAt(990), levelAt(999)])
    expect(UP_RATE).toBe(16_000)
  })

  for (const fault of ['fails', 'full', 'gone'] as const)
    test(`VG125 a store that answers ${fault} ends the recording, and nothing else`, async () => {
      const { clock, errors, given, memory, recording } = record()
      await clock.advance(26_000)
      recording.tick()
      await recording.settled()
      memory.fault(fault)
      await clock.advance(15_000)
      recording.tick()
      await recording.settled()
      recording.heard(saidAt(0), 50_000)
      await clock.advance(30_000)
      recording.tick()
      recording.end()
      await recording.settled()
      expect(memory.parts.map(({ length }) => length)).toEqual([PART_MS * 64])
      expect(given).toEqual([fault === 'full' ? 'full' : 'failed'])
      expect(memory.log.slice(1)).toEqual([fault === 'full' ? 'end full' : 'end failed'])
      expect(errors.length).toBe(fault === 'fails' ? 1 : 0)
    })

  test('VG124 and VG125 a store that hangs costs four parts of memory, then the recording is given up', async () => {
    const { clock, given, memory, recording } = record()
    await clock.settle()
    memory.fault('hangs')
    for (let part = 0; part < 4; part++) {
      await clock.advance(15_000)
      recording.tick()
    }
    expect(given).toEqual([])
    await clock.advance(30_000)
    recording.tick()
    expect([given, memory.parts.length]).toEqual([['failed'], 0])
  })

  test('VG121 withdrawn consent removes what was kept, also after attempts that failed, before a new recording', async () => {
    const { begin, clock, errors, memory, recording } = record()
    await clock.advance(26_000)
    recording.tick()
    await recording.settled()
    memory.failWithdrawals(2)
    recording.withdraw()
    const done = recording.settled()
    const next = begin(done)
    await clock.settle()
    expect([memory.parts.length, memory.log.length]).toEqual([1, 1])
    await clock.advance(1_000)
    await clock.advance(2_000)
    await done
    recording.heard(saidAt(0), 30_000)
    recording.end()
    next.end()
    await next.settled()
    expect(memory.log).toEqual([
      'begin 0-call visitor button',
      'withdraw',
      'begin 0-call visitor button',
      'end complete',
    ])
    expect(errors.length).toBe(2)
    expect(memory.parts.map(({ length }) => length)).toEqual([3_000 * 64])
  })
})
