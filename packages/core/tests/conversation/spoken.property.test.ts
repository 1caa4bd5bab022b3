import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spokenOf, withoutMarks } from '../../src/domain/conversation/spoken.ts'

const MARKS = ['voice', 'voice_heard', 'voice_kind', 'voice_latency', 'voice_reply']
const custom = fc.dictionary(fc.oneof(fc.constantFrom(...MARKS), fc.string()), fc.string())

test('VG1 what a client says of calls is dropped, and nothing else', () => {
  fc.assert(
    fc.property(custom, given => {
      const left = withoutMarks(given)
      expect(spokenOf(left)).toBeNull()
      const others = Object.entries(given).filter(([name]) => !MARKS.includes(name))
      expect(Object.entries(left ?? {})).toEqual(others)
    }),
    { numRuns: runs(500, 5_000) },
  )
  expect(withoutMarks(null)).toBeNull()
})

test('VG100 the marks of a call are read back, and what does not fit is left out', () => {
  const heard = { m1: 4, m2: 0 }
  expect(
    spokenOf({
      ...{ voice: '1-call', voice_kind: 'keys', voice_heard: 'm1:4 m2:0', voice_latency: '500 40' },
      voice_reply: 'voice.1-call.860 300 90',
    }),
  ).toEqual({
    ...{ call: '1-call', kind: 'keys', heard, latency: { endpoint_ms: 500, stt_ms: 40 } },
    reply: { to: 'voice.1-call.860', first_text_ms: 300, first_audio_ms: 90 },
  })
  fc.assert(
    fc.property(custom, fc.string(), (given, call) => {
      const spoken = spokenOf({ ...given, voice: call })
      if (call === '') expect(spoken).toBeNull()
      else expect(spoken?.call).toBe(call.slice(0, 100))
      const { latency, reply } = spoken ?? {}
      for (const ms of [latency?.endpoint_ms, latency?.stt_ms, reply?.first_text_ms, reply?.first_audio_ms])
        expect(ms ?? 0).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: runs(500, 5_000) },
  )
})
