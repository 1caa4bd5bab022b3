/** Topics of the example's front desk. */
export const TOPICS = [
  {
    name: 'Breakfast',
    content: 'Breakfast is served from 7 to 10 in the garden room.',
    queries: ['When is breakfast?', 'Is breakfast included?'],
  },
  {
    name: 'Parking',
    content: 'The garage has 60 spaces; a night is 12 euros.',
    queries: ['Where can I park my car?', 'Is there a garage?'],
  },
  {
    name: 'Pets',
    content: 'Dogs and cats are welcome and cost nothing.',
    queries: ['Can I bring my dog?', 'Are pets allowed?'],
  },
  {
    name: 'Wireless internet',
    content: 'The network is called Harbour; the password is on your key card.',
    queries: ['What is the wifi password?', 'How do I get online?'],
  },
  {
    name: 'Late departure',
    content: 'You may keep your room until two if you tell us the evening before.',
    queries: ['Can I check out later?', 'Is late checkout possible?'],
  },
] as const

/** Questions in other words, which words alone do not answer, with the topic that does. */
export const PARAPHRASES = [
  { question: 'where should we leave our vehicle', topic: 'Parking' },
  { question: 'do you take puppies', topic: 'Pets' },
] as const
