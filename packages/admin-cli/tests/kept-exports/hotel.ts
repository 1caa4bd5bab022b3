/** The hotel that each release writes and exports. */
export const HOTEL = {
  slug: 'hotel',
  agent: 'Front desk',
  greeting: 'Welcome!',
  topic: { name: 'Breakfast', content: 'Breakfast is from 7 to 10.' },
  question: 'When is breakfast?',
  /** Name of the branch that is not merged. */
  branch: 'umbrellas',
  newTopic: { name: 'Umbrellas', content: 'Umbrellas are beside the door.' },
  variables: { pounds: 90 },
  key: 'workspace-key-of-the-kept-hotel',
  token: 'connector-token-of-the-kept-hotel',
} as const
