import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgedTalks } from '../../src/domain/agent/judge-talk.ts'
import { plainVisitorSays } from '../../src/domain/agent/plain-visitor.ts'
import type { TestLine } from '../../src/domain/agent/talk.ts'
import { testVisitorSchema } from '../../src/domain/agent/test-visitor.ts'

const words = fc.constantFrom('room', 'date', 'seven', 'sorry', 'breakfast', 'Room?', 'DATE!')
const replies = fc.array(words, { maxLength: 4 }).map(parts => parts.join(' '))

test('TE86 whatever the agent says, the plain visitor stops, and is done only when it has what it wants', () => {
  const profiles = fc.record({
    wants: fc.array(fc.constantFrom('seven', 'breakfast'), { maxLength: 2 }),
    facts: fc.dictionary(fc.constantFrom('room', 'date'), fc.constantFrom('It is 7.', 'In May.')),
  })
  fc.assert(
    fc.property(profiles, fc.array(replies, { minLength: 12, maxLength: 12 }), ({ facts, wants }, said) => {
      const visitor = testVisitorSchema.parse({
        ...{ goal: 'Breakfast, please.', facts, expectations: { goal: 'reached' } },
        ...(wants.length > 0 && { wants }),
      })
      const lines: TestLine[] = []
      for (const reply of said) {
        const next = plainVisitorSays({ visitor, lines, ended: false })
        expect(plainVisitorSays({ visitor, lines, ended: false })).toEqual(next)
        if (next.type !== 'text') {
          const heard = lines.filter(({ from }) => from === 'ai_agent').map(({ text }) => text.toLowerCase())
          const lacks = wants.filter(want => !heard.some(text => text.includes(want)))
          expect(next.type === 'done').toBe(lacks.length === 0)
          return
        }
        lines.push({ from: 'visitor', text: next.text }, { from: 'ai_agent', text: reply })
      }
      throw new Error('The visitor did not stop.')
    }),
    { numRuns: runs(300, 5_000) },
  )
})

test('TE85 a case passes with as many passed talks as must, and never because others errored', () => {
  const statuses = fc.array(fc.constantFrom('passed', 'failed', 'errored'), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(statuses, fc.nat(), (given, seed) => {
      const mustPass = (seed % given.length) + 1
      const talks = given.map(status => ({ status, error: null, turns: [], verdicts: [] }))
      const about = { testCaseId: 'C', name: 'C' }
      const { status } = judgedTalks(about, { talks: given.length, mustPass }, talks)
      const passed = given.filter(one => one === 'passed').length
      const failed = given.filter(one => one === 'failed').length
      expect(status === 'passed').toBe(passed >= mustPass)
      expect(status === 'failed').toBe(passed < mustPass && given.length - failed < mustPass)
    }),
    { numRuns: runs(300, 5_000) },
  )
})
