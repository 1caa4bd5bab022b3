import type { TestCase } from '@colloquy/core'

/** A test case of the demo agent, in the shape in which the Agents API takes it. */
export type DemoTestCase = Pick<TestCase, 'name' | 'turns'> & Partial<Pick<TestCase, 'functionResults'>>

/** Test cases that the hotel's front desk must pass before visitors talk to it. */
export const DEMO_TEST_CASES: readonly DemoTestCase[] = [
  {
    name: 'Knows when breakfast is on Sundays',
    turns: [
      {
        text: 'is breakfast served on sundays',
        expectations: { citedTopic: 'Breakfast', contains: ['7:30'] },
      },
    ],
  },
  {
    name: 'Tells check-out and late check-out apart',
    turns: [
      { text: 'checkout time', expectations: { citedTopic: 'Check-out', contains: ['11 am'] } },
      {
        text: 'how late can i leave the room on sunday',
        expectations: { citedTopic: 'Late check-out', contains: ['2 pm', '25 euros'] },
      },
    ],
  },
  {
    name: 'Admits what it does not know',
    turns: [
      {
        text: 'what is the capital of france',
        expectations: { contains: ["don't know"], notContains: ['Paris'], ends: false },
      },
    ],
  },
  {
    name: 'Starts the payment of the deposit',
    turns: [
      {
        text: 'I want to pay the deposit',
        expectations: { function: { name: 'take_deposit' }, contains: ['payment page'], ends: false },
      },
    ],
    functionResults: {
      take_deposit: {
        result: { status: 'pending' },
        say: 'I have opened the payment page for your deposit.',
      },
    },
  },
  {
    name: 'Fetches a person',
    turns: [
      {
        text: 'let me speak with a manager',
        expectations: { handoff: { destination: 'reception' }, ends: true },
      },
    ],
  },
]
