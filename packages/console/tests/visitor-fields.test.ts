import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  NEW_VISITOR,
  talkTexts,
  type VisitorProfile,
  visitorFormOf,
  visitorOf,
} from '../page/views/agents/visitor-fields.ts'

const word = fc.stringMatching(/^[a-zäöü你好]{1,8}( [a-z]{1,5})?$/u)
const some = fc.array(word, { minLength: 1, maxLength: 3 })

const profiles: fc.Arbitrary<VisitorProfile> = fc
  .record(
    {
      goal: word,
      facts: fc.dictionary(word, word, { maxKeys: 3 }),
      wants: some,
      persona: word,
      language: fc.constantFrom('de', 'en-GB'),
      maxTurns: fc.integer({ min: 1, max: 50 }),
      talks: fc.integer({ min: 1, max: 20 }),
      mustPass: fc.integer({ min: 1, max: 20 }),
      expectations: fc.record(
        {
          goal: fc.constant('reached' as const),
          never: some,
          judge: some,
          contains: some,
          ends: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['goal', 'facts', 'maxTurns', 'talks', 'expectations'] },
  )
  .map(({ facts, ...profile }) => ({ ...profile, facts: { ...facts } }))

test('TE80 a visitor that is shown and saved again stays as it was', () => {
  fc.assert(
    fc.property(profiles, profile => {
      expect(visitorOf(visitorFormOf(profile), profile)).toEqual(profile)
    }),
  )
})

test('TE80 a new visitor is to reach its goal, and fields that are no numbers keep theirs', () => {
  expect(visitorOf({ ...NEW_VISITOR, goal: ' Book a room ', facts: 'room: I have room 7.\nwhen' })).toEqual({
    ...{ goal: 'Book a room', facts: { room: 'I have room 7.', when: 'when' } },
    ...{ maxTurns: 10, talks: 1, expectations: { goal: 'reached' } },
  })
  const before = visitorOf({ ...NEW_VISITOR, goal: 'x', talks: '3', maxTurns: '4' })
  const { maxTurns, talks } = visitorOf({ ...visitorFormOf(before), talks: 'many', maxTurns: '' }, before)
  expect([maxTurns, talks]).toEqual([4, 3])
})

test('TE85 a visitor of several talks says how many must pass', () => {
  const visitor = visitorOf({ ...NEW_VISITOR, goal: 'x', talks: '3', mustPass: '2', never: 'lunch' })
  expect(talkTexts(visitor)).toHaveLength(3)
  expect(talkTexts(visitor).at(-1)).toMatch(/2.*3/)
})
