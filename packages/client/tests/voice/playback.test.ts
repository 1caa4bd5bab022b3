import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAudio, beginPiece, EMPTY_PLAYBACK, endPiece, playedUntil } from '../../src/voice/playback.ts'

const piece = (id: string, before = 0) => ({ id, text: id, by: 'agent', before }) as const

/** Begins a piece, and gives it audio of so many milliseconds at these times. */
function received(before: number, arrivals: readonly (readonly [at: number, length: number])[]) {
  let playback = beginPiece(EMPTY_PLAYBACK, piece('a', before))
  const starts: number[] = []
  for (const [at, length] of arrivals) {
    const added = addAudio(playback, at, length * 48)
    if (added === null) throw new Error('The piece took no audio.')
    starts.push(added.at)
    playback = added.playback
  }
  return { playback, starts }
}

test('VG54 audio that comes into silence waits a little, and what follows plays without a gap', () => {
  expect(
    received(0, [
      [1_000, 20],
      [1_005, 20],
      [1_090, 20],
      [2_000, 20],
    ]).starts,
  ).toEqual([1_080, 1_100, 1_120, 2_080])
})

test('VG54 a mark counts what was played alone: it grows with the clock, stops in gaps, and never exceeds what has come', () => {
  const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300 })), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 0, max: 500 }), (steps, before) => {
      let clock = 0
      const timed = steps.map(([pause, length]) => {
        clock += pause
        return [clock, length] as const
      })
      const { playback } = received(before, timed)
      const total = before + steps.reduce((sum, [, length]) => sum + length, 0)
      let last = before
      for (let now = 0; now <= playback.end + 50; now += 37) {
        const [mark] = playedUntil(playback, now).marks
        const played = mark?.played_ms ?? last
        expect(played).toBeGreaterThanOrEqual(last)
        expect(played - last).toBeLessThanOrEqual(37 + 1)
        last = played
      }
      const { marks, playback: left } = playedUntil(endPiece(playback, 'a'), playback.end)
      expect(marks).toEqual([{ id: 'a', played_ms: total, done: true }])
      expect(left.pieces).toEqual([])
    }),
  )
})

test('VG54 a piece that has not begun to play has no mark, and one without sound is done at once', () => {
  const { playback } = received(0, [[0, 100]])
  expect(playedUntil(playback, 80).marks).toEqual([])
  expect(playedUntil(playback, 90).marks).toEqual([{ id: 'a', played_ms: 10 }])
  const silent = endPiece(beginPiece(EMPTY_PLAYBACK, piece('b')), 'b')
  expect(playedUntil(silent, 0).marks).toEqual([{ id: 'b', played_ms: 0, done: true }])
})

test('VG54 audio without a piece, or behind its end, is not played', () => {
  expect(addAudio(EMPTY_PLAYBACK, 0, 960)).toBe(null)
  expect(addAudio(endPiece(received(0, [[0, 20]]).playback, 'a'), 0, 960)).toBe(null)
})

test('VG54 pieces are played one after another, and each is marked', () => {
  const first = endPiece(received(0, [[0, 100]]).playback, 'a')
  const second = addAudio(beginPiece(first, piece('b', 40)), 10, 100 * 48)
  expect(second?.at).toBe(180)
  const { marks, playback } = playedUntil(second?.playback ?? first, 230)
  expect(marks).toEqual([
    { id: 'a', played_ms: 100, done: true },
    { id: 'b', played_ms: 90 },
  ])
  expect(playback.pieces.map(({ id }) => id)).toEqual(['b'])
})
