import type { Json } from '@colloquy/core'
import { expecting, MEMORY_KEY, readMemory } from '@colloquy/core/runtime'
import { expect, test } from 'vitest'

const NOTHING = {
  ...{ topic: null, confidence: 0, asked: [], offered: false, failures: 0, expected: [] },
  ...{ handedTo: null, awaitsMessage: false },
}

const WHOLE = {
  topic: 'Parking',
  confidence: 0.8,
  asked: ['Parking', 'Check-in'],
  offered: true,
  failures: 2,
  handedTo: 'reception',
  awaitsMessage: true,
  expected: [{ eventId: 'EE-1', function: 'take_deposit' }],
}

test('what the runtime has written is read as it was', () => {
  expect(readMemory({ [MEMORY_KEY]: WHOLE })).toEqual(WHOLE)
  expect(readMemory({ [MEMORY_KEY]: expecting(readMemory({}), 'pay', ['EE-2']) }).expected).toEqual([
    { eventId: 'EE-2', function: 'pay' },
  ])
})

test.each<[Json]>([[null], ['words'], [7], [[WHOLE]], [{}]])(
  '%j in the place of the memory is nothing',
  value => {
    expect(readMemory({ [MEMORY_KEY]: value })).toEqual(NOTHING)
    expect(readMemory({})).toEqual(NOTHING)
  },
)

test.each<[keyof typeof WHOLE, Json]>([
  ['topic', 7],
  ['confidence', 'high'],
  ['asked', ['Parking', 7]],
  ['asked', 'Parking'],
  ['offered', 'yes'],
  ['handedTo', true],
  ['awaitsMessage', 'yes'],
  ['failures', -1],
  ['failures', 1.5],
  ['failures', '2'],
  ['expected', [WHOLE.expected[0] ?? null, { eventId: 'EE-2' }]],
  ['expected', [null]],
])('of a memory in which %s is %j the rest is kept', (field, value) => {
  const read = readMemory({ [MEMORY_KEY]: { ...WHOLE, [field]: value } })
  expect(read).toEqual({ ...WHOLE, [field]: NOTHING[field] })
})
