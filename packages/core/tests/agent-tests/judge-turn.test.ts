import { describe, expect, test } from 'vitest'
import { judgeTurn, type TurnOutcome } from '../../src/domain/agent/judge-turn.ts'
import type { Expectations } from '../../src/domain/agent/test-case.ts'
import type { Json } from '../../src/domain/json.ts'

const call = (name: string, given: Json) => ({ name, arguments: given, result: null, error: null })

const OUTCOME: TurnOutcome = {
  reply: 'Breakfast is from 7 to 10.',
  retrievedTopics: ['Breakfast', 'Parking'],
  citedTopic: 'Breakfast',
  functionEvents: [call('price', { nights: 2, room: { beds: 1 } }), call('price', { nights: 3 })],
  handoff: { destination: 'reception' },
  ended: true,
}
const QUIET: TurnOutcome = {
  reply: '',
  retrievedTopics: [],
  citedTopic: '',
  functionEvents: [],
  handoff: null,
  ended: false,
}

describe('verdicts', () => {
  test.each<[expectations: Expectations, passed: boolean, actual: Json]>([
    [{ topic: 'Parking' }, true, ['Breakfast', 'Parking']],
    [{ topic: 'parking' }, false, ['Breakfast', 'Parking']],
    [{ citedTopic: 'Breakfast' }, true, 'Breakfast'],
    [{ citedTopic: 'Parking' }, false, 'Breakfast'],
    [{ contains: ['BREAKFAST', '10.'] }, true, OUTCOME.reply],
    [{ contains: ['breakfast', '11'] }, false, OUTCOME.reply],
    [{ notContains: ['11', 'dinner'] }, true, OUTCOME.reply],
    [{ notContains: ['11', 'FROM 7'] }, false, OUTCOME.reply],
    [{ function: { name: 'price' } }, true, OUTCOME.functionEvents.length],
    [{ function: { name: 'Price' } }, false, 0],
    [{ function: { name: 'price', arguments: { nights: 3 } } }, true, 2],
    [{ function: { name: 'price', arguments: { room: { beds: 1 } } } }, true, 2],
    [{ function: { name: 'price', arguments: { nights: 3, room: { beds: 1 } } } }, false, 2],
    [{ function: { name: 'price', arguments: { nights: '2' } } }, false, 2],
    [{ function: { name: 'price', arguments: { toString: null } } }, false, 2],
    [{ handoff: {} }, true, { destination: 'reception' }],
    [{ handoff: { destination: 'reception' } }, true, { destination: 'reception' }],
    [{ handoff: { destination: 'bar' } }, false, { destination: 'reception' }],
    [{ ends: true }, true, true],
    [{ ends: false }, false, true],
  ])('TE12 %j of the reply is %j', (expectations, passed, actual) => {
    const [verdict, ...others] = judgeTurn(expectations, OUTCOME)
    expect(others).toEqual([])
    const [[expectation, expected] = []] = Object.entries(expectations)
    expect(verdict).toMatchObject({ expectation, expected, passed })
    if (expectation === 'function') expect(verdict?.actual).toHaveLength(Number(actual))
    else expect(verdict?.actual).toEqual(actual)
  })

  test('TE12 one for each expectation, and none without any', () => {
    const all: Required<Expectations> = {
      topic: 'a',
      citedTopic: 'a',
      contains: ['a'],
      notContains: ['a'],
      function: { name: 'a' },
      handoff: {},
      ends: true,
    }
    const verdicts = judgeTurn(all, QUIET)
    expect(verdicts.map(({ expectation }) => expectation).sort()).toEqual(Object.keys(all).sort())
    expect(verdicts.filter(({ passed }) => passed).map(({ expectation }) => expectation)).toEqual([
      'notContains',
    ])
    expect(judgeTurn({}, OUTCOME)).toEqual([])
  })
})
