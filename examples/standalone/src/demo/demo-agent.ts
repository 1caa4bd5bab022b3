import { DEMO_TOPICS, type DemoTopic } from './topics.ts'

/** A variant of the demo agent; attribute values by attribute name. */
export interface DemoVariant {
  readonly name: string
  readonly isDefault: boolean
  readonly attributes: Readonly<Record<string, string>>
}

/** All that the demo agent is made of, as plain data. */
export interface DemoAgent {
  readonly name: string
  readonly greeting: string
  readonly languageCode: string
  readonly behavior: string
  readonly attributes: readonly string[]
  readonly variants: readonly DemoVariant[]
  readonly topics: readonly DemoTopic[]
}

/** The front desk of a hotel (contract/operator.md, Demo data). */
export const DEMO_AGENT: DemoAgent = {
  name: 'Hotel front desk',
  greeting:
    'Welcome to {{attr:hotel_name}}! I am the front desk assistant. Ask me about your stay, or write “speak to a person” and I will fetch {{attr:reception_team}}.',
  languageCode: 'en-GB',
  behavior: [
    'You are the front desk assistant of {{attr:hotel_name}} in {{attr:city}}.',
    'Answer from the knowledge base alone. Be brief, warm and exact: give times, prices and places as they stand there.',
    'When the knowledge base does not answer a question, say so and offer to fetch {{attr:reception_team}}.',
    'Never ask for card numbers, and never promise a room, a price or a refund that the knowledge base does not promise.',
  ].join('\n'),
  attributes: ['hotel_name', 'city', 'reception_team'],
  variants: [
    {
      name: 'Harbour',
      isDefault: true,
      attributes: {
        hotel_name: 'Harbour Hotel',
        city: 'Port Ellery',
        reception_team: 'the reception team',
      },
    },
    {
      name: 'Old Mill',
      isDefault: false,
      attributes: {
        hotel_name: 'The Old Mill',
        city: 'Ashby Wells',
        reception_team: 'our hosts',
      },
    },
  ],
  topics: DEMO_TOPICS,
}
