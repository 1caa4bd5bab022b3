import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoPlatform } from '../src/demo-platform.ts'
import { DEMO_AGENT_ID, seedDemo } from '../src/seed.ts'

/** What a guest writes, and what the answer must hold. */
interface Line {
  readonly says: string
  /** The topic that answers; '' for none. */
  readonly topic: string
  readonly hears?: RegExp
  readonly never?: RegExp
  /** @default false */
  readonly unknown?: boolean
  readonly handsOff?: boolean
}

const line = (says: string, topic: string, more: Omit<Line, 'says' | 'topic'> = {}): Line => ({
  says,
  topic,
  ...more,
})

/** Conversations with the demo agent that tell most. */
const CONVERSATIONS: readonly (readonly Line[])[] = [
  [
    line('hello, how are you?', '', { hears: /well, thank you/ }),
    line('what time does brekfast start', 'Breakfast', { hears: /6:30/ }),
    line('and on sundays?', 'Breakfast', { hears: /7:30/, never: /18 euros/ }),
    line('how much for kids', 'Breakfast', { hears: /9 euros/, never: /7:30/ }),
    line('thanks, bye', '', { hears: /Goodbye/ }),
  ],
  [
    line('where do i put my car', 'Parking', { hears: /garage/ }),
    line('can i book it?', 'Parking', { hears: /cannot be booked/, never: /16 euros/ }),
    line("that's wrong", '', { hears: /misunderstood/ }),
  ],
  [
    line('what time is breakfast and how much is parking?', 'Breakfast', {
      hears: /6:30.*\n\n.*16 euros a night/,
    }),
  ],
  [line('cna i brign my dgo', 'Pets', { hears: /15 euros a night/ })],
  [line('HUMAN!!!!', 'Speak to a person', { hears: /reception/, handsOff: true })],
  [line('can you put me through to the manager on duty', 'Speak to a person', { handsOff: true })],
  [
    line("i'd rather deal with a person than a machine tbh", '', {
      hears: /Is it about “Speak to a person”/,
    }),
    line('yes please', 'Speak to a person', { handsOff: true }),
  ],
  [
    line('who is the president of the united states', '', { hears: /don't know/, unknown: true }),
    line('can you write my homework', '', { hears: /connect you with a person/, unknown: true }),
    line('no thanks', '', { hears: /All right/ }),
    line('is there a lift?', 'Accessibility', { hears: /lift/ }),
  ],
  [
    line('how much is the deposit', 'About the deposit', {
      hears: /first night/,
      never: /opened the payment page/,
    }),
    line('pay the deposit', 'Pay the deposit', { hears: /opened the payment page/ }),
    line('pay the deposit', 'Pay the deposit', { hears: /is open; the payment provider has not reported/ }),
  ],
  [
    line(
      'I have been trying for two days to find out whether my elderly mother, who cannot walk very well any more and needs a wheelchair most of the time, can get from the entrance to her room without any stairs, could you tell me that please',
      'Accessibility',
      { hears: /without steps/ },
    ),
  ],
  [line('worst hotel ever, i want my money back!!!', 'Cancellation and changes', { hears: /cancelled/ })],
  [line('wifi keeps cutting out in 305', 'Wi-Fi', { hears: /dial 9/ })],
]

const platform = createDemoPlatform(':memory:', { rateLimits: null })
beforeAll(() => seedDemo(platform))
afterAll(() => platform.close())

test.each(CONVERSATIONS.map(lines => [lines.map(({ says }) => says).join(' / '), lines] as const))(
  'through debug chat: %s',
  async (_, lines) => {
    const agent = await platform.agents.find(DEMO_AGENT_ID)
    if (agent === null) throw new Error('The demo agent is not there.')
    const environment = 'live'
    const { state } = await platform.debugChat.start(agent, { environment })
    for (const { says, topic, hears = /\S/, never, unknown = false, handsOff = false } of lines) {
      const { turn } = await platform.debugChat.send(agent, state.id, { environment, message: says })
      const { record, details } = turn
      expect({ says, topic: details.cited_topic, unknown: record.is_ood }).toEqual({ says, topic, unknown })
      expect(record.agent_response).toMatch(hears)
      if (never !== undefined) expect(record.agent_response).not.toMatch(never)
      expect(details.handoff_destination).toBe(handsOff ? 'reception' : '')
    }
  },
)
