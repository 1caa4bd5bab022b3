/**
 * What an answer must be: from a topic, not known, asked back (about one of these topics), small talk, or a hand-over.
 */
export type Expected =
  | { readonly is: 'answer'; readonly topics: readonly string[]; readonly holds?: RegExp }
  | { readonly is: 'unknown' | 'small_talk' | 'handoff' }
  /** Asking back is right, and answering from the topic is acceptable. */
  | { readonly is: 'asks'; readonly topics: readonly string[] }

/** A customer's message; `after` is what was said before in the same conversation. */
export interface Message {
  readonly says: string
  readonly after?: string
  readonly expected: Expected
}

const answer = (topic: string, holds?: RegExp): Expected =>
  holds === undefined ? { is: 'answer', topics: [topic] } : { is: 'answer', topics: [topic], holds }
const UNKNOWN: Expected = { is: 'unknown' }
const HANDOFF: Expected = { is: 'handoff' }
const SMALL_TALK: Expected = { is: 'small_talk' }

/** Forty messages of customers, none of which the agent was written for. */
export const PHONE_MESSAGES: readonly Message[] = [
  { says: 'how many gb are left on my plan', expected: answer('Data usage') },
  { says: 'internet is crawling since yesterday', expected: answer('Data usage') },
  { says: 'i ran out of data, can i get some more', expected: answer('Extra data', /5 euros/) },
  { says: 'price for 10 gb more?', expected: answer('Extra data', /15 euros/) },
  { says: 'going to portugal next week, does my phone work there', expected: answer('Roaming in Europe') },
  { says: 'does it work in switzerland', expected: answer('Roaming worldwide') },
  { says: 'what do i pay for data in new york', expected: answer('Roaming worldwide') },
  { says: 'sim card arrived today, how do i switch it on', expected: answer('Activate SIM') },
  { says: 'activaet sim', expected: answer('Activate SIM') },
  { says: 'does my iphone work without a physical sim', expected: answer('eSIM') },
  { says: 'someone nicked my phone on the bus!!', expected: answer('Lost or stolen phone') },
  { says: 'cant find my handset anywhere', expected: answer('Lost or stolen phone') },
  { says: 'it wants a puk code', expected: answer('PIN and PUK') },
  { says: 'forgot pin', expected: answer('PIN and PUK') },
  { says: 'when is the bill due to arrive', expected: answer('Bills') },
  { says: 'i want my invoice on paper', expected: answer('Bills', /1.50/) },
  { says: 'i have got a new bank, how do i tell you', expected: answer('Payment methods') },
  { says: 'do you accept visa', expected: answer('Payment methods') },
  { says: 'how do i get out of my contract', expected: answer('Cancel contract') },
  { says: 'i want to cancle', expected: answer('Cancel contract') },
  { says: 'is it possible to go to a cheaper tariff', expected: answer('Change plan') },
  { says: 'i come from another company and love my phone number', expected: answer('Keep your number') },
  { says: 'no bars in the kitchen', expected: answer('Coverage') },
  { says: 'is 5g available in hamburg', expected: answer('Coverage') },
  { says: 'mailbox off please', expected: answer('Voicemail') },
  { says: 'some company charges me 4.99 a week for a game', expected: answer('Third-party charges') },
  { says: 'are your stores open on sunday', expected: answer('Shops') },
  { says: 'dropped my phone and the glass cracked', expected: answer('Repair') },
  {
    says: 'how long will it take?',
    after: 'how do i get my phone repaired',
    expected: answer('Repair', /ten/),
  },
  { says: 'and what does it cost?', after: 'can i buy more data', expected: answer('Extra data', /euros/) },
  {
    says: 'can i pay my bill in the shop',
    expected: { is: 'asks', topics: ['Payment methods', 'Bills', 'Shops'] },
  },
  {
    says: 'sim',
    expected: { is: 'asks', topics: ['Activate SIM', 'eSIM', 'PIN and PUK', 'Lost or stolen phone'] },
  },
  { says: 'give me a human', expected: HANDOFF },
  { says: 'i am fed up and want to complain', expected: HANDOFF },
  { says: 'your bot is rubbish', expected: SMALL_TALK },
  { says: 'hi there, quick question', expected: SMALL_TALK },
  { says: 'do you sell washing machines', expected: UNKNOWN },
  { says: 'what is the weather like in paris', expected: UNKNOWN },
  { says: 'are there any vacancies at your company', expected: UNKNOWN },
  { says: 'can you recommend a good restaurant', expected: UNKNOWN },
]
