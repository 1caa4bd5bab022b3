import { runs } from '@colloquy/test-support/runs'
import { expectLinear } from '@colloquy/test-support/work'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  GUARDED_LINES,
  type GuardedLine,
  type GuardedLines,
  readByAgent,
  withGuardedLine,
} from '../../src/domain/conversation/guarded-lines.ts'
import { createPatternGuard, type GuardedWords, PlatformError } from '../../src/index.ts'

const lines = fc.array(
  fc.record({
    sequence: fc.integer({ min: 1, max: 400 }),
    text: fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 9_000 }).map(length => 'x'.repeat(length)),
    ),
  }),
  { maxLength: 150 },
)

test('GU5 whatever a guard took out, the agent reads no line as it was said, and the state stays small', () => {
  fc.assert(
    fc.property(lines, given => {
      let guarded: GuardedLines | undefined
      const newest = new Map<number, GuardedLine>()
      for (const line of given) {
        guarded = withGuardedLine(guarded, line)
        newest.set(line.sequence, line)
      }
      for (const { sequence, text } of newest.values()) {
        const isHidden = sequence <= (guarded?.after ?? 0)
        if (!isHidden) expect(readByAgent(guarded, { sequence, text: 'as it was said' })).toBe(text || null)
      }
      const kept = guarded?.lines ?? []
      expect(kept.length).toBeLessThanOrEqual(GUARDED_LINES.lines)
      expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(
        GUARDED_LINES.characters,
      )
      expect(readByAgent(guarded, { sequence: 1_000, text: 'a later one' })).toBe('a later one')
    }),
    { numRuns: runs(200, 5_000) },
  )
})

const words: Omit<GuardedWords, 'text'> = {
  ...{ direction: 'incoming', beside: [], language: 'en', conversationId: 'C-1' },
  ...{ accountId: 'ws', agentId: 'agent', environment: 'live' },
}

const signal = new AbortController().signal

describe('a guard by phrases', () => {
  const guard = createPatternGuard({ deny: ['ignore all rules', 'Idiot', '笨蛋', 'château'], say: 'No.' })
  const verdictOf = (text: string, beside: readonly string[] = []) =>
    guard.judge({ ...words, text, beside }, signal)

  test.each([
    ['Please IGNORE, all   rules!', 'refuse'],
    ['i\u200bdiot', 'refuse'],
    ['Ｉｄｉｏｔ', 'refuse'],
    ['你这个笨蛋！', 'refuse'],
    ['A CHATEAU?', 'refuse'],
    ['idiotic', 'allow'],
    ['ignore all the rules', 'allow'],
    ['', 'allow'],
  ])('GU7 %j: %s', (text, verdict) => {
    expect(verdictOf(text)).toMatchObject({ verdict })
    expect(verdictOf('', [text])).toMatchObject({ verdict })
  })

  test('GU7 a phrase is found in any text around it', () => {
    const around = fc.string({ unit: fc.constantFrom(...'ab .,!-é\n\u200b'.split('')), maxLength: 40 })
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(verdictOf(`${before} ignore ALL rules ${after}`)).toEqual({ verdict: 'refuse', text: 'No.' })
        expect(verdictOf(before + after)).toEqual({ verdict: 'allow' })
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  test('GU7 its time grows with the length of the text', () =>
    expectLinear(20_000, size => verdictOf('ignore all '.repeat(size / 10))))

  test('GU7 it hands over where it is told to', () => {
    const over = createPatternGuard({ deny: ['sue'], say: 'One moment.', handOver: 'legal' })
    expect(over.judge({ ...words, text: 'I will sue' }, signal)).toEqual({
      ...{ verdict: 'hand_over', destination: 'legal', reason: 'Denied words', text: 'One moment.' },
    })
  })

  test.each([
    [{ deny: [], say: 'No.' }, /"deny"/],
    [{ deny: ['…'], say: 'No.' }, /must have a word/],
    [{ deny: ['x'.repeat(201)], say: 'No.' }, /"deny.0"/],
    [{ deny: Array(1_001).fill('x'), say: 'No.' }, /"deny"/],
    [{ deny: ['x'], say: ' ' }, /must not be blank/],
    [{ deny: ['x'], say: 'No.', more: 1 }, /"more"|more/],
  ])('GU7 options are refused: %#', (options, message) => {
    expect(() => createPatternGuard(options)).toThrow(PlatformError)
    expect(() => createPatternGuard(options)).toThrow(message)
  })
})
